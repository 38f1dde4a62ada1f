//! How fast time passes, where it goes, and the crowd's numbers over time.

use egui::{Color32, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use super::slider::Parameter;
use super::state::PanelContext;
use super::widgets::{key_button, still};
use crate::session::measures::Row;
use crate::window::profiler::{STAGES, STATISTICS, rate, time};
use crate::window::style::ACCENT;

const BAR: Color32 = Color32::from_rgb(86, 180, 233);

/// Of a plot.
const HEIGHT: f32 = 84.0;
/// Points of a plot, at most.
const MAX_POINTS: usize = 1_000;

/// What is plotted: a name and its value in a row.
type Curve = (&'static str, fn(&Row) -> Option<f64>);

const CURVES: [Curve; 7] = [
    ("order", |row| Some(row.measures.order)),
    ("neighbors", |row| Some(row.measures.neighbors)),
    ("most neighbors", |row| Some(row.measures.max_neighbors.into())),
    ("pairs tested per agent", |row| row.measures.pairs),
    ("speed (units/s)", |row| Some(row.measures.speed)),
    ("nearest neighbor (units)", |row| row.measures.nearest),
    ("ms per step", |row| Some(row.step_ms)),
];

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    playback(ui, cx);
    stages(ui, cx);
    plots(ui, cx);
    ui.separator();
}

fn playback(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        key_button(ui, cx, if cx.controls.paused { "resume" } else { "pause" }, "Space");
        key_button(ui, cx, "step", "Right");
        key_button(ui, cx, "keep", "F5");
        key_button(ui, cx, "back", "F9");
    });
    ui.horizontal(|ui| {
        ui.label("compare");
        let hint = "k: one crowd by cells, its copy by all pairs";
        ui.toggle_value(&mut cx.controls.panes, "two panes").on_hover_text(hint);
        key_button(ui, cx, "check", "F8");
        let hint = "time a step by cells and by all pairs, from 8 agents to this number";
        if ui.button("scaling").on_hover_text(hint).clicked() {
            cx.worker.send(|session| session.measure_scaling());
        }
    });
    let PanelContext { controls, frame, profiler, .. } = cx;
    Parameter::new("time scale", "", 0.01, 100.0).show(ui, &mut controls.time_scale, Some(1.0));
    let steps = Parameter::new("steps/s simulated", "", 1.0, 1.0e5);
    let default = frame.readings.original.steps_per_second;
    steps.show(ui, &mut controls.edits.steps_per_second, Some(default));
    let mut threads = controls.threads as u32;
    let all = std::thread::available_parallelism().ok().map(|all| all.get() as u32);
    Parameter::new("threads", "", 1.0, 1024.0).show_whole(ui, &mut threads, all);
    controls.threads = threads as usize;
    let readings = &frame.readings;
    let (frames, steps) = profiler.rates();
    let simulated = controls.time_scale * readings.achieved;
    ui.label(match readings.hash {
        Some(hash) => format!("step {}, state {hash:016x}", frame.view.step),
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
    let agents = cx.frame.view.x.len().max(1) as f32;
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
            if milliseconds > 0.0 {
                let bar = egui::ProgressBar::new(milliseconds / longest).corner_radius(2.0);
                ui.add(bar.desired_width(150.0).desired_height(10.0).fill(BAR));
            }
            ui.end_row();
        }
    });
}

fn plots(ui: &mut Ui, cx: &PanelContext<'_>) {
    egui::CollapsingHeader::new("the crowd over time").show(ui, |ui| {
        let rows = cx.profiler.measures();
        let step = rows.len().div_ceil(MAX_POINTS).max(1);
        for (name, value) in CURVES {
            let points = rows.iter().step_by(step);
            let points = points.filter_map(|row| Some([row.measures.seconds, value(row)?]));
            let latest = rows.last().and_then(value);
            ui.label(latest.map_or(name.into(), |latest| format!("{name}: {latest:.2}")));
            let plot = still(Plot::new(name).height(HEIGHT).include_y(0.0));
            let points: PlotPoints<'_> = points.collect();
            plot.show(ui, |plot| plot.line(Line::new(name, points).color(ACCENT)));
        }
        ui.weak("simulated seconds");
    });
}
