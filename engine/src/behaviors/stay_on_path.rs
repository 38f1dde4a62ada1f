//! Staying on a path: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// Stays within a radius of a path: outside it, steers to a point farther along the path
/// (Reynolds 1999, "Path following").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StayOnPath {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// The name of one of the scene's paths.
    pub path: String,
    /// Radius of the tube around the path, from 0 to 1e6, in world units. Default 20.
    pub radius: f32,
    /// How far ahead in time the position is predicted, from 0 to 100 seconds. Default 0.5.
    pub prediction: f32,
    /// Distance along the path from the nearest point to the one that the agent steers to, from 0
    /// to 1e6, in world units. Default 40.
    pub ahead: f32,
}

impl Default for StayOnPath {
    fn default() -> Self {
        Self { weight: 200.0, path: String::new(), radius: 20.0, prediction: 0.5, ahead: 40.0 }
    }
}

impl Parameters for StayOnPath {
    fields! {
        weight: WEIGHT,
        path: CHOICE,
        radius: number(0.0, 1.0e6, "world units"),
        prediction: number(0.0, 100.0, "s"),
        ahead: number(0.0, 1.0e6, "world units"),
    }
}
