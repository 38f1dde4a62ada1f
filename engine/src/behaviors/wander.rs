//! Wander: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{FLAG, WEIGHT, fields, number};
use crate::behaviors::parameters::{Parameters, Remembers};

/// Steers randomly but smoothly: the force points to a target that is jittered along a circle
/// ahead of the agent (Reynolds 1999, "Wander"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wander {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Radius of the circle, from 1e-3 to 1e4, in world units (bounding radii if `scaled`).
    /// Default 1.2.
    pub radius: f32,
    /// Distance of the circle ahead of the agent, from 0 to 1e4, in the units of `radius`.
    /// Default 2.
    pub distance: f32,
    /// The maximum displacement of the target along each axis, per second (or per step),
    /// from 0 to 1e6, in the units of `radius`. Default 80.
    pub jitter: f32,
    /// Whether `jitter` is per step instead of per second. Default false.
    pub jitter_per_step: bool,
    /// Whether all lengths scale with the agent's bounding radius. Default true.
    pub scaled: bool,
}

impl Default for Wander {
    fn default() -> Self {
        Self {
            weight: 200.0,
            radius: 1.2,
            distance: 2.0,
            jitter: 80.0,
            jitter_per_step: false,
            scaled: true,
        }
    }
}

impl Parameters for Wander {
    fields! {
        weight: WEIGHT,
        radius: number(1.0e-3, 1.0e4, ""),
        distance: number(0.0, 1.0e4, ""),
        jitter: number(0.0, 1.0e6, ""),
        jitter_per_step: FLAG,
        scaled: FLAG,
    }

    fn remembers(&self) -> Remembers {
        Remembers { wander: true, ..Remembers::default() }
    }
}

impl Wander {
    /// The maximum displacement along each axis in one step.
    pub(crate) fn step_jitter(&self, dt: f32) -> f32 {
        if self.jitter_per_step { self.jitter } else { self.jitter * dt }
    }
}
