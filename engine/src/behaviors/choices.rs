//! Parameters that are a choice among names.

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

/// The type of feelers with which an agent detects walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feelers {
    /// One straight ahead, and one half as long at 45° to either side.
    #[default]
    Three,
    /// One that sweeps from side to side.
    Sweeping,
}
