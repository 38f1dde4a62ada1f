//! Obstacle avoidance with a look-ahead line: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// Steers away from the most threatening obstacle on a line ahead
/// (Bevilacqua 2013, "Understanding steering behaviors: collision avoidance").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LookAhead {
    /// Scales the force, from 0 to 1e6. Default 1.
    pub weight: f32,
    /// Length of the line at full speed, from 0 to 1e5, in world units. Default 60.
    pub max_see_ahead: f32,
    /// Magnitude of the force, from 0 to 1e6. Default 400.
    pub max_avoid_force: f32,
}

impl Default for LookAhead {
    fn default() -> Self {
        Self { weight: 1.0, max_see_ahead: 60.0, max_avoid_force: 400.0 }
    }
}

impl Parameters for LookAhead {
    fields! {
        weight: WEIGHT,
        max_see_ahead: number(0.0, 1.0e5, "world units"),
        max_avoid_force: number(0.0, 1.0e6, ""),
    }

    fn obstacle_range(&self) -> f32 {
        self.max_see_ahead
    }
}
