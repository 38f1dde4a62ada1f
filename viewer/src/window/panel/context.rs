//! What the widgets show and change.

use super::state::State;
use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::Worker;
use crate::window::history::History;
use crate::window::mouse::Mouse;
use crate::window::profiler::Profiler;

/// What the widgets show and change.
pub(crate) struct PanelContext<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) controls: &'a mut Controls,
    pub(crate) mouse: &'a mut Mouse,
    pub(crate) frame: &'a Frame,
    pub(crate) profiler: &'a Profiler,
    pub(crate) history: &'a History,
    pub(crate) worker: &'a Worker,
}
