//! Behavior parameters as data: name, description, unit, range and value.
//!
//! Range checks, scene files, sliders and documentation all use the list of parameters that
//! [`behavior!`](crate::kernel::behavior) generates for each behavior.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::behaviors::choices::{Deceleration, Feelers};
use crate::behaviors::neighborhood::Neighborhood;
use crate::crowd::target::Target;
use crate::error::{Error, within};

/// A behavior parameter with its description. `V` is [`FieldValue`] for read-only access or
/// [`FieldValueMut`] for write access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field<V> {
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
    /// Current value, read-only or writable depending on `V`.
    pub value: V,
}

impl<V> Field<V> {
    #[doc(hidden)]
    pub const fn new(value: V) -> Self {
        Self { name: "", about: "", unit: "", min: 0.0, max: 0.0, value }
    }
}

impl Field<()> {
    pub(super) fn with<V>(self, value: V) -> Field<V> {
        let Self { name, about, unit, min, max, value: () } = self;
        Field { name, about, unit, min, max, value }
    }
}

#[doc(hidden)]
pub trait Parameter {
    /// Appends a read-only [`Field`] for each parameter that this value holds. `field` describes a
    /// single parameter. A `Neighborhood` ignores it and describes its own three parameters.
    fn read<'a>(&'a self, field: Field<()>, fields: &mut Vec<Field<FieldValue<'a>>>);

    /// Like `read`, but gives write access.
    fn write<'a>(&'a mut self, field: Field<()>, fields: &mut Vec<Field<FieldValueMut<'a>>>);

    /// Returns the parameter itself if its type is `Neighborhood`.
    fn neighborhood(&self) -> Option<&Neighborhood> {
        None
    }
}

macro_rules! values {
    ($($(#[$doc:meta])* $type:ident($member:ty, $value:ty, |$from:ident| $read:expr),)+) => {
        /// Read-only value of a parameter, with one variant per parameter type.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum FieldValue<'a> {
            $($(#[$doc])* $type($value),)+
        }

        /// Mutable access to a parameter's value. New values are checked when the species is set.
        #[derive(Debug, PartialEq)]
        #[non_exhaustive]
        pub enum FieldValueMut<'a> {
            $($(#[$doc])* $type(&'a mut $member),)+
        }

        $(impl Parameter for $member {
            fn read<'a>(&'a self, field: Field<()>, fields: &mut Vec<Field<FieldValue<'a>>>) {
                let $from = self;
                fields.push(field.with(FieldValue::$type($read)));
            }

            fn write<'a>(
                &'a mut self,
                field: Field<()>,
                fields: &mut Vec<Field<FieldValueMut<'a>>>,
            ) {
                fields.push(field.with(FieldValueMut::$type(self)));
            }
        })+

        impl<'de> DeserializeSeed<'de> for &mut FieldValueMut<'_> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                match self {
                    $(FieldValueMut::$type(member) => {
                        **member = <$member>::deserialize(deserializer)?;
                    })+
                }
                Ok(())
            }
        }
    };
}

