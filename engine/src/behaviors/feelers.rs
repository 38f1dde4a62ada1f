//! What agents feel walls with.

use serde::{Deserialize, Serialize};

/// What an agent feels walls with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feelers {
    /// One ahead, and one of half its length 45° to either side.
    #[default]
    Three,
    /// One that sweeps from side to side.
    Sweeping,
}
