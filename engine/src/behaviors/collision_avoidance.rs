//! Unaligned collision avoidance: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// cos of the angle (45°) below which headings count as parallel.
pub(crate) const PARALLEL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Steers out of the way of neighbors on a collision course
/// (Reynolds 1999, "Unaligned collision avoidance").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CollisionAvoidance {
    /// Scales the force, from 0 to 1e6. Default 2.
    pub weight: f32,
    /// How far ahead in time collisions count, from 0 to 1e3 seconds. Default 1.
    pub horizon: f32,
    /// Distance to keep between bounding circles, from 0 to 1e4, in world units. Default 2.
    pub margin: f32,
}

impl Default for CollisionAvoidance {
    fn default() -> Self {
        Self { weight: 2.0, horizon: 1.0, margin: 2.0 }
    }
}

impl Parameters for CollisionAvoidance {
    fields! {
        weight: WEIGHT,
        horizon: number(0.0, 1.0e3, "s"),
        margin: number(0.0, 1.0e4, "world units"),
    }

    fn reads_radii(&self) -> bool {
        true
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}
