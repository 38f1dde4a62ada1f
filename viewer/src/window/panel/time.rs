//! How fast time passes, and how long each stage of a step and a frame takes.

use egui::{Color32, Ui};

use super::slider::Parameter;
use super::state::PanelContext;
use super::widgets::{UNFOLDED, key_button};
use crate::window::profiler::{STAGES, rate, time};

const BAR: Color32 = Color32::from_rgb(86, 180, 233);

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    playback(ui, cx);
    let step = cx.profiler.step();
    let agents = cx.frame.view.x.len().max(1) as f32;
    let took = match step > 0.0 {
        true => format!("{step:.2} ms per step, {:.1} ns per agent", step * 1.0e6 / agents),
        false => "no step of this crowd yet".into(),
    };
    let header = egui::CollapsingHeader::new(took).id_salt("stages").default_open(UNFOLDED);
    header.show(ui, |ui| stages(ui, cx));
    ui.separator();
}

fn playback(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        key_button(ui, cx, if cx.controls.paused { "resume" } else { "pause" }, "Space");
        key_button(ui, cx, "step", "Right");
        key_button(ui, cx, "keep", "F5");
        key_button(ui, cx, "back", "F9");
        let hint = "time a step by cells and by all pairs, from 8 agents to this number";
        if ui.button("scaling").on_hover_text(hint).clicked() {
            cx.worker.send(|session| session.measure_scaling());
        }
    });
    let PanelContext { controls, frame, profiler, .. } = cx;
    Parameter::new("time scale", "", 0.01, 100.0).show(ui, &mut controls.time_scale, Some(1.0));
    let readings = &frame.readings;
    let (frames, steps) = profiler.rates();
    ui.label(match readings.hash {
        Some(hash) => format!("step {}, state {hash:016x}", frame.view.step),
        None => {
            // Both are the same measurement.
            let times = steps / controls.edits.steps_per_second;
            format!("{times:.2}× real time, {} steps/s, {} frames/s", rate(steps), rate(frames))
        }
    });
}

/// The median time of each stage, with a bar.
fn stages(ui: &mut Ui, cx: &PanelContext<'_>) {
    let medians = cx.profiler.medians();
    let longest = medians.iter().copied().fold(1.0, f32::max);
    egui::Grid::new("stages").num_columns(3).spacing([8.0, 2.0]).show(ui, |ui| {
        for ((name, is), milliseconds) in STAGES.into_iter().zip(medians) {
            ui.label(name).on_hover_text(is);
            ui.label(time(milliseconds));
            if milliseconds > 0.0 {
                let bar = egui::ProgressBar::new(milliseconds / longest).corner_radius(2.0);
                ui.add(bar.desired_width(150.0).desired_height(10.0).fill(BAR));
            }
            ui.end_row();
        }
    });
}
