//! The crowd's numbers over time.

use egui::Ui;
use egui_plot::{Line, Plot, PlotPoints};

use super::state::PanelContext;
use crate::session::measures::Row;
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
    ("ms per step", |row| Some(row.step_ms)),
];

pub(super) fn show(ui: &mut Ui, cx: &PanelContext<'_>) {
    egui::CollapsingHeader::new("over time").show(ui, |ui| {
        let rows = cx.profiler.measures();
        let step = rows.len().div_ceil(MAX_POINTS).max(1);
        for (name, value) in CURVES {
            let points = rows.iter().step_by(step);
            let points = points.filter_map(|row| Some([row.measures.seconds, value(row)?]));
            plot(ui, name, points.collect());
        }
        ui.weak("simulated seconds");
        let frames = cx.profiler.frames().into_iter().enumerate();
        plot(ui, "ms per frame", frames.map(|(k, ms)| [k as f64, ms.into()]).collect());
        ui.weak("latest frames");
    });
}

fn plot(ui: &mut Ui, name: &str, points: PlotPoints<'_>) {
    ui.label(name);
    let plot = Plot::new(name).height(HEIGHT).include_y(0.0).show_axes([true, true]);
    let still =
        plot.allow_scroll(false).allow_zoom(false).allow_drag(false).allow_boxed_zoom(false);
    still.show(ui, |plot| plot.line(Line::new(name, points).color(ACCENT)));
}
