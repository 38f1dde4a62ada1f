//! How long the stages of a step take.

use std::time::Duration;

/// How long the stages of the last step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Sorting the crowd into cells.
    pub sort: Duration,
    /// Steering and moving every agent.
    pub steer: Duration,
    /// Pushing overlapping agents apart.
    pub non_penetration: Duration,
    /// Smoothing headings.
    pub smooth: Duration,
}
