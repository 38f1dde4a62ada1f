//! What the session's thread sends to the window for each picture.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flockwork::{Scene, StageTimes};

use super::comparison::Comparison;
use super::controls::Controls;
use super::forward::Forward;
use super::statistics::Statistics;
use super::twin::Panes;
use crate::numbers::table::Row;
use crate::picture::view::View;

/// Everything to show. Frames travel back and forth between the two threads to reuse their memory.
pub(crate) struct Frame {
    pub(crate) view: View,
    /// The session's settings.
    pub(crate) controls: Controls,
    pub(crate) readings: Readings,
    /// Stage times of the steps since the previous frame.
    pub(crate) step_times: Vec<StageTimes>,
    /// Readings since the previous frame.
    pub(crate) rows: Vec<Row>,
    /// Both runs, if there are two.
    pub(crate) panes: Option<Panes>,
    /// How long it took to fill this frame.
    pub(crate) capture_time: Duration,
    /// How many commands had been applied.
    pub(crate) commands_applied: u64,
}

/// Read-only state of a session.
#[derive(Clone)]
pub(crate) struct Readings {
    /// The scene as it was loaded.
    pub(crate) original: Arc<Scene>,
    /// How many other scenes were opened: the camera fits each new one.
    pub(crate) scenes_opened: u32,
    pub(crate) seed: u64,
    pub(crate) agents: usize,
    pub(crate) tick: u64,
    /// Where the scene's named points are.
    pub(crate) points: BTreeMap<String, [f32; 2]>,
    /// The state's hash, while time is stopped.
    pub(crate) hash: Option<u64>,
    /// The fraction of the time scale that is achieved.
    pub(crate) achieved: f32,
    pub(crate) statistics: Statistics,
    /// How far it is forwarding.
    pub(crate) forward: Option<Forward>,
    pub(crate) comparison: Option<Comparison>,
    /// Whether there are edits that are not saved.
    pub(crate) unsaved: bool,
    /// Why the simulation cannot go on.
    pub(crate) failure: Option<String>,
    /// What has happened since the previous frame.
    pub(crate) message: String,
}
