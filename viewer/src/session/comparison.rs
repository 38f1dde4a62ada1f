//! A step with cells beside the same step with all pairs.

use std::time::Duration;

/// A step taken both ways.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) tick: u64,
    pub(crate) cells: Sample,
    pub(crate) all_pairs: Sample,
}

/// A step taken one way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) time: Duration,
    /// Pairs tested per agent.
    pub(crate) pairs: f64,
    /// The state after it.
    pub(crate) hash: u64,
}
