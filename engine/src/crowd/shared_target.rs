//! Shared targets: those of whole species.

use crate::behaviors::target::Target;
use crate::crowd::pose::Pose;
use crate::id::AgentId;

/// A target that a whole species shares, as of the current step.
#[derive(Clone, Debug)]
pub(crate) struct SharedTarget {
    pub(crate) target: Target,
    /// The agent's id, unless the target is a point.
    pub(crate) id: Option<AgentId>,
    /// The agent's slot in the state's columns, if known.
    pub(crate) slot: Option<usize>,
    /// Absent once the agent is removed.
    pub(crate) pose: Option<Pose<f32>>,
}
