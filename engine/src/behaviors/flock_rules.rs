//! The normalized flocking rules: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{FLAG, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;

/// Alignment, cohesion and separation as unit vectors, for
/// [`Locomotion::ConstantSpeed`](crate::Locomotion::ConstantSpeed) (Fernando Bevilacqua
/// 2013, "The Three Simple Rules of Flocking Behaviors").
///
/// The tutorial's separation is exactly opposite to its cohesion, so the two only ever
/// subtract; `near_separation` scales each neighbor's offset by 1/distance² instead, which keeps
/// both meaningful.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlockRules {
    /// Scales the sum, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Weight of norm(mean heading), from 0 to 1e3. Default 1.
    pub alignment: f32,
    /// Weight of norm(mean position − p), from 0 to 1e3. Default 1.
    pub cohesion: f32,
    /// Weight of separation, from 0 to 1e3. Default 1.
    pub separation: f32,
    /// Whether separation is norm(Σ (p − pj)/|p − pj|²) rather than −norm(mean(pj − p)).
    /// Default true.
    pub near_separation: bool,
}

impl Default for FlockRules {
    fn default() -> Self {
        Self {
            weight: 200.0,
            alignment: 1.0,
            cohesion: 1.0,
            separation: 1.0,
            near_separation: true,
        }
    }
}

impl Parameters for FlockRules {
    fields! {
        weight: WEIGHT,
        alignment: number(0.0, 1.0e3, ""),
        cohesion: number(0.0, 1.0e3, ""),
        separation: number(0.0, 1.0e3, ""),
        near_separation: FLAG,
    }
}
