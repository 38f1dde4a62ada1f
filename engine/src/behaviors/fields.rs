//! The parameters of a behavior as data: name, unit, range and value.
//!
//! Range checks, sliders and documentation all use one list per behavior, written with
//! [`fields!`].

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::feelers::Feelers;
use crate::behaviors::target::Target;
use crate::error::{Error, within};

/// One parameter. Its value is a [`FieldValue`] to read or a [`FieldValueMut`] to change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field<V> {
    /// The name that scene files use.
    pub name: &'static str,
    /// The unit; empty for plain numbers.
    pub unit: &'static str,
    /// The smallest allowed number.
    pub min: f32,
    /// The largest allowed number.
    pub max: f32,
    /// The value itself.
    pub value: V,
}

/// Defines [`FieldValue`], [`FieldValueMut`] and how a struct's member becomes one of them.
macro_rules! values {
    ($($(#[$doc:meta])* $kind:ident($member:ty, $value:ty, |$from:ident| $read:expr),)+) => {
        /// A parameter's value.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum FieldValue<'a> {
            $($(#[$doc])* $kind($value),)+
        }

        /// A parameter's value, to change. It is not checked until the species is set.
        #[derive(Debug, PartialEq)]
        #[non_exhaustive]
        pub enum FieldValueMut<'a> {
            $($(#[$doc])* $kind(&'a mut $member),)+
        }

        $(impl<'a> From<&'a $member> for FieldValue<'a> {
            fn from($from: &'a $member) -> Self {
                Self::$kind($read)
            }
        }

        impl<'a> From<&'a mut $member> for FieldValueMut<'a> {
            fn from(member: &'a mut $member) -> Self {
                Self::$kind(member)
            }
        })+
    };
}

values! {
    /// A number.
    Number(f32, f32, |value| *value),
    /// A number, or none.
    Optional(Option<f32>, Option<f32>, |value| *value),
    /// A whole number.
    Whole(u32, u32, |value| *value),
    /// Yes or no.
    Flag(bool, bool, |value| *value),
    /// The target of the behavior.
    Target(Target, &'a Target, |value| value),
    /// The name of one of the scene's paths.
    Path(String, &'a str, |value| value),
    /// A point or offset; each coordinate is in the range.
    Vector([f32; 2], [f32; 2], |value| *value),
    /// How early to brake.
    Deceleration(Deceleration, Deceleration, |value| *value),
    /// The type of feelers.
    Feelers(Feelers, Feelers, |value| *value),
}

/// The unit and the allowed range of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    unit: &'static str,
    min: f32,
    max: f32,
}

/// A weight: from 0 to 1e6.
pub const WEIGHT: Allowed = number(0.0, 1.0e6, "");
/// Yes or no.
pub const FLAG: Allowed = number(0.0, 1.0, "");
/// No range: targets, paths, and choices among names.
pub const CHOICE: Allowed = number(0.0, 0.0, "");

/// Numbers from `min` to `max`; the unit is empty for plain numbers.
#[must_use]
pub const fn number(min: f32, max: f32, unit: &'static str) -> Allowed {
    Allowed { unit, min, max }
}

/// Whole numbers from 0 to `max`.
#[must_use]
pub const fn whole(max: u16) -> Allowed {
    number(0.0, max as f32, "")
}

/// The functions `fields` and `fields_mut` of a behavior, from the name of each member of its
/// parameters and what is [`Allowed`](crate::custom::Allowed).
#[macro_export]
macro_rules! fields {
    ($($name:ident: $allowed:expr),* $(,)?) => {
        fn fields(
            &self,
        ) -> Vec<$crate::custom::Field<$crate::custom::FieldValue<'_>>> {
            vec![$($allowed.field(stringify!($name), (&self.$name).into()),)*]
        }

        fn fields_mut(
            &mut self,
        ) -> Vec<$crate::custom::Field<$crate::custom::FieldValueMut<'_>>> {
            vec![$($allowed.field(stringify!($name), (&mut self.$name).into()),)*]
        }
    };
}

pub use fields;

impl Allowed {
    /// A parameter with this range.
    pub fn field<V>(self, name: &'static str, value: V) -> Field<V> {
        let Self { unit, min, max } = self;
        Field { name, unit, min, max, value }
    }
}

impl Field<FieldValue<'_>> {
    /// Checks the value against its range; `path` names the behavior in errors.
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
            FieldValue::Whole(value) if value as f32 > self.max => {
                let allowed = format!("a whole number from 0 to {}", self.max);
                Err(Error::refused(field, value, allowed))
            }
            FieldValue::Target(target) => target.check(&field),
            FieldValue::Whole(_)
            | FieldValue::Flag(_)
            | FieldValue::Path(_)
            | FieldValue::Deceleration(_)
            | FieldValue::Feelers(_) => Ok(()),
        }
    }
}
