use std::time::{Duration, Instant};

use egui::Color32;

use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::Worker;
use crate::window::keys::Command;
use crate::window::profiler::Profiler;

const MESSAGE_TIME: Duration = Duration::from_secs(10);

pub(crate) struct PanelContext<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) controls: &'a mut Controls,
    pub(crate) frame: &'a Frame,
    pub(crate) profiler: &'a Profiler,
    pub(crate) worker: &'a Worker,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) hidden: bool,
    pub(crate) help: bool,
    pub(crate) quits: bool,
    pub(crate) clicked: Option<Command>,
    /// Width of the panel in pixels; 0 while it is hidden.
    pub(crate) width_in_pixels: f32,
    pub(super) scenes_are_open: bool,
    pub(super) agents: Option<usize>,
    pub(super) seed: Option<String>,
    pub(super) message: String,
    since: Option<Instant>,
}

impl State {
    pub(crate) fn notify(&mut self, message: String) {
        if !message.is_empty() {
            self.message = message;
            self.since = Some(Instant::now());
        }
    }

    pub(super) fn status(&self, failure: Option<&str>) -> Option<(String, Color32)> {
        let recent = self.since.is_some_and(|since| since.elapsed() <= MESSAGE_TIME);
        let message = recent.then(|| (self.message.clone(), Color32::LIGHT_YELLOW));
        failure.map(|failure| (failure.into(), Color32::LIGHT_RED)).or(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_can_repeat_and_empty_ones_clear_nothing() {
        let mut state = State::default();
        let words = |state: &State| state.status(None).map(|(words, _)| words);
        assert_eq!(words(&state), None);
        state.notify("kept".into());
        let long_ago = Instant::now().checked_sub(MESSAGE_TIME * 2).unwrap();
        state.since = Some(long_ago);
        assert_eq!(words(&state), None);
        state.notify("kept".into());
        state.notify("".into());
        assert_eq!(words(&state).unwrap(), "kept");
        assert_eq!(state.status(Some("broken")).unwrap().0, "broken");
    }
}