values! {
    /// A floating-point number that is always set.
    Number(f32, f32, |value| *value),
    /// A floating-point number; `None` means the default or no limit.
    Optional(Option<f32>, Option<f32>, |value| *value),
    /// A nonnegative integer.
    Whole(u32, u32, |value| *value),
    /// A boolean option, e.g. `normalized`.
    Flag(bool, bool, |value| *value),
    /// The agent or point that a behavior responds to, e.g. seeks or evades.
    Target(Target, &'a Target, |value| value),
    /// The name of one of the scene's paths.
    Path(String, &'a str, |value| value),
    /// A point or an offset; the allowed range applies to each coordinate.
    Vector([f32; 2], [f32; 2], |value| *value),
    /// How early an agent brakes, for `Arrive`.
    Deceleration(Deceleration, Deceleration, |value| *value),
    /// The arrangement of feelers, for `WallAvoidance`.
    Feelers(Feelers, Feelers, |value| *value),
    /// Names of the species that count as neighbors.
    Species(Vec<String>, &'a [String], |value| value),
}

const DISTANCE: Field<()> = Field {
    name: "distance",
    about: " View distance of the behavior; if none, the view distance of its species.",
    unit: "world units",
    min: 1.0e-3,
    max: 1.0e6,
    value: (),
};
const FIELD_OF_VIEW: Field<()> = Field {
    name: "field_of_view",
    about: " Full viewing angle of the behavior; if none, the agent's field of view.",
    unit: "degrees",
    min: 0.0,
    max: 360.0,
    value: (),
};
const SPECIES: Field<()> = Field {
    name: "species",
    about: " The names of the species that count as neighbors.",
    ..Field::new(())
};

impl Parameter for Neighborhood {
    fn read<'a>(&'a self, _: Field<()>, fields: &mut Vec<Field<FieldValue<'a>>>) {
        fields.extend([
            DISTANCE.with(FieldValue::Optional(self.distance)),
            FIELD_OF_VIEW.with(FieldValue::Optional(self.field_of_view)),
            SPECIES.with(FieldValue::Species(&self.species)),
        ]);
    }

    fn write<'a>(&'a mut self, _: Field<()>, fields: &mut Vec<Field<FieldValueMut<'a>>>) {
        fields.extend([
            DISTANCE.with(FieldValueMut::Optional(&mut self.distance)),
            FIELD_OF_VIEW.with(FieldValueMut::Optional(&mut self.field_of_view)),
            SPECIES.with(FieldValueMut::Species(&mut self.species)),
        ]);
    }

    fn neighborhood(&self) -> Option<&Self> {
        Some(self)
    }
}

impl Field<FieldValue<'_>> {
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        let field = format!("{path}.{}", self.name);
        let inside = |field: &str, value: f32| within(field, value, self.min, self.max, self.unit);
        match self.value {
            FieldValue::Number(value) => inside(&field, value),
            FieldValue::Optional(value) => value.map_or(Ok(()), |value| inside(&field, value)),
            FieldValue::Vector([x, y]) => {
                inside(&format!("{field}[0]"), x)?;
                inside(&format!("{field}[1]"), y)
            }
            FieldValue::Whole(value) if !(self.min..=self.max).contains(&(value as f32)) => {
                let allowed = format!("a whole number from {} to {}", self.min, self.max);
                Err(Error::refused(field, value, allowed))
            }
            FieldValue::Target(target) => target.check(&field),
            _ => Ok(()),
        }
    }
}

pub(super) struct Table<'a>(pub(super) Vec<Field<FieldValue<'a>>>);

impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_stated = |field: &&Field<_>| {
            !matches!(field.value, FieldValue::Optional(None) | FieldValue::Species([]))
        };
        let mut stated = self.0.iter().filter(is_stated);
        let mut table = serializer.serialize_struct("Parameters", stated.clone().count())?;
        stated.try_for_each(|field| table.serialize_field(field.name, &field.value))?;
        table.end()
    }
}

/// Reads a table of parameters; parameters missing from the table keep their values.
pub(super) struct TableMut<'a>(pub(super) Vec<Field<FieldValueMut<'a>>>);

impl<'de> DeserializeSeed<'de> for TableMut<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TableMut<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut table: A) -> Result<(), A::Error> {
        while let Some(number) = table.next_key_seed(Name(&self.0))? {
            table.next_value_seed(&mut self.0[number].value)?;
        }
        Ok(())
    }
}

struct Name<'a, 'b>(&'a [Field<FieldValueMut<'b>>]);

impl<'de> DeserializeSeed<'de> for Name<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = self.0.iter().position(|field| field.name == name);
        found.ok_or_else(|| {
            D::Error::custom(unknown("field", &name, self.0.iter().map(|field| field.name)))
        })
    }
}

/// Formats the message exactly as serde does, because the scene reader parses serde's messages.
pub(super) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    format!("unknown {what} `{name}`, expected one of {}", known.join(", "))
}
