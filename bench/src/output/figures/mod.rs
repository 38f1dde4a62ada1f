//! The charts of the page: the rows, title and caption of each.

use crate::experiments::scenes::CLUSTERED;
use crate::experiments::{CELL_SIZE, DENSITY, LEVELS, NEIGHBOR_COUNT};
use crate::output::chart::Chart;
use crate::results::report::Report;

mod comparisons;
mod curves;
mod series;

/// All charts for which the report has rows.
pub(crate) fn all(report: &Report) -> Vec<Chart> {
    let over = |experiment, title, quantity| curves::over(report, experiment, title, quantity);
    let times = |experiment, title| comparisons::times(report, experiment, title);
    let charts = [
        curves::step(report),
        curves::per_agent(report),
        curves::reached(report),
        comparisons::ladder(report),
        comparisons::threads(report),
        times(LEVELS, "Instruction sets and lane widths"),
        over(DENSITY, "Time per agent over density", "neighbors on average"),
        over(CELL_SIZE, "Time per agent over cell size", "cell height in view distances"),
        times(CLUSTERED, "Uniform and clustered crowds"),
        curves::stages(report),
        comparisons::kernels(report),
        comparisons::heavy(report),
        times(NEIGHBOR_COUNT, "Neighbor search in other crates"),
    ];
    charts.into_iter().filter(Chart::has_series).collect()
}
