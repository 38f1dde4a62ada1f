//! Containment: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// Keeps agents inside the world's rectangle (Reynolds 1999, "Containment"). For bounded and
/// open worlds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Containment {
    /// Scales the force, from 0 to 1e6. Default 4.
    pub weight: f32,
    /// How far ahead in time the position is predicted, from 1e-2 to 100 seconds. Default 0.5.
    pub prediction: f32,
    /// Distance to keep from the edges, from 0 to 1e6 and to half the shorter side of the world, in
    /// world units. Default 0.
    pub margin: f32,
}

impl Default for Containment {
    fn default() -> Self {
        Self { weight: 4.0, prediction: 0.5, margin: 0.0 }
    }
}

impl Parameters for Containment {
    fields! {
        weight: WEIGHT,
        prediction: number(1.0e-2, 100.0, "s"),
        margin: number(0.0, 1.0e6, "world units"),
    }
}
