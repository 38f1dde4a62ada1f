//! Types of feelers.

use serde::{Deserialize, Serialize};

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
