//! The same step with cells and with all pairs.

use std::time::Duration;

/// A step taken both ways.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) tick: u64,
    pub(crate) cells: StepSample,
    pub(crate) all_pairs: StepSample,
}

/// A step taken one way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepSample {
    pub(crate) time: Duration,
    /// Pairs tested per agent.
    pub(crate) pairs: f64,
    /// The state after the step.
    pub(crate) hash: u64,
}
