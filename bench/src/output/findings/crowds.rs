//! How the time of a step follows the crowd: its size, its density, its threads.

use flockwork::Partition;

use crate::experiments::{cell_size, density, scaling, scenes, threads};
use crate::method::Method;
use crate::numbers::{count, digits, duration, grouped};
use crate::results::fit::Crossing;
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::Share;

pub(super) fn fastest(report: &Report) -> Option<String> {
    let rows = || report.rows_of(scaling::NAME);
    let largest = rows().map(|row| row.n).max()?;
    let best = rows()
        .filter(|row| row.n == largest)
        .min_by(|a, b| a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step))?;
    let sentence = format!(
        "{} steers {} agents in {} per step: {} ns per agent on {}",
        best.method,
        grouped(best.n),
        duration(best.seconds_per_step()),
        best.interval(),
        count(best.threads, "thread"),
    );
    Some(sentence + ".")
}

pub(super) fn growth(report: &Report) -> Option<String> {
    let pairs = report.slope_of(Method::AllPairsSimd.id())?;
    let cells = report.slope_of(Method::CellsSimd.id())?;
    let interval = |interval: Option<[f64; 2]>| {
        interval.map_or(String::new(), |[low, high]| format!(" [{low:.2}, {high:.2}]"))
    };
    let sentence = format!(
        "The time of all pairs grows as N^{:.2}{}, that of cell space as N^{:.2}{}",
        pairs.slope,
        interval(pairs.interval),
        cells.slope,
        interval(cells.interval)
    );
    Some(sentence + ".")
}

/// The share of the limit at the largest crowd of each, on one thread.
pub(super) fn near_the_limit(report: &Report) -> Option<String> {
    let reached = |method: Method| -> Option<(&Row, &Share)> {
        let row = report.curve(scaling::NAME, method.id()).pop()?;
        Some((row, report.reached.get(&row.id)?))
    };
    let (pairs, of_pairs) = reached(Method::AllPairsSimd)?;
    let (cells, of_cells) = reached(Method::CellsSimd)?;
    let sentence = format!(
        "All pairs reach {:.0} % of the limit of one thread at {} agents, cell space {:.0} % at {}",
        of_pairs.percent,
        grouped(pairs.n),
        of_cells.percent,
        grouped(cells.n)
    );
    Some(sentence + ".")
}

pub(super) fn cells_over_pairs(report: &Report) -> Option<String> {
    let (pairs, cells) = (Method::AllPairsSimd.id(), Method::CellsSimd.id());
    let (slow, fast) = report.common(scaling::NAME, pairs, cells).pop()?;
    let crossover = report.crossovers.iter().find(|crossover| crossover.cells == cells);
    let from = match crossover.map(|crossover| crossover.n) {
        Some(Crossing::At { n, interval: [low, high] }) => format!(
            ", and faster from about {} agents on [{}, {}]",
            grouped(n.round() as usize),
            grouped(low.round() as usize),
            grouped(high.round() as usize)
        ),
        Some(Crossing::Below(n)) => format!(", and faster already at {} agents", grouped(n)),
        _ => String::new(),
    };
    let sentence = format!(
        "At {} agents cell space is {} times as fast as all pairs, both with SIMD{from}",
        grouped(slow.n),
        Ratio::of(slow, fast)
    );
    Some(sentence + ".")
}

/// Which partition suits crowds of a few agents, and what the engine chooses.
pub(super) fn small_crowds(report: &Report) -> Option<String> {
    let (pairs, cells) = (Method::AllPairsSimd.id(), Method::CellsSimd.id());
    let small = report.common(scaling::NAME, pairs, cells);
    let small = small.iter().filter(|(row, _)| row.n <= SMALL).copied();
    let gain = |(pairs, cells): (&Row, &Row)| (pairs.n, Ratio::of(cells, pairs));
    let (agents, best) = small.map(gain).max_by(|(_, a), (_, b)| a.times.total_cmp(&b.times))?;
    let whole = Partition::AUTO_BATCHES * report.machine.lanes;
    Some(if best.low > 1.0 {
        format!(
            "Of small crowds, those of {} agents gain most by all pairs: {best} times as fast as \
             cells; the engine itself chooses all pairs for up to {whole} agents.",
            grouped(agents),
        )
    } else {
        format!(
            "No small crowd gains by all pairs, which the engine itself chooses for up to {whole} \
             agents."
        )
    })
}

/// Crowds for which all pairs may be the better choice.
pub(crate) const SMALL: usize = 4_000;

