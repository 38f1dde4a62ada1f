//! Behavior parameters as data: name, description, unit, range and value.
//!
//! Range checks, scene files, sliders and documentation all use the list of parameters that
//! [`behavior!`](crate::kernel::behavior) generates for each behavior.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::behaviors::parameter_types::{Deceleration, Feelers, Neighborhood};
use crate::crowd::target::Target;
use crate::error::{Error, within};

/// A behavior parameter with its description and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name in scene files.
    pub name: &'static str,
    /// Description, taken from the parameter's doc comment.
    pub about: &'static str,
    /// Unit; empty if the parameter has none.
    pub unit: &'static str,
    /// Smallest allowed value, inclusive; `min` and `max` are 0 if there is no range.
    pub min: f32,
    /// Largest allowed value, inclusive.
    pub max: f32,
    /// Current value.
    pub value: FieldValue,
}

impl Field {
    #[doc(hidden)]
    pub const NONE: Self =
        Self { name: "", about: "", unit: "", min: 0.0, max: 0.0, value: FieldValue::Flag(false) };
}

#[doc(hidden)]
pub trait Parameter {
    /// Appends a [`Field`] for each parameter in this value. A single parameter is described by
    /// `field`, with the value replaced. A `Neighborhood` ignores `field` and describes its own
    /// three parameters.
    fn read(&self, field: Field, fields: &mut Vec<Field>);

    /// Takes one value for each field that `read` appends. A value of the wrong type is ignored.
    fn write(&mut self, values: &mut dyn Iterator<Item = FieldValue>);

    /// Returns the parameter itself if its type is `Neighborhood`.
    fn neighborhood(&self) -> Option<&Neighborhood> {
        None
    }
}

macro_rules! values {
    ($($(#[$doc:meta])* $variant:ident($type:ty),)+) => {
        /// Value of a parameter, with one variant per parameter type.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum FieldValue {
            $($(#[$doc])* $variant($type),)+
        }

        $(impl Parameter for $type {
            fn read(&self, field: Field, fields: &mut Vec<Field>) {
                fields.push(Field { value: FieldValue::$variant(self.clone()), ..field });
            }

            fn write(&mut self, values: &mut dyn Iterator<Item = FieldValue>) {
                if let Some(FieldValue::$variant(value)) = values.next() {
                    *self = value;
                }
            }
        })+

        impl<'de> DeserializeSeed<'de> for &mut FieldValue {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                match self {
                    $(FieldValue::$variant(value) => *value = <$type>::deserialize(deserializer)?,)+
                }
                Ok(())
            }
        }
    };
}

values! {
    /// A floating-point number that is always set.
    Number(f32),
    /// A floating-point number; `None` means the default or no limit.
    Optional(Option<f32>),
    /// A nonnegative integer.
    Whole(u32),
    /// A boolean option, e.g. `normalized`.
    Flag(bool),
    /// The agent or point that a behavior responds to, e.g. seeks or evades.
    Target(Target),
    /// The name of one of the scene's paths.
    Path(String),
    /// The name of one of the scene's flow fields or routes, if any.
    Name(Option<String>),
    /// A point or an offset; the allowed range applies to each coordinate.
    Vector([f32; 2]),
    /// How early an agent brakes, for `Arrive`.
    Deceleration(Deceleration),
    /// The arrangement of feelers, for `WallAvoidance`.
    Feelers(Feelers),
    /// Names of the species that count as neighbors.
    Species(Vec<String>),
}

const DISTANCE: Field = Field {
    name: "distance",
    about: " View distance of the behavior; if none, the view distance of its species.",
    unit: "world units",
    min: 1.0e-3,
    max: 1.0e6,
    ..Field::NONE
};
const FIELD_OF_VIEW: Field = Field {
    name: "field_of_view",
    about: " Full viewing angle of the behavior; if none, the agent's field of view.",
    unit: "degrees",
    min: 0.0,
    max: 360.0,
    ..Field::NONE
};
const SPECIES: Field = Field {
    name: "species",
    about: " The names of the species that count as neighbors.",
    ..Field::NONE
};

impl Parameter for Neighborhood {
    fn read(&self, _: Field, fields: &mut Vec<Field>) {
        self.distance.read(DISTANCE, fields);
        self.field_of_view.read(FIELD_OF_VIEW, fields);
        self.species.read(SPECIES, fields);
    }

    fn write(&mut self, values: &mut dyn Iterator<Item = FieldValue>) {
        self.distance.write(values);
        self.field_of_view.write(values);
        self.species.write(values);
    }

    fn neighborhood(&self) -> Option<&Self> {
        Some(self)
    }
}

impl Field {
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        let field = format!("{path}.{}", self.name);
        let inside =
            |field: &str, value: Option<f32>| within(field, value, self.min, self.max, self.unit);
        match &self.value {
            &FieldValue::Number(value) => inside(&field, Some(value)),
            &FieldValue::Optional(value) => inside(&field, value),
            &FieldValue::Vector([x, y]) => {
                inside(&format!("{field}[0]"), Some(x))?;
                inside(&format!("{field}[1]"), Some(y))
            }
            &FieldValue::Whole(value) if !(self.min..=self.max).contains(&(value as f32)) => {
                let allowed = format!("a whole number from {} to {}", self.min, self.max);
                Err(Error::refused(field, value, allowed))
            }
            FieldValue::Target(target) => target.check(&field),
            _ => Ok(()),
        }
    }
}

impl FieldValue {
    /// The value for none or for no species; `None` if a parameter of this type always has one.
    fn unset(&self) -> Option<Self> {
        match self {
            Self::Optional(_) => Some(Self::Optional(None)),
            Self::Species(_) => Some(Self::Species(Vec::new())),
            Self::Name(_) => Some(Self::Name(None)),
            _ => None,
        }
    }
}

/// Key of the list that names the parameters that are none although their defaults are not.
const NONE: &str = "none";

/// Writes a table of parameters, without those that are none by default.
pub(super) struct Stated {
    pub(super) fields: Vec<Field>,
    pub(super) defaults: Vec<Field>,
}

impl Serialize for Stated {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_set = |field: &&Field| field.value.unset().as_ref() != Some(&field.value);
        let (set, unset): (Vec<&Field>, Vec<&Field>) = self.fields.iter().partition(is_set);
        let unset = unset.into_iter().filter(|field| !self.defaults.contains(field));
        let none: Vec<&str> = unset.map(|field| field.name).collect();
        let length = set.len() + usize::from(!none.is_empty());
        let mut table = serializer.serialize_struct("Parameters", length)?;
        if !none.is_empty() {
            table.serialize_field(NONE, &none)?;
        }
        set.into_iter().try_for_each(|field| table.serialize_field(field.name, &field.value))?;
        table.end()
    }
}

