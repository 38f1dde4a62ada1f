//! The own targets that agents start with.

use serde::{Deserialize, Serialize};

/// Each agent's own target at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTarget {
    /// The previous agent of its species; the first has none. Forms a single file.
    Previous,
    /// The same, but the first agent targets the first agent of the named species.
    SingleFile(String),
    /// The agent with the same number in the named species, modulo that species' size.
    EachOf(String),
}
