//! Arrive: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::fields::{CHOICE, WEIGHT, fields};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// Steers towards a target and comes to rest on it
/// (Reynolds 1999, "Arrival"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Arrive {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Where to go.
    pub target: Target,
    /// How early to brake. Default normal.
    pub deceleration: Deceleration,
}

impl Default for Arrive {
    fn default() -> Self {
        let deceleration = Deceleration::default();
        Self { weight: 200.0, target: Target::Unset, deceleration }
    }
}

impl Parameters for Arrive {
    fields! {
        weight: WEIGHT,
        target: CHOICE,
        deceleration: CHOICE,
    }
}