/// Reads a table of parameters; parameters missing from the table keep their values.
pub(super) struct Table(pub(super) Vec<Field>);

impl<'de> DeserializeSeed<'de> for Table {
    type Value = Vec<Field>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Field>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Table {
    type Value = Vec<Field>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut table: A) -> Result<Vec<Field>, A::Error> {
        while let Some(index) = table.next_key_seed(Key(&self.0))? {
            match index {
                Some(index) => table.next_value_seed(&mut self.0[index].value)?,
                None => table.next_value_seed(Unset(&mut self.0))?,
            }
        }
        Ok(self.0)
    }
}

/// Reads a list of parameters and sets them to none.
struct Unset<'a>(&'a mut [Field]);

impl<'de> DeserializeSeed<'de> for Unset<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        for name in Vec::<String>::deserialize(deserializer)? {
            let optional = |field: &&mut Field| field.value.unset().is_some();
            let mut fields = self.0.iter_mut().filter(optional);
            let Some(field) = fields.find(|field| field.name == name) else {
                let known = self.0.iter_mut().filter(optional).map(|field| field.name);
                return Err(D::Error::custom(unknown("field", &name, known)));
            };
            field.value = field.value.unset().expect("it is optional");
        }
        Ok(())
    }
}

struct Key<'a>(&'a [Field]);

/// Reads a key: the index of a parameter, or `None` for the key [`NONE`].
impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let name = String::deserialize(deserializer)?;
        match self.0.iter().position(|field| field.name == name) {
            None if name != NONE => {
                let known = self.0.iter().map(|field| field.name);
                Err(D::Error::custom(unknown("field", &name, known)))
            }
            index => Ok(index),
        }
    }
}

/// Formats the message exactly as serde does, because the scene reader parses serde's messages.
pub(super) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    format!("unknown {what} `{name}`, expected one of {}", known.join(", "))
}
