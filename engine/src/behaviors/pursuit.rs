//! Pursuit: its parameters.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// cos of the angle between headings from which on an evader comes straight on (about 18°).
pub(crate) const HEAD_ON: f32 = -0.95;

/// Steers to intercept a moving target
/// (Reynolds 1999, "Pursuit"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pursuit {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Whom to pursue.
    pub evader: Target,
    /// Adds (1 − cos of the angle to turn) times this many seconds to the time of the
    /// prediction, from 0 to 100. The book uses 0.5, one second for a half-turn. Default 0.
    pub turnaround: f32,
}

impl Default for Pursuit {
    fn default() -> Self {
        Self { weight: 200.0, evader: Target::Nobody, turnaround: 0.0 }
    }
}

impl Parameters for Pursuit {
    fields! {
        weight: WEIGHT,
        evader: CHOICE,
        turnaround: number(0.0, 100.0, "s"),
    }
}
