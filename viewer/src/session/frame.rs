//! What the session's thread sends to the window for each picture.

use std::sync::Arc;

use flockwork::Scene;

use super::comparison::Comparison;
use super::controls::Controls;
use super::scaling::Scaling;
use crate::picture::view::View;

/// Everything to show. Frames travel back and forth between the two threads to reuse their memory.
pub(crate) struct Frame {
    pub(crate) view: View,
    /// The session's settings.
    pub(crate) controls: Controls,
    pub(crate) readings: Readings,
    /// Milliseconds of each step since the previous frame.
    pub(crate) step_times: Vec<f32>,
    /// How many commands had been applied.
    pub(crate) commands_applied: u64,
}

/// Read-only state of a session.
#[derive(Clone, Default)]
pub(crate) struct Readings {
    /// The scene as it was loaded.
    pub(crate) original: Arc<Scene>,
    /// How many other scenes were opened: the camera fits each new one.
    pub(crate) scenes_opened: u32,
    /// Counts what was measured before: what was read of one setup says nothing about the next.
    pub(crate) setups: u32,
    pub(crate) seed: u64,
    /// The state's hash, while time is stopped.
    pub(crate) hash: Option<u64>,
    /// What takes long and can be canceled, if anything does.
    pub(crate) work: Option<String>,
    pub(crate) scaling: Option<Scaling>,
    /// What a step would take with the other method, once it is known.
    pub(crate) comparison: Option<Comparison>,
    /// Why the simulation cannot go on.
    pub(crate) failure: Option<String>,
    /// What has happened since the previous frame.
    pub(crate) message: String,
}

impl Readings {
    pub(super) fn of(scene: Scene) -> Self {
        Self { original: Arc::new(scene), ..Self::default() }
    }
}
