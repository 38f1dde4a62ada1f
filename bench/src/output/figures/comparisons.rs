//! Charts that compare ways to compute steps, scenes, behaviors and crates.

use super::series::{bar, bar_in, bars, color, noted, stage_bars};
use crate::experiments::{kernels, ladder, levels, scenes};
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::Bar;
use crate::output::chart::{Chart, Series};
use crate::peers::{Peer, Task};
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn ladder(report: &Report) -> Option<Chart> {
    let rows = rungs(report);
    let first = rows.first()?;
    let rung = |(k, row): (usize, &&Row)| {
        let below = rows[k.saturating_sub(1)].ns_per_agent_step / row.ns_per_agent_step;
        let all = first.ns_per_agent_step / row.ns_per_agent_step;
        let ns = digits(row.ns_per_agent_step);
        let note = format!("{ns} ns, ×{} → ×{}", digits(below), digits(all));
        bar_in(color(&row.method, k), row, &*row.method, all, note)
    };
    Some(Chart {
        title: "Speed-up, rung by rung",
        caption: format!(
            "{} agents; every rung takes the same steps to the same state hash. ns per agent-step, \
             speed-up over the previous rung → over the first; logarithmic from ×1.",
            grouped(first.n)
        ),
        command: "ladder",
        series: bars(true, rows.iter().enumerate().map(rung).collect()),
    })
}

/// The rungs at the largest size at which all of them were measured.
pub(crate) fn rungs(report: &Report) -> Vec<&Row> {
    let all = report.methods_of(ladder::NAME).len();
    let rows_of = |n: usize| report.rows_of(ladder::NAME).filter(move |row| row.n == n);
    let sizes = report.rows_of(ladder::NAME).map(|row| row.n);
    let largest = sizes.filter(|n| rows_of(*n).count() == all).max();
    largest.map_or(Vec::new(), |n| rows_of(n).collect())
}

pub(super) fn levels(report: &Report) -> Option<Chart> {
    let level = |row: &Row| {
        let ns = row.ns_per_agent_step;
        bar(row, &*row.method, ns, format!("{} ns", digits(ns)))
    };
    Some(Chart {
        title: "Instruction sets and lane widths",
        caption: format!(
            "{} agents, one thread; ns per agent-step, logarithmic from 1 ns. All reach the same \
             state hash. Vectors wider than a level has are composed of narrower ones.",
            grouped(report.largest(levels::NAME).next()?.n)
        ),
        command: "levels",
        series: bars(true, report.largest(levels::NAME).map(level).collect()),
    })
}

pub(super) fn clustered(report: &Report) -> Option<Chart> {
    let crowd = |row: &Row| {
        let per_pair = row.ns_per_agent_step / row.mean_neighbors.max(1.0e-9);
        let (pairs, per_agent) = (digits(row.mean_neighbors), digits(row.ns_per_agent_step));
        let note = format!("{} ns, {pairs} of {per_agent} ns per agent", digits(per_pair));
        bar(row, format!("{}, {}", row.point, row.method), per_pair, note)
    };
    Some(Chart {
        title: "Uniform and clustered crowds",
        caption: format!(
            "{} agents; ns per pair in view, neighbors on average, ns per agent. Uniform: the \
             start. After 2,000 steps the same crowd has drawn together.",
            grouped(report.largest(scenes::CLUSTERED).next()?.n)
        ),
        command: "scenes",
        series: bars(false, report.largest(scenes::CLUSTERED).map(crowd).collect()),
    })
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
    Chart {
        title: "Speed-up by SIMD for each behavior",
        caption:
            "The steering stage of a crowd steered by one behavior: speed-up of the SIMD kernel \
                  over itself with one lane, on one thread."
                .into(),
        command: "kernels",
        series: bars(false, kernel_pairs(report).into_iter().map(behavior).collect()),
    }
}

/// Scalar and SIMD rows of each behavior, without the crowd that nothing steers.
pub(crate) fn kernel_pairs(report: &Report) -> Vec<(&Row, &Row)> {
    let (scalar, simd) = (Method::CellsScalar.id(), Method::CellsSimd.id());
    let mut pairs = report.common(kernels::NAME, scalar, simd);
    let n = report.largest(kernels::NAME).map(|row| row.n).next();
    pairs.retain(|(row, _)| !row.point.starts_with(kernels::IDLE) && Some(row.n) == n);
    pairs
}

pub(super) fn heavy(report: &Report) -> Option<Chart> {
    let rows = || report.rows_of(kernels::HEAVY);
    let n = rows().map(|row| row.n).max()?;
    Some(Chart {
        title: "The heavy scene, and without each of its parts",
        caption: format!("{} agents on one thread, ns per agent-step by stage.", grouped(n)),
        command: "kernels",
        series: Series::Bars(stage_bars(rows().map(|row| (row.point.clone(), row)))),
    })
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
    Chart {
        title: "Neighbor search in other crates",
        caption: "ns per point to count the neighbors of all points or to add up their inverse \
                  distances, including building the structure, and as a multiple of flockwork's \
                  time. All crates find the same neighbors; what else each computes is listed below."
            .into(),
        command: "peers",
        series: bars(false, rows.filter_map(search).collect()),
    }
}
