//! Interpose: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// Steers to the midpoint of two targets (Buckland 2004, ch. 3, "Interpose"). Each may
/// be an agent or a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Interpose {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// One target.
    pub a: Target,
    /// The other target.
    pub b: Target,
}

impl Default for Interpose {
    fn default() -> Self {
        Self { weight: 200.0, a: Target::Unset, b: Target::Unset }
    }
}

impl Parameters for Interpose {
    fields! {
        weight: WEIGHT,
        a: CHOICE,
        b: CHOICE,
    }
}
