//! Seek: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// Steers towards a target at full speed (Reynolds 1999, "Seek"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seek {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Where to go.
    pub target: Target,
}

impl Default for Seek {
    fn default() -> Self {
        Self { weight: 200.0, target: Target::Unset }
    }
}

impl Parameters for Seek {
    fields! {
        weight: WEIGHT,
        target: CHOICE,
    }
}
