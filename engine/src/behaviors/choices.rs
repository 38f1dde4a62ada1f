use serde::{Deserialize, Serialize};

/// How early an agent brakes for its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deceleration {
    /// Starts braking close to the target.
    Fast,
    /// Starts braking at twice the distance of `Fast`.
    #[default]
    Normal,
    /// Starts braking at three times the distance of `Fast`.
    Slow,
}

/// Arrangement of the feelers that detect walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feelers {
    /// One feeler straight ahead, and one half as long at 45° to each side.
    #[default]
    Three,
    /// A single feeler that sweeps from side to side.
    Sweeping,
}
