//! Evade: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// Steers away from where a pursuer will be
/// (Reynolds 1999, "Evasion"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Evade {
    /// Scales the force, from 0 to 1e6. Default 200; the book uses 2.
    pub weight: f32,
    /// The target to evade.
    pub pursuer: Target,
    /// Beyond this distance, in world units from 0 to 1e7, the pursuer is no threat; if
    /// none, it always is. The book uses 100. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threat_range: Option<f32>,
}

impl Default for Evade {
    fn default() -> Self {
        Self { weight: 200.0, pursuer: Target::Unset, threat_range: None }
    }
}

impl Parameters for Evade {
    fields! {
        weight: WEIGHT,
        pursuer: CHOICE,
        threat_range: number(0.0, 1.0e7, "world units"),
    }
}
