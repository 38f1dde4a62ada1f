//! How forces turn into motion.

use serde::{Deserialize, Serialize};

/// How a steering force turns into motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Locomotion {
    /// A point mass: acceleration = force / mass, speed up to the maximum speed.
    #[default]
    PointMass,
    /// The force turns the agent, which always moves at its maximum speed.
    ConstantSpeed,
    /// A point mass that is driven like a car: the force is split into a part along the
    /// heading and a part across it, each with its own limits, from 0 to 1e9, in
    /// mass · units/s² (Reynolds 1999, "Locomotion").
    CarLike {
        /// The most force ahead.
        throttle: f32,
        /// The most force backwards.
        brake: f32,
        /// The most force to either side.
        steering: f32,
    },
}

/// Below this squared speed, in (units/s)², the heading keeps its value.
pub(crate) const REST_SPEED_SQ: f32 = 1.0e-8;
