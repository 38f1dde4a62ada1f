//! The panel: everything that can be seen of and done to a session, as widgets.

mod aims;
mod explanation;
mod help;
mod knob;
mod plots;
mod scene;
mod species;
mod time;
mod world;

use std::time::{Duration, Instant};

use egui::{Color32, Ui};

use crate::controls::Controls;
use crate::frame::Frame;
use crate::meter::Meter;
use crate::mouse::Mouse;
use crate::runner::Runner;

/// How long a message stays.
const NOTICED: Duration = Duration::from_secs(10);
/// How long the session may take for what it was told before it is said to be busy.
const PATIENCE: Duration = Duration::from_millis(500);
const WIDTH: f32 = 340.0;
const MOST_OF_WINDOW: f32 = 0.4;
const BACKGROUND: Color32 = Color32::from_rgb(20, 22, 28);

/// What the panel remembers.
pub(crate) struct State {
    pub(crate) open: bool,
    pub(crate) help: bool,
    /// How much of the window it hides, in pixels.
    pub(crate) width_in_pixels: f32,
    /// The number of agents while it is dragged.
    agents: Option<usize>,
    /// The seed while it is typed.
    seed: Option<String>,
    /// How many threads the machine has.
    all_threads: usize,
    /// While the session has not heard all it was told: how much it has, and since when.
    unheard: Option<(u64, Instant)>,
    /// What is said at the bottom, and since when.
    said: String,
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
    fn words(&mut self, trouble: Option<&str>, heard: u64, all: bool) -> Option<(String, Color32)> {
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

/// Everything that the widgets show and change.
pub(crate) struct Desk<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) controls: &'a mut Controls,
    pub(crate) mouse: &'a mut Mouse,
    pub(crate) frame: &'a Frame,
    pub(crate) meter: &'a Meter,
    pub(crate) runner: &'a Runner,
}

/// Builds all widgets.
pub(crate) fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    desk.state.width_in_pixels = 0.0;
    if desk.state.open {
        let frame = egui::Frame::side_top_panel(ui.style()).fill(BACKGROUND);
        // In a small window the crowd keeps its place, and the panel scrolls sideways as well.
        let most = ui.available_width() * MOST_OF_WINDOW;
        let panel = egui::Panel::right("panel").default_size(WIDTH).max_size(most).frame(frame);
        let shown = panel.show(ui, |ui| {
            egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
                scene::show(ui, desk);
                time::show(ui, desk);
                explanation::show(ui, desk);
                world::show(ui, desk);
                aims::points(ui, desk);
                for kind in 0..desk.controls.species.len() {
                    species::show(ui, desk, kind);
                }
            });
        });
        desk.state.width_in_pixels = shown.response.rect.width() * ui.ctx().pixels_per_point();
    }
    if desk.state.help {
        help::show(ui);
    }
    say(ui, desk);
}

fn say(ui: &Ui, desk: &mut Desk<'_>) {
    let heard = desk.runner.is_heard(desk.frame);
    if !heard {
        ui.ctx().request_repaint_after(PATIENCE);
    }
    let trouble = desk.frame.readings.trouble.as_deref();
    let Some((message, color)) = desk.state.words(trouble, desk.frame.heard, heard) else { return };
    let area = egui::Area::new("message".into()).anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0]);
    let most = ui.ctx().content_rect().width() - 48.0;
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).fill(BACKGROUND).show(ui, |ui| {
            // As wide as the window, not as the message before.
            ui.set_max_width(most);
            ui.label(egui::RichText::new(message).color(color));
        })
    });
}

#[cfg(test)]
mod tests {
    use flockwork::Scene;

    use super::*;
    use crate::session::Session;

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

    #[test]
    fn to_look_at_the_panel_changes_nothing() {
        for name in Scene::names() {
            let (runner, frame) = Runner::start(Session::named(name), || ());
            let (mut state, mut mouse) = (State::default(), Mouse::default());
            let mut controls = frame.controls.clone();
            // Allowed, and beyond where sliders end.
            (controls.non_penetration, controls.threads) = (64, 1024);
            (controls.time_scale, controls.heading_samples) = (0.012_345, Some(100));
            let before = controls.clone();
            let context = egui::Context::default();
            let size = egui::vec2(1_000.0, 20_000.0);
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
            for _ in 0..3 {
                let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
                let _ = context.run_ui(input, |ui| {
                    let mut desk = Desk {
                        state: &mut state,
                        controls: &mut controls,
                        mouse: &mut mouse,
                        frame: &frame,
                        meter: &Meter::default(),
                        runner: &runner,
                    };
                    show(ui, &mut desk);
                });
            }
            assert!(controls == before, "{name}");
        }
    }
}
