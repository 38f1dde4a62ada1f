//! Everything that the widgets show and change.

use super::state::State;
use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::Runner;
use crate::window::mouse::Mouse;
use crate::window::profiler::Meter;

/// Everything that the widgets show and change.
pub(crate) struct Desk<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) controls: &'a mut Controls,
    pub(crate) mouse: &'a mut Mouse,
    pub(crate) frame: &'a Frame,
    pub(crate) meter: &'a Meter,
    pub(crate) runner: &'a Runner,
}
