//! Figures that compare ways to compute steps, scenes, behaviors and crates.

use super::figure::{Figure, bar_figure, color, noted, stage_bars};
use crate::experiments::{kernels, levels, scenes};
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::{Bar, Bars, Length};
use crate::output::findings::ways::{kernel_pairs, largest_ladder};
use crate::peers::{Peer, Task};
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn ladder(report: &Report) -> Option<Figure> {
    let rows = largest_ladder(report);
    let first = rows.first()?;
    let mut before = first.ns_per_agent_step;
    let mut bars = Vec::new();
    for row in &rows {
        let (step, all) =
            (before / row.ns_per_agent_step, first.ns_per_agent_step / row.ns_per_agent_step);
        before = row.ns_per_agent_step;
        bars.push(Bar {
            name: row.method.clone(),
            parts: vec![(color(&row.method, bars.len()), all)],
            note: noted(
                &[row],
                format!(
                    "{} ns, ×{} → ×{}",
                    digits(row.ns_per_agent_step),
                    digits(step),
                    digits(all)
                ),
            ),
        });
    }
    let caption = format!(
        "{} agents; every rung takes the same steps to the same state hash. ns per agent-step, \
         speed-up over the previous rung → over the first; logarithmic from ×1.",
        grouped(first.n)
    );
    let bars = Bars { length: Length::Logarithmic, bars, legend: Vec::new() };
    bar_figure("Speed-up, rung by rung", caption, "ladder", &bars)
}

pub(super) fn instruction_sets(report: &Report) -> Option<Figure> {
    let rows: Vec<&Row> = report.largest(levels::NAME).collect();
    let n = rows.first()?.n;
    let bar = |row: &&Row| Bar {
        name: row.method.clone(),
        parts: vec![(color(&row.method, 0), row.ns_per_agent_step)],
        note: noted(&[row], format!("{} ns", digits(row.ns_per_agent_step))),
    };
    let caption = format!(
        "{} agents, one thread; ns per agent-step, logarithmic from 1 ns. All reach the same state \
         hash. Vectors wider than a level has are composed of narrower ones.",
        grouped(n)
    );
    let bars = rows.iter().map(bar).collect();
    let bars = Bars { length: Length::Logarithmic, bars, legend: Vec::new() };
    bar_figure("Instruction sets and lane widths", caption, "levels", &bars)
}

pub(super) fn clustered(report: &Report) -> Option<Figure> {
    let rows: Vec<&Row> = report.largest(scenes::CLUSTERED).collect();
    let bar = |row: &&Row| {
        let per_pair = row.ns_per_agent_step / row.mean_neighbors.max(1.0e-9);
        let (pairs, per_agent) = (digits(row.mean_neighbors), digits(row.ns_per_agent_step));
        let note = format!("{} ns, {pairs} of {per_agent} ns per agent", digits(per_pair));
        Bar {
            name: format!("{}, {}", row.point, row.method),
            parts: vec![(color(&row.method, 0), per_pair)],
            note: noted(&[row], note),
        }
    };
    let caption = format!(
        "{} agents; ns per pair in view, neighbors on average, ns per agent. Uniform: the start. \
         After 2,000 steps the same crowd has drawn together.",
        grouped(rows.first()?.n)
    );
    let bars =
        Bars { length: Length::Linear, bars: rows.iter().map(bar).collect(), legend: Vec::new() };
    bar_figure("Uniform and clustered crowds", caption, "scenes", &bars)
}

pub(super) fn kernel_speed_ups(report: &Report) -> Option<Figure> {
    let bar = |(slow, fast): (&Row, &Row)| {
        let ratio = slow.ns_per_agent_step / fast.ns_per_agent_step;
        let (slow_ns, fast_ns) = (digits(slow.ns_per_agent_step), digits(fast.ns_per_agent_step));
        Bar {
            name: fast.point.clone(),
            parts: vec![(color(&fast.method, 0), ratio)],
            note: noted(&[slow, fast], format!("×{}: {slow_ns} → {fast_ns} ns", digits(ratio))),
        }
    };
    let bars = kernel_pairs(report).into_iter().map(bar).collect();
    let caption = "The steering stage of a crowd steered by one behavior: speed-up of the SIMD \
                   kernel over itself with one lane, on one thread.";
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Speed-up by SIMD for each behavior", caption.into(), "kernels", &bars)
}

pub(super) fn heavy(report: &Report) -> Option<Figure> {
    let rows = report.rows_of(kernels::HEAVY);
    let bars = stage_bars(rows.map(|row| (row.point.clone(), row)));
    let n = report.rows_of(kernels::HEAVY).map(|row| row.n).max()?;
    let caption = format!("{} agents on one thread, ns per agent-step by stage.", grouped(n));
    bar_figure("The heavy scene, and without each of its parts", caption, "kernels", &bars)
}

pub(super) fn peers(report: &Report) -> Option<Figure> {
    let mut bars = Vec::new();
    for task in Task::ALL {
        for row in report.rows_of(task.id()) {
            let own = report.row(&format!("{}/{}/{}", task.id(), Peer::Flockwork.id(), row.point));
            let ratio = row.ns_per_agent_step / own?.ns_per_agent_step;
            let others = Peer::ALL.iter().filter(|peer| **peer != Peer::Flockwork);
            let index = others.map(|peer| peer.id()).position(|id| id == row.method);
            // The engine has its usual color.
            let method = if index.is_none() { Method::CellsSimd.id() } else { &row.method };
            bars.push(Bar {
                name: format!("{}, {}, {}", task.id(), grouped(row.n), row.method),
                parts: vec![(color(method, index.unwrap_or(0)), row.ns_per_agent_step)],
                note: noted(
                    &[row],
                    format!("{} ns, ×{}", digits(row.ns_per_agent_step), digits(ratio)),
                ),
            });
        }
    }
    let caption = "ns per point to count the neighbors of all points or to add up their inverse \
                   distances, including building the structure, and as a multiple of flockwork's \
                   time. All crates find the same neighbors; what else each computes is listed \
                   below.";
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Neighbor search in other crates", caption.into(), "peers", &bars)
}
