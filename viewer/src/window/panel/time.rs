//! How fast time passes, and where it goes.

use egui::{Color32, Ui};

use super::numbers;
use super::slider::ParameterSlider;
use super::state::PanelContext;
use crate::window::profiler::{STAGES, STATISTICS, rate, time};

const BAR: Color32 = Color32::from_rgb(86, 180, 233);

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    playback(ui, cx);
    stages(ui, cx);
    census(ui, cx);
    numbers::show(ui, cx);
    ui.separator();
}

fn playback(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let PanelContext { state, controls, frame, profiler, worker, .. } = cx;
    ui.horizontal(|ui| {
        if ui.button(if controls.paused { "resume" } else { "pause" }).clicked() {
            controls.paused = !controls.paused;
        }
        if ui.button("step").clicked() {
            controls.paused = true;
            worker.send(|session| session.step_once());
        }
        if ui.button("keep").on_hover_text("F5").clicked() {
            worker.send(|session| session.save_checkpoint());
        }
        if ui.button("back").on_hover_text("F9").clicked() {
            worker.send(|session| session.restore_checkpoint());
        }
    });
    ui.horizontal(|ui| {
        ui.label("compare");
        let hint = "K: one crowd by cells, its copy by all pairs";
        ui.toggle_value(&mut controls.panes, "two panes").on_hover_text(hint);
        if ui.button("check").on_hover_text("F8: check determinism").clicked() {
            worker.send(|session| session.check_determinism());
        }
        let hint = "time a step by cells and by all pairs, from 8 agents to this number";
        if ui.button("scaling").on_hover_text(hint).clicked() {
            worker.send(|session| session.measure_scaling());
        }
    });
    let slider = |label, min, max, default| ParameterSlider {
        label,
        unit: "",
        min,
        max,
        default: Some(default),
    };
    slider("time scale", 0.01, 100.0, 1.0).show(ui, &mut controls.time_scale);
    let default = frame.readings.original.steps_per_second;
    let steps = slider("steps/s simulated", 1.0, 1.0e5, default);
    steps.show(ui, &mut controls.steps_per_second);
    let mut threads = controls.threads as u32;
    slider("threads", 1.0, 1024.0, state.all_threads as f32).show_whole(ui, &mut threads);
    controls.threads = threads as usize;
    let readings = &frame.readings;
    let (frames, steps) = profiler.rates();
    let simulated = controls.time_scale * readings.achieved;
    ui.label(match readings.hash {
        Some(hash) => format!("step {}, state {hash:016x}", readings.tick),
        None => {
            let (steps, frames) = (rate(steps), rate(frames));
            format!("{simulated:.2}× real time, {steps} steps/s, {frames} frames/s")
        }
    });
    if let Some(check) = &readings.check {
        ui.label(check);
    }
}

fn stages(ui: &mut Ui, cx: &PanelContext<'_>) {
    let medians = cx.profiler.medians();
    let step = cx.profiler.step();
    let agents = cx.frame.readings.agents.max(1) as f32;
    ui.label(match step > 0.0 {
        true => format!("{step:.2} ms per step, {:.1} ns per agent", step * 1.0e6 / agents),
        false => "no step of this crowd yet".into(),
    });
    let statistics = cx.frame.readings.statistics.took.as_secs_f32() * 1.0e3;
    let rows = STAGES.into_iter().zip(medians).chain([(STATISTICS, statistics)]);
    let longest = medians.iter().copied().fold(statistics.max(1.0), f32::max);
    egui::Grid::new("stages").num_columns(3).spacing([8.0, 2.0]).show(ui, |ui| {
        for ((name, is), milliseconds) in rows {
            ui.label(name).on_hover_text(is);
            ui.label(time(milliseconds));
            if milliseconds == 0.0 {
                ui.end_row();
                continue;
            }
            let bar = egui::ProgressBar::new(milliseconds / longest).corner_radius(2.0);
            ui.add(bar.desired_width(150.0).desired_height(10.0).fill(BAR));
            ui.end_row();
        }
    });
}

fn census(ui: &mut Ui, cx: &PanelContext<'_>) {
    let measures = &cx.frame.readings.statistics.measures;
    let pairs = measures.pairs.map(|pairs| format!("; {pairs:.0} pairs tested per agent"));
    ui.label(format!(
        "{:.1} neighbors, at most {}{}",
        measures.neighbors,
        measures.max_neighbors,
        pairs.unwrap_or_default()
    ));
    let nearest = measures.nearest.map(|nearest| format!(", nearest {nearest:.1} units"));
    ui.label(format!(
        "order {:.2}, {:.0} units/s{}",
        measures.order,
        measures.speed,
        nearest.unwrap_or_default()
    ));
}
