use std::fmt;

use serde::{Deserialize, Serialize};

/// Stable identifier of an agent. After the agent is removed, a new agent may reuse the index
/// with another generation, so an old id never refers to a new agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentId {
    /// Dense index, always less than the peak number of agents in the crowd.
    pub index: u32,
    /// Number of earlier agents that had this index.
    pub generation: u32,
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}
