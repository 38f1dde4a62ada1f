//! The panel: everything that can be seen of and done to a session, as widgets.

pub(crate) mod context;
mod explanation;
mod help;
mod plots;
mod scene;
mod slider;
mod species;
pub(crate) mod state;
mod targets;
mod time;
mod world;

use egui::{Color32, Ui};

use context::Desk;
use state::PATIENCE;

const WIDTH: f32 = 340.0;
const MOST_OF_WINDOW: f32 = 0.4;
const BACKGROUND: Color32 = Color32::from_rgb(20, 22, 28);

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
                targets::points(ui, desk);
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

    use super::state::State;
    use super::*;
    use crate::session::Session;
    use crate::session::worker::Runner;
    use crate::window::mouse::Mouse;
    use crate::window::profiler::Meter;

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
