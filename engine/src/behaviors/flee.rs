//! Flee: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// Steers away from a target at full speed (Reynolds 1999, "Flee"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Flee {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// What to flee from.
    pub target: Target,
    /// Beyond this distance, in world units from 0 to 1e7, there is no force; if none,
    /// the agent always flees. The book uses 100. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panic_distance: Option<f32>,
}

impl Default for Flee {
    fn default() -> Self {
        Self { weight: 200.0, target: Target::Unset, panic_distance: None }
    }
}

impl Parameters for Flee {
    fields! {
        weight: WEIGHT,
        target: CHOICE,
        panic_distance: number(0.0, 1.0e7, "world units"),
    }
}
