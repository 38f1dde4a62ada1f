//! What the engine asks of a behavior's parameters.

use crate::behaviors::fields::{Field, FieldValue, FieldValueMut};

/// A behavior's parameters, and what the behavior needs from the engine.
pub(crate) trait Parameters {
    /// All parameters, in the struct's order.
    fn fields(&self) -> Vec<Field<FieldValue<'_>>>;

    /// The same, to change.
    fn fields_mut(&mut self) -> Vec<Field<FieldValueMut<'_>>>;

    /// Search radius for obstacles: the largest distance from an agent's center to an obstacle's
    /// rim that can matter, in world units.
    fn obstacle_range(&self) -> f32 {
        0.0
    }

    /// Search radius for walls: the largest distance from an agent's center at which it can feel
    /// one, in world units.
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

    /// The columns that it reads or writes.
    fn columns(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What each agent remembers for it.
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
