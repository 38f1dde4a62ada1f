//! The panel: a session's readings and settings, as widgets.

pub(crate) mod context;
mod explanation;
mod help;
mod numbers;
mod plots;
mod question;
mod scene;
mod scene_list;
mod slider;
mod species;
mod start;
pub(crate) mod state;
mod targets;
mod time;
mod weights;
mod widgets;
mod world;

use egui::Ui;

use context::PanelContext;
use state::BUSY_AFTER;

use super::style::GROUND;

const WIDTH: f32 = 340.0;
const MAX_SHARE_OF_WINDOW: f32 = 0.4;

/// Builds all widgets.
pub(crate) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    cx.state.width_in_pixels = 0.0;
    if cx.state.open {
        let frame = egui::Frame::side_top_panel(ui.style()).fill(GROUND);
        // A small window limits the panel's width, and the panel then also scrolls sideways.
        let width = WIDTH.min(ui.available_width() * MAX_SHARE_OF_WINDOW);
        // A width that egui remembers would stay narrow when the window grows again.
        let panel = egui::Panel::right("panel").resizable(false).exact_size(width).frame(frame);
        let shown = panel.show(ui, |ui| {
            egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
                scene::show(ui, cx);
                weights::show(ui, cx);
                time::show(ui, cx);
                explanation::show(ui, cx);
                world::show(ui, cx);
                targets::points(ui, cx);
                for kind in 0..cx.controls.species.len() {
                    species::show(ui, cx, kind);
                }
            });
        });
        cx.state.width_in_pixels = shown.response.rect.width() * ui.ctx().pixels_per_point();
    }
    if cx.state.help {
        help::show(ui);
    }
    question::show(ui, cx);
    show_forward(ui, cx);
    show_status(ui, cx);
}

/// How far fast-forwarding is.
fn show_forward(ui: &Ui, cx: &PanelContext<'_>) {
    let Some(forward) = cx.frame.readings.forward else { return };
    let area = egui::Area::new("forward".into()).anchor(egui::Align2::LEFT_TOP, [12.0, 48.0]);
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).fill(GROUND).show(ui, |ui| {
            let (tick, all) = (cx.frame.readings.tick, forward.to - forward.from);
            let done = tick.saturating_sub(forward.from) as f32 / all.max(1) as f32;
            let words = format!("step {tick} of {}", forward.to);
            ui.add(egui::ProgressBar::new(done).desired_width(260.0).text(words));
        })
    });
}

fn show_status(ui: &Ui, cx: &mut PanelContext<'_>) {
    let current = cx.worker.is_current(cx.frame);
    if !current {
        ui.ctx().request_repaint_after(BUSY_AFTER);
    }
    let failure = cx.frame.readings.failure.as_deref();
    let Some((message, color)) = cx.state.status(failure, cx.frame.commands_applied, current)
    else {
        return;
    };
    let area = egui::Area::new("message".into()).anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0]);
    let max = ui.ctx().content_rect().width() - 48.0;
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).fill(GROUND).show(ui, |ui| {
            // As wide as the window, not as the previous message.
            ui.set_max_width(max);
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
    use crate::session::worker::Worker;
    use crate::window::history::History;
    use crate::window::mouse::Mouse;
    use crate::window::profiler::Profiler;

    #[test]
    fn showing_the_panel_changes_nothing() {
        for name in Scene::names() {
            let (worker, frame) = Worker::start(Session::named(name), || ());
            let (mut state, mut mouse) = (State::default(), Mouse::default());
            let mut controls = frame.controls.clone();
            // Allowed values beyond the ends of the sliders.
            (controls.non_penetration, controls.threads) = (64, 1024);
            (controls.time_scale, controls.heading_samples) = (0.012_345, Some(100));
            let before = controls.clone();
            let context = egui::Context::default();
            let size = egui::vec2(1_000.0, 20_000.0);
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
            for _ in 0..3 {
                let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
                let _ = context.run_ui(input, |ui| {
                    let mut cx = PanelContext {
                        state: &mut state,
                        controls: &mut controls,
                        mouse: &mut mouse,
                        frame: &frame,
                        profiler: &Profiler::default(),
                        history: &History::default(),
                        worker: &worker,
                    };
                    show(ui, &mut cx);
                });
            }
            assert!(controls == before, "{name}");
        }
    }
}
