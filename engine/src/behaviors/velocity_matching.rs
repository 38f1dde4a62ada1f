//! Velocity matching: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// Matches the mean velocity of the neighbors
/// (Reynolds 1987, "Velocity matching").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VelocityMatching {
    /// Scales the force, from 0 to 1e6. Default 1.
    pub weight: f32,
    /// The time over which the difference would vanish, from 1e-3 to 1e3 seconds. Default 0.5.
    pub time_constant: f32,
}

impl Default for VelocityMatching {
    fn default() -> Self {
        Self { weight: 1.0, time_constant: 0.5 }
    }
}

impl Parameters for VelocityMatching {
    fields! {
        weight: WEIGHT,
        time_constant: number(1.0e-3, 1.0e3, "s"),
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}
