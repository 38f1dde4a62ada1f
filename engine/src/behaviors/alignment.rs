//! Alignment: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields};
use crate::behaviors::parameters::Parameters;

/// Turns towards the mean heading of the neighbors; zero without neighbors
/// (Reynolds 1999, "Alignment"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Alignment {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
}

impl Default for Alignment {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl Parameters for Alignment {
    fields! {
        weight: WEIGHT,
    }
}
