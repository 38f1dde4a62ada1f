//! Everything that the widgets show and change.

use super::state::State;
use crate::controls::Controls;
use crate::frame::Frame;
use crate::meter::Meter;
use crate::mouse::Mouse;
use crate::runner::Runner;

/// Everything that the widgets show and change.
pub(crate) struct Desk<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) controls: &'a mut Controls,
    pub(crate) mouse: &'a mut Mouse,
    pub(crate) frame: &'a Frame,
    pub(crate) meter: &'a Meter,
    pub(crate) runner: &'a Runner,
}
