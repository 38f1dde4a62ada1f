//! The parameters of a behavior as data: name, unit, range and value.
//!
//! One list per behavior serves the range check, sliders and the documentation.

use crate::error::{Error, Place, within};
use crate::kernels::arrive::Deceleration;
use crate::kernels::wall_avoidance::Feelers;
use crate::target::Target;

/// One parameter, to look at or to change.
#[derive(Debug)]
pub struct Field<'a> {
    /// The name that scene files use.
    pub name: &'static str,
    /// The unit; empty for plain numbers.
    pub unit: &'static str,
    /// The smallest allowed number.
    pub min: f32,
    /// The largest allowed number.
    pub max: f32,
    /// The value itself.
    pub value: FieldValue<'a>,
}

/// A parameter's value. Change it freely: it is checked when the species is set.
#[derive(Debug)]
#[non_exhaustive]
pub enum FieldValue<'a> {
    /// A number.
    Number(&'a mut f32),
    /// A number, or none.
    Optional(&'a mut Option<f32>),
    /// A whole number.
    Whole(&'a mut u32),
    /// Yes or no.
    Flag(&'a mut bool),
    /// What the behavior steers by.
    Target(&'a mut Target),
    /// The name of one of the scene's paths.
    Path(&'a mut String),
    /// A point or offset, each coordinate in the range.
    Vector(&'a mut [f32; 2]),
    /// How gently to brake.
    Deceleration(&'a mut Deceleration),
    /// What walls are felt with.
    Feelers(&'a mut Feelers),
}

impl<'a> Field<'a> {
    pub(crate) fn weight(value: &'a mut f32) -> Self {
        Self::number("weight", value, 0.0, 1.0e6, "")
    }

    pub(crate) fn number(
        name: &'static str,
        value: &'a mut f32,
        min: f32,
        max: f32,
        unit: &'static str,
    ) -> Self {
        Self { name, unit, min, max, value: FieldValue::Number(value) }
    }

    pub(crate) fn optional(
        name: &'static str,
        value: &'a mut Option<f32>,
        min: f32,
        max: f32,
        unit: &'static str,
    ) -> Self {
        Self { name, unit, min, max, value: FieldValue::Optional(value) }
    }

    pub(crate) fn whole(name: &'static str, value: &'a mut u32, max: u16) -> Self {
        let max = f32::from(max);
        Self { name, unit: "", min: 0.0, max, value: FieldValue::Whole(value) }
    }

    pub(crate) fn flag(name: &'static str, value: &'a mut bool) -> Self {
        Self { name, unit: "", min: 0.0, max: 1.0, value: FieldValue::Flag(value) }
    }

    pub(crate) fn choice(name: &'static str, value: FieldValue<'a>) -> Self {
        Self { name, unit: "", min: 0.0, max: 0.0, value }
    }

    pub(crate) fn target(name: &'static str, value: &'a mut Target) -> Self {
        Self { name, unit: "", min: 0.0, max: 0.0, value: FieldValue::Target(value) }
    }

    pub(crate) fn path(name: &'static str, value: &'a mut String) -> Self {
        Self { name, unit: "", min: 0.0, max: 0.0, value: FieldValue::Path(value) }
    }

    pub(crate) fn vector(
        name: &'static str,
        value: &'a mut [f32; 2],
        most: f32,
        unit: &'static str,
    ) -> Self {
        Self { name, unit, min: -most, max: most, value: FieldValue::Vector(value) }
    }

    /// Checks the number against its range; `path` names the behavior in errors.
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        let field = format!("{path}.{}", self.name);
        let inside = |field: &str, value: f32| within(field, value, self.min, self.max, self.unit);
        match &self.value {
            FieldValue::Number(value) => inside(&field, **value),
            FieldValue::Optional(value) => value.map_or(Ok(()), |value| inside(&field, value)),
            FieldValue::Vector(vector) => {
                inside(&format!("{field}[0]"), vector[0])?;
                inside(&format!("{field}[1]"), vector[1])
            }
            FieldValue::Whole(value) if **value as f32 > self.max => Err(Error::OutOfRange {
                at: Place::default(),
                field,
                value: value.to_string(),
                allowed: format!("a whole number from 0 to {}", self.max),
            }),
            FieldValue::Whole(_)
            | FieldValue::Flag(_)
            | FieldValue::Path(_)
            | FieldValue::Deceleration(_)
            | FieldValue::Feelers(_) => Ok(()),
            FieldValue::Target(target) => target.check(&field),
        }
    }
}

/// A behavior's parameters, and what it needs of the rest.
pub(crate) trait Parameters {
    /// All of them, in the order of the struct.
    fn fields(&mut self) -> Vec<Field<'_>>;

    /// How far from its center an agent may have to look for an obstacle's rim, in world
    /// units.
    fn obstacle_reach(&self) -> f32 {
        0.0
    }

    /// How far from its center an agent may touch a wall, in world units.
    fn wall_reach(&self) -> f32 {
        0.0
    }

    /// Whether it reads the bounding radii of neighbors.
    fn reads_radii(&self) -> bool {
        false
    }

    /// Whether it reads the velocities of neighbors.
    fn reads_velocities(&self) -> bool {
        false
    }

    /// What agents have to remember for it.
    fn remembers(&self) -> Remembers {
        Remembers::default()
    }
}

/// What a behavior remembers: the columns of [`Memory`](crate::columns::Memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remembers {
    pub(crate) wander: bool,
    pub(crate) waypoint: bool,
    pub(crate) alert: bool,
}

impl std::ops::BitOr for Remembers {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self {
            wander: self.wander | other.wander,
            waypoint: self.waypoint | other.waypoint,
            alert: self.alert | other.alert,
        }
    }
}
