//! Charts of one quantity varied over a range: threads, density, cell size.

use super::series::{bar_in, bars, color, ns_over, plain, sweep};
use crate::experiments::{cell_size, density, threads};
use crate::numbers::{digits, grouped};
use crate::output::chart::Chart;
use crate::output::curves::Axis;
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn threads(report: &Report) -> Chart {
    let rows = || report.rows_of(threads::NAME);
    let mut sizes: Vec<usize> = rows().map(|row| row.n).collect();
    sizes.dedup();
    let speed_up = |row: &Row| {
        let one = rows().find(|one| one.n == row.n && one.threads == 1)?;
        let ratio = Ratio::of(one, row).times;
        let note = format!("×{}, {:.0} % each", digits(ratio), 100.0 * ratio / row.threads as f64);
        let name = format!("{} agents, {}", grouped(row.n), row.method);
        // Sizes are not methods and have none of their colors.
        let index = sizes.iter().position(|n| *n == row.n)?;
        Some(bar_in(color("", index), row, name, ratio, note))
    };
    Chart {
        title: "Speed-up by number of threads",
        caption: format!(
            "Speed-up over one thread, and the same per thread. The machine has {} cores. Small \
             crowds stay on one thread.",
            report.machine.cores
        ),
        command: "threads",
        series: bars(false, rows().filter_map(speed_up).collect()),
    }
}

const NEIGHBORS: Axis = Axis { name: "neighbors on average", label: plain };

pub(super) fn density(report: &Report) -> Option<Chart> {
    let n = grouped(report.largest(density::NAME).next()?.n);
    let curves = sweep(report, density::NAME, |_| 1.0);
    Some(Chart {
        title: "Time per agent over density",
        caption: format!("{n} agents, uniformly random, in worlds of different size."),
        command: "density",
        series: ns_over(NEIGHBORS, curves, Vec::new()),
    })
}

const CELL_SIZE: Axis = Axis { name: "cell height in view distances", label: plain };

pub(super) fn cell_size(report: &Report) -> Option<Chart> {
    let n = grouped(report.largest(cell_size::NAME).next()?.n);
    let curves = sweep(report, cell_size::NAME, |_| 1.0);
    Some(Chart {
        title: "Time per agent over cell size",
        caption: format!(
            "{n} agents, the same crowd with cells of different height; the engine's own choice is \
             1. Along x, cells are cut until they contain about one agent, but into at most 16 \
             columns."
        ),
        command: "cell-size",
        series: ns_over(CELL_SIZE, curves, Vec::new()),
    })
}
