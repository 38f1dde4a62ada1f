//! Cohesion: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{FLAG, WEIGHT, fields};
use crate::behaviors::parameters::Parameters;

/// Steers towards the center of the neighbors; zero without neighbors
/// (Reynolds 1999, "Cohesion"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cohesion {
    /// Scales the force, from 0 to 1e6. Default 400.
    pub weight: f32,
    /// Whether the force is normalized before it is weighted, as the book's weights assume.
    /// Default true.
    pub normalized: bool,
}

impl Default for Cohesion {
    fn default() -> Self {
        Self { weight: 400.0, normalized: true }
    }
}

impl Parameters for Cohesion {
    fields! {
        weight: WEIGHT,
        normalized: FLAG,
    }
}
