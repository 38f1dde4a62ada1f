//! Charts of one quantity varied over a range: threads, density, cell size.

use super::series::{bar_in, bars, color, curves, ns_over, plain};
use crate::experiments::{CELL_SIZE, DENSITY, THREADS};
use crate::numbers::{digits, grouped};
use crate::output::chart::Chart;
use crate::output::curves::Axis;
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn threads(report: &Report) -> Chart {
    let rows = || report.rows_of(THREADS);
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
    Chart::new(
        "Speed-up by number of threads",
        &report.machine.cores.to_string(),
        bars(false, rows().filter_map(speed_up).collect()),
    )
}

pub(super) fn density(report: &Report) -> Chart {
    over(report, DENSITY, "Time per agent over density", "neighbors on average")
}

pub(super) fn cell_size(report: &Report) -> Chart {
    over(report, CELL_SIZE, "Time per agent over cell size", "cell height in view distances")
}

/// The times of an experiment at its largest size over the quantity that it varies.
fn over(report: &Report, experiment: &str, title: &'static str, quantity: &'static str) -> Chart {
    let x = Axis { name: quantity, label: plain };
    let curves = curves(report, experiment, |_| 1.0, Report::largest_curve);
    Chart::new(title, &grouped(report.most_agents(experiment)), ns_over(x, curves, Vec::new()))
}
