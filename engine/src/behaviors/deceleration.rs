//! How gently agents brake.

use serde::{Deserialize, Serialize};

/// How gently an agent brakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deceleration {
    /// Brakes late.
    Fast,
    /// In between.
    #[default]
    Normal,
    /// Brakes early.
    Slow,
}

/// Seconds over which the remaining distance is spread at deceleration 1
/// (Buckland's `DecelerationTweaker`).
const SECONDS_PER_DECELERATION: f32 = 0.3;

impl Deceleration {
    /// 1 / the time, in seconds, in which the remaining distance would be covered.
    pub(crate) fn rate(self) -> f32 {
        let steps = match self {
            Self::Fast => 1.0,
            Self::Normal => 2.0,
            Self::Slow => 3.0,
        };
        1.0 / (steps * SECONDS_PER_DECELERATION)
    }
}
