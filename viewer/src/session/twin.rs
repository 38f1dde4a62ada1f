//! A second run of the same crowd beside the first, and what a frame shows of both.

use std::time::Duration;

use flockwork::Simulation;

use crate::picture::view::View;

/// The second run.
pub(super) struct Twin {
    pub(super) simulation: Simulation,
    /// The latest step's time by cells and by all pairs.
    pub(super) times: [Duration; 2],
}

/// What a frame shows of both runs.
pub(crate) struct Panes {
    /// The crowd by all pairs.
    pub(crate) view: View,
    /// The latest step's time by cells and by all pairs.
    pub(crate) times: [Duration; 2],
    /// The state by cells and by all pairs.
    pub(crate) hashes: [u64; 2],
}
