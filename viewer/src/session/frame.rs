use std::sync::Arc;

use flockwork::Scene;

use super::comparison::Comparison;
use super::controls::Controls;
use crate::picture::view::View;

/// Everything the window shows. The window returns each frame to the session, which reuses
/// its memory.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) view: View,
    pub(crate) controls: Controls,
    pub(crate) readings: Readings,
    /// Duration of each step since the previous frame, in milliseconds.
    pub(crate) step_times: Vec<f32>,
    pub(crate) commands_applied: u64,
}

#[derive(Clone, Default)]
pub(crate) struct Readings {
    /// The scene as it was opened. The camera is refitted to each new scene.
    pub(crate) original: Arc<Scene>,
    /// Incremented when the crowd size, thread count or partition changes: old timings are stale.
    pub(crate) setups: u32,
    pub(crate) seed: u64,
    /// Hash of the simulation state; `None` unless the simulation is paused or has failed.
    pub(crate) hash: Option<u64>,
    pub(crate) work: Option<String>,
    pub(crate) comparison: Option<Comparison>,
    pub(crate) failure: Option<String>,
    pub(crate) message: String,
}
