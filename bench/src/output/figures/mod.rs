//! The figures of the page: the rows, title and caption of each.

use crate::results::report::Report;

mod comparisons;
mod figure;
mod scaling;
mod sweeps;

pub(crate) use figure::Figure;

/// All figures for which the report has rows.
pub(crate) fn all(report: &Report) -> Vec<Figure> {
    let figures = [
        scaling::step_over_n(report),
        scaling::per_agent_over_n(report),
        scaling::small_crowds(report),
        scaling::reached(report),
        comparisons::ladder(report),
        sweeps::thread_scaling(report),
        comparisons::instruction_sets(report),
        sweeps::over_density(report),
        sweeps::per_useful_pair(report),
        sweeps::useful_pairs(report),
        sweeps::over_cell_size(report),
        sweeps::pairs_over_cell_size(report),
        comparisons::clustered(report),
        scaling::breakdown(report),
        comparisons::kernel_speed_ups(report),
        comparisons::heavy(report),
        comparisons::peers(report),
    ];
    figures.into_iter().flatten().collect()
}
