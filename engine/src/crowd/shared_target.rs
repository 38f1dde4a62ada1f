//! Targets that whole species share.

use crate::behaviors::target::Target;
use crate::crowd::pose::Pose;
use crate::id::AgentId;

/// A target that a whole species shares, as of the present step.
#[derive(Clone, Debug)]
pub(crate) struct SharedTarget {
    pub(crate) target: Target,
    /// The agent that it is, unless it is a point.
    pub(crate) id: Option<AgentId>,
    /// Where that agent is in the state's columns, if known.
    pub(crate) slot: Option<usize>,
    /// Absent once the agent is removed.
    pub(crate) pose: Option<Pose<f32>>,
}
