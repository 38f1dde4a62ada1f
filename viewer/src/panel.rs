//! The panel: everything that can be seen of and done to a session, as widgets.

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
const WIDTH: f32 = 340.0;
const MOST_OF_WINDOW: f32 = 0.4;
const BACKGROUND: Color32 = Color32::from_rgb(20, 22, 28);

/// What the panel remembers.
pub(crate) struct State {
    pub(crate) open: bool,
    pub(crate) help: bool,
    /// How much of the window it hides, in pixels.
    pub(crate) width_in_pixels: f32,
    /// The number of agents as it is being typed.
    agents: usize,
    /// The session's latest message.
    heard: String,
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
            agents: 0,
            heard: String::new(),
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

/// The trouble that has stopped the simulation, or what happened last.
fn say(ui: &Ui, desk: &mut Desk<'_>) {
    let readings = &desk.frame.readings;
    if readings.message != desk.state.heard {
        desk.state.heard.clone_from(&readings.message);
        desk.state.notice(readings.message.clone());
    }
    let (message, color) = match &readings.trouble {
        Some(trouble) => (trouble, Color32::LIGHT_RED),
        None if desk.state.since.elapsed() > NOTICED => return,
        None => (&desk.state.said, Color32::LIGHT_YELLOW),
    };
    if message.is_empty() {
        return;
    }
    let area = egui::Area::new("message".into()).anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0]);
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).fill(BACKGROUND).show(ui, |ui| {
            let text = egui::RichText::new(message).color(color);
            ui.add(egui::Label::new(text).extend())
        })
    });
}
