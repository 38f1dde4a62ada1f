//! A state to return to.

use std::sync::Arc;

use flockwork::{Scene, Snapshot};

use super::controls::Controls;

/// A simulation's state, and the session's state that belongs to it.
pub(super) struct Checkpoint {
    pub(super) snapshot: Snapshot,
    pub(super) controls: Controls,
    pub(super) original: Arc<Scene>,
    pub(super) scenery: Scene,
}
