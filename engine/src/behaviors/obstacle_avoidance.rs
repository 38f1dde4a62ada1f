//! Obstacle avoidance with a detection box: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// The share of the overlap along x that becomes braking (Buckland's `BrakingWeight`).
pub(crate) const BRAKING: f32 = 0.2;

/// Steers around obstacles in a box ahead that grows with speed
/// (Reynolds 1999, "Obstacle avoidance"; Buckland 2004, ch. 3, corrected, see
/// `docs/errata.md`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ObstacleAvoidance {
    /// Scales the force, from 0 to 1e6. Default 2000.
    pub weight: f32,
    /// Length of the detection box at rest, from 1e-3 to 1e5, in world units; at full speed it
    /// is twice as long. Default 40.
    pub box_length: f32,
}

impl Default for ObstacleAvoidance {
    fn default() -> Self {
        Self { weight: 2000.0, box_length: 40.0 }
    }
}

impl Parameters for ObstacleAvoidance {
    fields! {
        weight: WEIGHT,
        box_length: number(1.0e-3, 1.0e5, "world units"),
    }

    fn obstacle_range(&self) -> f32 {
        2.0 * self.box_length
    }
}
