//! What the panel remembers from frame to frame.

use std::time::{Duration, Instant};

use egui::Color32;

/// How long a message stays.
const NOTICED: Duration = Duration::from_secs(10);
/// How long the session may take for what it was told before it is said to be busy.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// What the panel remembers.
pub(crate) struct State {
    pub(crate) open: bool,
    pub(crate) help: bool,
    /// How much of the window it hides, in pixels.
    pub(crate) width_in_pixels: f32,
    /// The number of agents while it is dragged.
    pub(super) agents: Option<usize>,
    /// The seed while it is typed.
    pub(super) seed: Option<String>,
    /// How many threads the machine has.
    pub(super) all_threads: usize,
    /// While the session has not heard all it was told: how much it has, and since when.
    unheard: Option<(u64, Instant)>,
    /// What is said at the bottom, and since when.
    pub(super) said: String,
    since: Instant,
}

impl Default for State {
    fn default() -> Self {
        Self {
            open: true,
            help: false,
            width_in_pixels: 0.0,
            agents: None,
            seed: None,
            all_threads: std::thread::available_parallelism().map_or(1, usize::from),
            unheard: None,
            said: String::new(),
            since: Instant::now(),
        }
    }
}

impl State {
    /// Says something for a while.
    pub(crate) fn notice(&mut self, message: String) {
        self.said = message;
        self.since = Instant::now();
    }

    /// Says what happened last, if anything did.
    pub(crate) fn hear(&mut self, message: &str) {
        if !message.is_empty() {
            self.notice(message.into());
        }
    }

    /// What there is to say: the trouble that has stopped the simulation, that it is busy, or
    /// what happened last.
    pub(super) fn words(
        &mut self,
        trouble: Option<&str>,
        heard: u64,
        all: bool,
    ) -> Option<(String, Color32)> {
        self.unheard = self.unheard.filter(|(before, _)| *before == heard && !all);
        if !all {
            self.unheard.get_or_insert((heard, Instant::now()));
        }
        if let Some(trouble) = trouble {
            return Some((trouble.into(), Color32::LIGHT_RED));
        }
        if self.unheard.is_some_and(|(_, since)| since.elapsed() >= PATIENCE) {
            return Some(("working on it …".into(), Color32::LIGHT_YELLOW));
        }
        let recent = self.since.elapsed() <= NOTICED && !self.said.is_empty();
        recent.then(|| (self.said.clone(), Color32::LIGHT_YELLOW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_said_again_and_nothing_new_wipes_nothing() {
        let mut state = State::default();
        let words = |state: &mut State| state.words(None, 0, true).map(|(words, _)| words);
        assert_eq!(words(&mut state), None);
        state.hear("kept");
        let long_ago = Instant::now().checked_sub(NOTICED * 2).unwrap();
        state.since = long_ago;
        assert_eq!(words(&mut state), None);
        state.hear("kept");
        state.hear("");
        assert_eq!(words(&mut state).unwrap(), "kept");
    }

    #[test]
    fn a_session_that_takes_long_is_said_to_be_busy() {
        let mut state = State::default();
        assert!(state.words(None, 7, false).is_none(), "it may be quick");
        state.unheard = Some((7, Instant::now().checked_sub(PATIENCE).unwrap()));
        assert!(state.words(None, 7, false).unwrap().0.contains("working"));
        assert_eq!(state.words(Some("broken"), 7, false).unwrap().0, "broken");
        assert!(state.words(None, 8, false).is_none(), "it hears, however much it is told");
        assert!(state.words(None, 8, true).is_none(), "it has heard all");
        assert!(state.unheard.is_none(), "the next time is another");
    }
}
