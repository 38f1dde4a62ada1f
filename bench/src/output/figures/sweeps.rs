//! Figures of one quantity varied over a range: threads, density, cell size.

use super::figure::{Figure, NS_PER_AGENT, bar_figure, chart_figure, color, noted, plain, sweep};
use crate::experiments::{cell_size, density, threads};
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::{Bar, Bars, Length};
use crate::output::chart::{Axis, Chart};
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn thread_scaling(report: &Report) -> Option<Figure> {
    let mut sizes: Vec<usize> = report.rows_of(threads::NAME).map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut bars = Vec::new();
    for (index, &n) in sizes.iter().enumerate() {
        let rows: Vec<&Row> = report.rows_of(threads::NAME).filter(|row| row.n == n).collect();
        let Some(one) = rows.iter().find(|row| row.threads == 1) else { continue };
        for row in &rows {
            let ratio = one.ns_per_agent_step / row.ns_per_agent_step;
            let share = ratio / row.threads as f64;
            bars.push(Bar {
                name: format!("{} agents, {}", grouped(n), row.method),
                // Sizes are not methods and have none of their colors.
                parts: vec![(color(&grouped(n), index), ratio)],
                note: noted(
                    &[one, row],
                    format!("×{}, {:.0} % each", digits(ratio), 100.0 * share),
                ),
            });
        }
    }
    let caption = format!(
        "Speed-up over one thread, and the same per thread. The machine has {} cores. Small crowds \
         stay on one thread.",
        report.machine.cores
    );
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Speed-up by number of threads", caption, "threads", &bars)
}

const NEIGHBORS: Axis = Axis { name: "neighbors on average", label: plain };

pub(super) fn over_density(report: &Report) -> Option<Figure> {
    let curves = sweep(report, density::NAME, |_| 1.0);
    let chart =
        Chart { x: NEIGHBORS, y: NS_PER_AGENT, curves, guides: Vec::new(), marks: Vec::new() };
    let n = report.largest(density::NAME).next()?.n;
    let caption = format!("{} agents, uniformly random, in worlds of different size.", grouped(n));
    chart_figure("Time per agent over density", caption, "density", &chart)
}

pub(super) fn per_useful_pair(report: &Report) -> Option<Figure> {
    let curves = sweep(report, density::NAME, |row| 1.0 / row.mean_neighbors.max(1.0e-9));
    let y = Axis { name: "ns per neighbor", label: plain };
    let chart = Chart { x: NEIGHBORS, y, curves, guides: Vec::new(), marks: Vec::new() };
    let caption = "The same times per pair in view: in dense crowds more pairs share the fixed \
                   cost of an agent.";
    chart_figure("Time per useful pair over density", caption.into(), "density", &chart)
}

pub(super) fn useful_pairs(report: &Report) -> Option<Figure> {
    let rows: Vec<&Row> = report.largest(density::NAME).filter(|row| row.threads == 1).collect();
    let bar = |row: &&Row| {
        let (share, pairs) = (100.0 * row.useful_share()?, row.pairs_per_agent?);
        Some(Bar {
            name: format!("{} neighbors, {}", row.x, row.method),
            parts: vec![(color(&row.method, 0), share)],
            note: noted(&[row], format!("{share:.0} % of {}", grouped(pairs.round() as usize))),
        })
    };
    let bars = rows.iter().filter_map(bar).collect();
    let caption = "The share of tested pairs that are neighbors, and the pairs tested per agent. \
                   For SIMD these are candidates times lanes: each lane tests the candidates of \
                   its whole batch.";
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Share of useful pairs over density", caption.into(), "density", &bars)
}

const CELL_SIZE: Axis = Axis { name: "cell height in view distances", label: plain };

pub(super) fn over_cell_size(report: &Report) -> Option<Figure> {
    let curves = sweep(report, cell_size::NAME, |_| 1.0);
    let chart =
        Chart { x: CELL_SIZE, y: NS_PER_AGENT, curves, guides: Vec::new(), marks: Vec::new() };
    let n = report.largest(cell_size::NAME).next()?.n;
    let caption = format!(
        "{} agents, the same crowd with cells of different height; the engine's own choice is 1. \
         Along x, cells are cut until they contain about one agent, but into at most 16 columns.",
        grouped(n)
    );
    chart_figure("Time per agent over cell size", caption, "cell-size", &chart)
}

pub(super) fn pairs_over_cell_size(report: &Report) -> Option<Figure> {
    let mut curves = sweep(report, cell_size::NAME, |row| {
        row.useful_share().map_or(f64::NAN, |share| 1.0 / share / row.ns_per_agent_step)
    });
    // More threads test the same pairs.
    curves.retain(|curve| curve.name != Method::CellsSimdMt.id());
    // Counted, not measured, so there is no interval.
    for point in curves.iter_mut().flat_map(|curve| &mut curve.points) {
        (point.interval, point.trusted) = ([point.y; 2], true);
        point.title = format!("{} pairs tested per useful pair", digits(point.y));
    }
    let y = Axis { name: "pairs tested per useful pair", label: plain };
    let chart = Chart { x: CELL_SIZE, y, curves, guides: Vec::new(), marks: Vec::new() };
    let caption = "Tested pairs per pair in view. For SIMD these are candidates times lanes.";
    chart_figure("Pairs tested over cell size", caption.into(), "cell-size", &chart)
}
