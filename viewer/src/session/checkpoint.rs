//! A state to return to.

use std::sync::Arc;

use flockwork::{Scene, Snapshot};

use super::controls::Controls;

/// A state, and what belongs to it but not to the simulation.
pub(super) struct Kept {
    pub(super) snapshot: Snapshot,
    pub(super) controls: Controls,
    pub(super) original: Arc<Scene>,
    pub(super) scenery: Scene,
}
