//! The charts of the page: the rows, title and caption of each.

use crate::output::chart::Chart;
use crate::results::report::Report;

mod comparisons;
mod over_agents;
mod series;
mod sweeps;

pub(crate) use comparisons::{kernel_pairs, rungs};
pub(crate) use over_agents::{SMALL, bottleneck};

/// All charts for which the report has rows.
pub(crate) fn all(report: &Report) -> Vec<Chart> {
    let charts = [
        over_agents::step(report),
        over_agents::per_agent(report),
        over_agents::small_crowds(report),
        over_agents::reached(report),
        comparisons::ladder(report),
        sweeps::threads(report),
        comparisons::levels(report),
        sweeps::density(report),
        sweeps::cell_size(report),
        comparisons::clustered(report),
        over_agents::stages(report),
        comparisons::kernels(report),
        comparisons::heavy(report),
        comparisons::peers(report),
    ];
    charts.into_iter().filter(Chart::has_series).collect()
}
