//! How early agents brake for their target.

use serde::{Deserialize, Serialize};

/// How early an agent brakes for its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deceleration {
    /// Brakes late.
    Fast,
    /// Between the two.
    #[default]
    Normal,
    /// Brakes early.
    Slow,
}

/// The time, in seconds, to cover the remaining distance at deceleration 1
/// (Buckland's `DecelerationTweaker`).
const SECONDS_PER_DECELERATION: f32 = 0.3;

impl Deceleration {
    /// 1 / the time, in seconds, to cover the remaining distance.
    pub(crate) fn rate(self) -> f32 {
        let steps = match self {
            Self::Fast => 1.0,
            Self::Normal => 2.0,
            Self::Slow => 3.0,
        };
        1.0 / (steps * SECONDS_PER_DECELERATION)
    }
}
