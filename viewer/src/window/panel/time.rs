use egui::Ui;

use super::slider::Parameter;
use super::state::PanelContext;
use super::widgets::key_button;
use crate::window::profiler::rate;

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        key_button(ui, cx, if cx.controls.paused { "resume" } else { "pause" }, "Space");
        key_button(ui, cx, "step", "Right");
        key_button(ui, cx, "keep", "F5");
        key_button(ui, cx, "back", "F9");
        let hint = "time steps with cells and with all pairs, from 8 agents to the current number";
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
            // Computed from the step rate, so that the two numbers always agree.
            let times = steps / controls.edits.steps_per_second;
            format!("{times:.2}× real time, {} steps/s, {} frames/s", rate(steps), rate(frames))
        }
    });
    ui.separator();
}
