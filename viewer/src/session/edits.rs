//! What can be undone.

use std::collections::BTreeMap;
use std::time::Instant;

use flockwork::{AgentId, Scene};

use super::controls::Controls;

/// The edits of a crowd, oldest first.
#[derive(Default)]
pub(super) struct Edits {
    pub(super) edits: Vec<Edit>,
    /// When the latest one was made.
    pub(super) latest: Option<Instant>,
    /// Whether any was made since the scene was opened or saved.
    pub(super) unsaved: bool,
}

/// An edit, as what was there before.
pub(super) struct Edit {
    pub(super) what: &'static str,
    pub(super) controls: Controls,
    /// The obstacles and walls.
    pub(super) scenery: Scene,
    pub(super) points: BTreeMap<String, [f32; 2]>,
    pub(super) added: Vec<AgentId>,
    pub(super) removed: Vec<RemovedAgent>,
}

pub(super) struct RemovedAgent {
    pub(super) id: AgentId,
    pub(super) species: String,
    pub(super) position: [f32; 2],
    pub(super) heading: [f32; 2],
}

impl Edits {
    /// Forgets the agents: the crowd has started anew.
    pub(super) fn forget_agents(&mut self) {
        for edit in &mut self.edits {
            edit.added.clear();
            edit.removed.clear();
        }
    }

    pub(super) fn latest(&mut self) -> Option<&mut Edit> {
        self.edits.last_mut()
    }
}
