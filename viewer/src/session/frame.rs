//! A picture's worth of a session: what its thread sends to the window.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flockwork::{Scene, StageTimes};

use super::comparison::Comparison;
use super::controls::Controls;
use super::statistics::Survey;
use crate::picture::view::View;

/// Everything to see. Frames go back and forth between the two threads, for their memory.
pub(crate) struct Frame {
    pub(crate) view: View,
    /// What the session is set to.
    pub(crate) controls: Controls,
    pub(crate) readings: Readings,
    /// How long the stages of each step took that was taken since the frame before.
    pub(crate) taken: Vec<StageTimes>,
    /// How long it took to fill it.
    pub(crate) look: Duration,
    /// How many orders had been carried out.
    pub(crate) heard: u64,
}

/// What can be read off a session, but not set.
#[derive(Clone)]
pub(crate) struct Readings {
    /// The scene as it was loaded.
    pub(crate) original: Arc<Scene>,
    /// How many other scenes were opened: the camera shows all of a new one.
    pub(crate) scenes: u32,
    pub(crate) seed: u64,
    pub(crate) agents: usize,
    pub(crate) tick: u64,
    /// Where the scene's named points are.
    pub(crate) points: BTreeMap<String, [f32; 2]>,
    /// The state's hash, while it rests.
    pub(crate) hash: Option<u64>,
    /// What fraction of the time scale is reached.
    pub(crate) reached: f32,
    pub(crate) survey: Survey,
    pub(crate) comparison: Option<Comparison>,
    /// Why the simulation cannot go on.
    pub(crate) trouble: Option<String>,
    /// What has happened since the frame before.
    pub(crate) message: String,
}
