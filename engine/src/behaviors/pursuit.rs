//! Pursuit: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// cos of the angle between the headings below which an evader approaches head-on (within about
/// 18° of opposite).
pub(crate) const HEAD_ON: f32 = -0.95;

/// Steers to intercept a moving target
/// (Reynolds 1999, "Pursuit"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pursuit {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// The target to pursue.
    pub evader: Target,
    /// Time for turning, from 0 to 100 seconds: adds (1 − cos of the angle to turn) times this to
    /// the prediction time. The book uses 0.5, one second for a half-turn. Default 0.
    pub turnaround: f32,
}

impl Default for Pursuit {
    fn default() -> Self {
        Self { weight: 200.0, evader: Target::Unset, turnaround: 0.0 }
    }
}

impl Parameters for Pursuit {
    fields! {
        weight: WEIGHT,
        evader: CHOICE,
        turnaround: number(0.0, 100.0, "s"),
    }
}
