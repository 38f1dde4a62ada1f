//! Flow-field following: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields};
use crate::behaviors::parameters::Parameters;

/// Moves in the direction of the scene's flow field (Reynolds 1999, "Flow field following").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowFollowing {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
}

impl Default for FlowFollowing {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl Parameters for FlowFollowing {
    fields! {
        weight: WEIGHT,
    }
}
