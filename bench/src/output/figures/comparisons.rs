//! Charts that compare ways to compute steps, scenes, behaviors and crates.

use super::series::{bar, bar_in, bars, color, noted, stage_bars};
use crate::experiments::kernels::{HEAVY, IDLE};
use crate::experiments::scenes::CLUSTERED;
use crate::experiments::{KERNELS, LADDER, LEVELS};
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::Bar;
use crate::output::chart::{Chart, Series};
use crate::peers::{Peer, Task};
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn ladder(report: &Report) -> Chart {
    let rows = rungs(report);
    let rung = |(k, row): (usize, &&Row)| {
        let below = rows[k.saturating_sub(1)].ns_per_agent_step / row.ns_per_agent_step;
        let all = rows[0].ns_per_agent_step / row.ns_per_agent_step;
        let ns = digits(row.ns_per_agent_step);
        let note = format!("{ns} ns, ×{} → ×{}", digits(below), digits(all));
        bar_in(color(&row.method, k), row, &*row.method, all, note)
    };
    Chart::new(
        "Speed-up, rung by rung",
        &grouped(rows.first().map_or(0, |row| row.n)),
        bars(true, rows.iter().enumerate().map(rung).collect()),
    )
}

/// The rungs at the largest size at which all of them were measured.
pub(crate) fn rungs(report: &Report) -> Vec<&Row> {
    let all = report.methods_of(LADDER).len();
    let rows_of = |n: usize| report.rows_of(LADDER).filter(move |row| row.n == n);
    let sizes = report.rows_of(LADDER).map(|row| row.n);
    let largest = sizes.filter(|n| rows_of(*n).count() == all).max();
    largest.map_or(Vec::new(), |n| rows_of(n).collect())
}

pub(super) fn levels(report: &Report) -> Chart {
    let level = |row: &Row| {
        let ns = row.ns_per_agent_step;
        bar(row, &*row.method, ns, format!("{} ns", digits(ns)))
    };
    Chart::new(
        "Instruction sets and lane widths",
        &grouped(report.most_agents(LEVELS)),
        bars(true, report.largest(LEVELS).map(level).collect()),
    )
}

pub(super) fn clustered(report: &Report) -> Chart {
    let crowd = |row: &Row| {
        let per_pair = row.ns_per_agent_step / row.mean_neighbors.max(1.0e-9);
        let (pairs, per_agent) = (digits(row.mean_neighbors), digits(row.ns_per_agent_step));
        let note = format!("{} ns, {pairs} of {per_agent} ns per agent", digits(per_pair));
        bar(row, format!("{}, {}", row.point, row.method), per_pair, note)
    };
    Chart::new(
        "Uniform and clustered crowds",
        &grouped(report.most_agents(CLUSTERED)),
        bars(false, report.largest(CLUSTERED).map(crowd).collect()),
    )
}

pub(super) fn kernels(report: &Report) -> Chart {
    let behavior = |(slow, fast): (&Row, &Row)| {
        let ratio = Ratio::of(slow, fast);
        let (slow_ns, fast_ns) = (digits(slow.ns_per_agent_step), digits(fast.ns_per_agent_step));
        let note = format!("×{}: {slow_ns} → {fast_ns} ns", digits(ratio.times));
        Bar {
            name: fast.point.clone(),
            parts: vec![(color(&fast.method, 0), ratio.times)],
            note: noted(&[slow, fast], note),
        }
    };
    Chart::new(
        "Speed-up by SIMD for each behavior",
        "",
        bars(false, kernel_pairs(report).into_iter().map(behavior).collect()),
    )
}

/// Scalar and SIMD rows of each behavior, without the crowd that nothing steers.
pub(crate) fn kernel_pairs(report: &Report) -> Vec<(&Row, &Row)> {
    let (scalar, simd) = (Method::CellsScalar.id(), Method::CellsSimd.id());
    let mut pairs = report.common(KERNELS, scalar, simd);
    let n = report.most_agents(KERNELS);
    pairs.retain(|(row, _)| !row.point.starts_with(IDLE) && row.n == n);
    pairs
}

pub(super) fn heavy(report: &Report) -> Chart {
    let rows = report.rows_of(HEAVY).map(|row| (row.point.clone(), row));
    Chart::new(
        "The heavy scene, and without each of its parts",
        &grouped(report.most_agents(HEAVY)),
        Series::Bars(stage_bars(rows)),
    )
}

pub(super) fn peers(report: &Report) -> Chart {
    let search = |row: &Row| {
        let own = report.row(&format!("{}/{}/{}", row.experiment, Peer::Flockwork.id(), row.point));
        let others = Peer::ALL.iter().filter(|peer| **peer != Peer::Flockwork);
        let color = match others.map(|peer| peer.id()).position(|id| id == row.method) {
            Some(index) => color(&row.method, index),
            // The engine has its usual color.
            None => color(Method::CellsSimd.id(), 0),
        };
        let ns = row.ns_per_agent_step;
        let note = format!("{} ns, ×{}", digits(ns), digits(Ratio::of(row, own?).times));
        let name = format!("{}, {}, {}", row.experiment, grouped(row.n), row.method);
        Some(bar_in(color, row, name, ns, note))
    };
    let rows = Task::ALL.into_iter().flat_map(|task| report.rows_of(task.id()));
    Chart::new(
        "Neighbor search in other crates",
        "",
        bars(false, rows.filter_map(search).collect()),
    )
}
