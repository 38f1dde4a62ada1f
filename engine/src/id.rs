//! Ids of agents.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A stable name for one agent. The index may be given to a new agent after this one is
/// removed. The generation then differs, so an old id never refers to a new agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentId {
    /// Dense index, below the largest number of agents so far.
    pub index: u32,
    /// How often the index was given out before this agent.
    pub generation: u32,
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}
