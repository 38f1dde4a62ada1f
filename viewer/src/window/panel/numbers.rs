//! The crowd's numbers over time, as plots with axes and as a file.

use egui::Ui;
use egui_plot::{Line, Plot, PlotPoints};

use super::context::PanelContext;
use super::plots::history;
use crate::numbers::table::Row;
use crate::window::style::ACCENT;

const HEIGHT: f32 = 84.0;
/// Points of a plot, at most.
const MAX_POINTS: usize = 1_000;

/// What is plotted: a name and its value in a row.
type Curve = (&'static str, fn(&Row) -> Option<f64>);

const CURVES: [Curve; 5] = [
    ("order", |row| Some(row.measures.order)),
    ("neighbors", |row| Some(row.measures.neighbors)),
    ("speed (units/s)", |row| Some(row.measures.speed)),
    ("nearest neighbor (units)", |row| row.measures.nearest),
    ("ms per step", |row| Some(row.step_ms())),
];

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    egui::CollapsingHeader::new("over time").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(format!("{} readings", cx.history.rows().len()));
            if ui.button("write CSV").on_hover_text("F3").clicked() {
                let said = cx.history.write(&cx.frame.readings.original.name);
                cx.state.notify(said);
            }
        });
        for (name, value) in CURVES {
            ui.label(name);
            plot(ui, name, cx.history.rows(), value);
        }
        ui.weak("simulated seconds");
        for (times, what) in [(cx.profiler.steps(), "a step"), (cx.profiler.frames(), "a frame")] {
            let max = times.iter().copied().fold(1000.0 / 60.0, f32::max);
            let latest = times.last().copied().unwrap_or_default();
            history(ui, &times, max, &format!("{what}: {latest:.1} ms; top: {max:.0} ms"));
        }
    });
}

fn plot(ui: &mut Ui, name: &str, rows: &[Row], value: fn(&Row) -> Option<f64>) {
    let step = rows.len().div_ceil(MAX_POINTS).max(1);
    let points = rows.iter().step_by(step);
    let points: PlotPoints<'_> =
        points.filter_map(|row| Some([row.measures.seconds, value(row)?])).collect();
    let plot = Plot::new(name).height(HEIGHT).include_y(0.0).show_axes([true, true]);
    let still =
        plot.allow_scroll(false).allow_zoom(false).allow_drag(false).allow_boxed_zoom(false);
    still.show(ui, |plot| plot.line(Line::new(name, points).color(ACCENT)));
}
