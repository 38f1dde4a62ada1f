//! Separation: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields};
use crate::behaviors::parameters::Parameters;

/// Steers away from each neighbor, more strongly from nearer ones
/// (Reynolds 1999, "Separation"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Separation {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl Parameters for Separation {
    fields! {
        weight: WEIGHT,
    }
}
