//! How a steering force becomes motion.

use serde::{Deserialize, Serialize};

/// How a steering force becomes motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Locomotion {
    /// A point mass: acceleration = force / mass; the speed is capped at the maximum speed.
    #[default]
    PointMass,
    /// The force only turns the agent, which always moves at its maximum speed.
    ConstantSpeed,
    /// A point mass driven like a car: the force is split into components along and across the
    /// heading, each with its own limits, from 0 to 1e9, in mass · units/s² (Reynolds 1999,
    /// "Locomotion").
    CarLike {
        /// Maximum force forward.
        throttle: f32,
        /// Maximum force backward.
        brake: f32,
        /// Maximum force to either side.
        steering: f32,
    },
}

/// Below this squared speed, in (units/s)², the heading keeps its value.
pub(crate) const REST_SPEED_SQ: f32 = 1.0e-8;
