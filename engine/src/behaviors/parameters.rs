//! What the rest of the engine asks of a behavior's parameters.

use crate::behaviors::fields::{Field, FieldValue, FieldValueMut};

/// A behavior's parameters, and what it needs of the rest.
pub(crate) trait Parameters {
    /// All of them, in the order of the struct.
    fn fields(&self) -> Vec<Field<FieldValue<'_>>>;

    /// The same, to be changed.
    fn fields_mut(&mut self) -> Vec<Field<FieldValueMut<'_>>>;

    /// How far from its center an agent may have to look for an obstacle's rim, in world
    /// units.
    fn obstacle_range(&self) -> f32 {
        0.0
    }

    /// How far from its center an agent may touch a wall, in world units.
    fn wall_range(&self) -> f32 {
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

/// What a behavior remembers: the columns of [`Memory`](crate::crowd::columns::Memory).
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