pub(super) fn more_threads(report: &Report) -> Option<String> {
    let rows = || report.largest(threads::NAME);
    let one = rows().find(|row| row.threads == 1)?;
    let best = rows().min_by(|a, b| a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step))?;
    let agents = grouped(one.n);
    let sentence = match best.threads {
        1 => format!("More threads are no faster than one, at {agents} agents"),
        more => format!(
            "{} are {} times as fast as one, at {agents} agents",
            count(more, "thread"),
            Ratio::of(one, best),
        ),
    };
    Some(sentence + ".")
}

pub(super) fn crowding(report: &Report) -> Option<String> {
    let curve = report.largest_curve(density::NAME, Method::CellsSimd.id());
    let (sparse, dense) = (curve.first()?, curve.last()?);
    (curve.len() > 1).then(|| {
        let sentence = format!(
            "From {} to {} neighbors the time per agent grows by a factor of {}; a useful pair \
             takes {} → {} ns",
            sparse.x,
            dense.x,
            Ratio::of(dense, sparse),
            digits(sparse.ns_per_agent_step / sparse.mean_neighbors),
            digits(dense.ns_per_agent_step / dense.mean_neighbors)
        );
        sentence + "."
    })
}

pub(super) fn cell_height(report: &Report) -> Option<String> {
    let curve = report.largest_curve(cell_size::NAME, Method::CellsSimd.id());
    let usual = curve.iter().find(|row| row.x == 1.0)?;
    let best = curve.iter().min_by(|a, b| a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step))?;
    let worst = curve.iter().max_by(|a, b| a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step))?;
    let times_best = |row: &Row| Ratio::of(row, best);
    let [most, of_usual] = [times_best(worst), times_best(usual)];
    let sentence = if best.x == usual.x {
        format!(
            "Cells one view distance high, the engine's choice, are the fastest; {} view distances \
             take {most} times as long",
            worst.x
        )
    } else {
        format!(
            "Cells {} view distances high are the fastest; one view distance, the engine's choice, \
             takes {of_usual} times as long, {} take {most} times as long",
            best.x, worst.x
        )
    };
    Some(sentence + ".")
}

pub(super) fn clustering(report: &Report) -> Option<String> {
    let row = |point: &str| {
        report.row(&format!("{}/{}/{point}", scenes::CLUSTERED, Method::CellsSimd.id()))
    };
    let (uniform, settled) = (row("uniform")?, row("after 2,000 steps")?);
    let per_pair = |row: &Row| row.ns_per_agent_step / row.mean_neighbors;
    let sentence = format!(
        "A flock that has drawn together takes {} ns per useful pair, a uniform crowd {} ns",
        digits(per_pair(settled)),
        digits(per_pair(uniform))
    );
    Some(sentence + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::roofline::Bottleneck;

    #[test]
    fn the_better_partition_for_small_crowds_is_named() {
        let rows = |pairs: [f64; 2], cells: [f64; 2]| {
            let row = |method, n, ns| quiet_row("scaling", method, n, ns);
            let mut report = report_of(vec![
                row("all-pairs-simd", 16, pairs[0]),
                row("all-pairs-simd", 1_000, pairs[1]),
                row("cells-simd", 16, cells[0]),
                row("cells-simd", 1_000, cells[1]),
            ]);
            report.conclude();
            small_crowds(&report).unwrap()
        };
        let said = rows([10.0, 150.0], [15.0, 15.0]);
        assert!(
            said.contains("16 agents gain most by all pairs: 1.50 [1.50, 1.50] times"),
            "{said}"
        );
        assert!(rows([20.0, 150.0], [15.0, 15.0]).starts_with("No small crowd gains"));
    }

    #[test]
    fn one_sentence_is_about_the_limit_if_it_was_measured() {
        let rows =
            ["all-pairs-simd", "cells-simd"].map(|way| quiet_row("scaling", way, 1_000, 9.0));
        let mut report = report_of(rows.to_vec());
        assert_eq!(near_the_limit(&report), None);
        for (row, percent) in report.rows.iter().zip([69.2, 24.1]) {
            let share = Share { limit_ns: 1.0, bottleneck: Bottleneck::Arithmetic, percent };
            report.reached.insert(row.id.clone(), share);
        }
        assert_eq!(
            near_the_limit(&report).unwrap(),
            "All pairs reach 69 % of the limit of one thread at 1,000 agents, cell space 24 % at 1,000."
        );
    }
}
