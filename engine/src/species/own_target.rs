//! Which target of its own each agent starts with.

use serde::{Deserialize, Serialize};

/// Which agent each agent of a species has as its own target at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTarget {
    /// The agent before it in its species; the first has none. Makes a single file.
    Previous,
    /// The same, but the first has the first agent of the named species.
    SingleFile(String),
    /// The agent of the same number in the named species, counted again from 0 if that has
    /// fewer.
    EachOf(String),
}
