mod scene;
mod species;
mod widgets;

use std::time::{Duration, Instant};

use egui::{Align2, Color32, Grid, Ui};

use super::answer::Profiler;
use super::keys::{Command, KEYS};
use super::{GROUND, color32};
use crate::picture::explanation::color;
use crate::session::controls::Controls;
use crate::session::frame::Frame;
use crate::session::worker::Worker;

/// Width of the panel in points.
const WIDTH: f32 = 340.0;
const MAX_SHARE_OF_WINDOW: f32 = 0.4;

pub(crate) fn show(ui: &mut Ui, cx: &mut Panel) {
    cx.state.width_in_pixels = 0.0;
    if !cx.state.hidden {
        let frame = egui::Frame::side_top_panel(ui.style()).fill(GROUND);
        // A small window limits the panel's width, and the panel then scrolls sideways.
        let width = WIDTH.min(ui.available_width() * MAX_SHARE_OF_WINDOW);
        // Uses `exact_size`: if egui remembered the width, the panel would stay narrow after
        // the window grew again.
        let panel = egui::Panel::right("panel").resizable(false).exact_size(width).frame(frame);
        let shown = panel.show(ui, |ui| {
            egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
                scene::show(ui, cx);
                species::weights(ui, cx);
                scene::time(ui, cx);
                explanation(ui, cx);
                scene::world(ui, cx);
                scene::state(ui, cx);
                widgets::fold(ui, "crowd", |ui| scene::crowd(ui, cx));
                for kind in 0..cx.controls.edits.species.len() {
                    species::show(ui, cx, kind);
                }
            });
        });
        cx.state.width_in_pixels = shown.response.rect.width() * ui.ctx().pixels_per_point();
    }
    if cx.state.help {
        help(ui);
    }
    show_work(ui, cx);
    show_status(ui, cx);
}

fn help(ui: &Ui) {
    let most = ui.ctx().content_rect().size() - egui::vec2(24.0, 60.0);
    let window = egui::Window::new("keys").anchor(Align2::CENTER_CENTER, [0.0, 0.0]);
    window.collapsible(false).resizable(false).show(ui.ctx(), |ui| {
        let scroll = egui::ScrollArea::both().max_width(most.x).max_height(most.y);
        scroll.min_scrolled_width(most.x).min_scrolled_height(most.y).show(ui, |ui| {
            Grid::new("keys").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
                for (key, _, does) in KEYS {
                    ui.strong(*key);
                    ui.label(*does);
                    ui.end_row();
                }
            });
        });
    });
}

fn show_work(ui: &Ui, cx: &Panel) {
    let Some(work) = &cx.frame.readings.work else { return };
    popup(ui, "work", Align2::LEFT_TOP, [12.0, 64.0], |ui| {
        ui.horizontal(|ui| {
            ui.label(work);
            if ui.button("cancel (Esc)").clicked() {
                cx.worker.send(|session| session.cancel());
            }
        });
    });
}

fn show_status(ui: &Ui, cx: &Panel) {
    let failure = cx.frame.readings.failure.as_deref();
    let Some((message, color)) = cx.state.status(failure) else { return };
    popup(ui, "message", Align2::LEFT_BOTTOM, [12.0, -12.0], |ui| {
        // Uses the window's width; egui would otherwise keep the previous message's width.
        ui.set_max_width(ui.ctx().content_rect().width() - 48.0);
        ui.colored_label(color, message);
    });
}

fn popup(ui: &Ui, id: &'static str, corner: Align2, at: [f32; 2], show: impl FnOnce(&mut Ui)) {
    egui::Area::new(id.into()).anchor(corner, at).show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).fill(GROUND).show(ui, show);
    });
}

const MESSAGE_TIME: Duration = Duration::from_secs(10);

pub(crate) struct Panel {
    pub(crate) state: State,
    /// The settings shown, including changes that the session has not yet applied.
    pub(crate) controls: Controls,
    pub(crate) frame: Box<Frame>,
    pub(crate) profiler: Profiler,
    pub(crate) worker: Worker,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) hidden: bool,
    pub(crate) help: bool,
    /// True while the legend is unfolded.
    pub(crate) legend: bool,
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

    /// Discards the error on an earlier entry.
    pub(super) fn accept_entry(&mut self) {
        self.since = None;
    }

    pub(super) fn status(&self, failure: Option<&str>) -> Option<(String, Color32)> {
        let recent = self.since.is_some_and(|since| since.elapsed() <= MESSAGE_TIME);
        let message = recent.then(|| (self.message.clone(), Color32::LIGHT_YELLOW));
        failure.map(|failure| (failure.into(), Color32::LIGHT_RED)).or(message)
    }
}

fn explanation(ui: &mut Ui, cx: &Panel) {
    let Some(first) = cx.frame.view.explained.first() else {
        ui.label(egui::RichText::new("click an agent to explain it").weak());
        ui.separator();
        return;
    };
    ui.label(first.summary());
    Grid::new("forces").num_columns(2).striped(true).show(ui, |ui| {
        for (number, behavior, force) in first.reasons() {
            ui.colored_label(color32(color(number).1.color.map(f32::from)), behavior);
            ui.label(force);
            ui.end_row();
        }
    });
    ui.separator();
}

#[cfg(test)]
mod tests {
    use flockwork::Scene;

    use super::*;
    use crate::session::Session;
    use crate::session::worker::Worker;
    use crate::window::answer::Profiler;

    #[test]
    fn showing_the_panel_changes_nothing() {
        for name in Scene::names() {
            let (worker, frame) = Worker::start(Session::named(name), || ()).unwrap();
            let (state, controls) = (State::default(), frame.controls.clone());
            let mut cx = Panel { state, controls, frame, profiler: Profiler::default(), worker };
            (cx.controls.edits.non_penetration, cx.controls.threads) = (64, 1024);
            (cx.controls.time_scale, cx.controls.edits.heading_samples) = (0.012_345, Some(100));
            let before = cx.controls.clone();
            let context = egui::Context::default();
            let size = egui::vec2(1_000.0, 20_000.0);
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
            for _ in 0..3 {
                let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
                let _ = context.run_ui(input, |ui| show(ui, &mut cx));
            }
            assert!(cx.controls == before, "{name}");
        }
    }

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
