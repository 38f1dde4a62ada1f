//! The main results of a report as sentences, each figure with its interval. The last one says how
//! many rows remain in doubt.

use flockwork::cpu::Level;
use flockwork::{LaneWidth, Partition};

use crate::experiments::{cell_size, density, kernels, ladder, peers, scaling, scenes, threads};
use crate::method::Method;
use crate::numbers::{digits, duration, grouped};
use crate::output::levels;
use crate::peers::{Peer, Task};
use crate::results::fit::Crossing;
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::Share;
use crate::rungs::Rung;

/// The main results, most important first.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let all = [
        next_best(report),
        fastest(report),
        growth(report),
        near_the_limit(report),
        cells_over_pairs(report),
        small_crowds(report),
        whole_ladder(report),
        more_threads(report),
        instruction_sets(report),
        crowding(report),
        cell_height(report),
        clustering(report),
        best_kernel(report),
        against_peers(report),
        code_of_the_build(report),
        Some(doubts(report)),
    ];
    all.into_iter().flatten().collect()
}

fn fastest(report: &Report) -> Option<String> {
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
        time(best),
        count(best.threads, "thread"),
    );
    Some(sentence + ".")
}

/// How many times as fast as the next best: a whole flock, or else the search for neighbors.
fn next_best(report: &Report) -> Option<String> {
    let best_of = |experiment: &str, own: &str, what: &str| {
        let n = report.largest(experiment).next()?.n;
        let own = report.row(&format!("{experiment}/{own}/{n}"))?;
        let others = report.largest(experiment).filter(|row| row.method != own.method);
        let next = others.min_by(|a, b| a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step))?;
        Some(format!(
            "flockwork {what} {} agents {} times as fast as {}, the next best here, on one thread.",
            grouped(n),
            Ratio::of(next, own),
            next.method
        ))
    };
    let flock = best_of(peers::FLOCK, Method::CellsSimd.id(), "steps a flock of");
    flock.or_else(|| best_of(Task::Count.id(), Peer::Flockwork.id(), "counts the neighbors of"))
}

fn growth(report: &Report) -> Option<String> {
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
fn near_the_limit(report: &Report) -> Option<String> {
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

fn cells_over_pairs(report: &Report) -> Option<String> {
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
fn small_crowds(report: &Report) -> Option<String> {
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

fn whole_ladder(report: &Report) -> Option<String> {
    let rows = largest_ladder(report);
    let (first, last) = (rows.first()?, rows.last()?);
    (rows.len() > 1).then(|| {
        let sentence = format!(
            "From {} to {}, the step of {} agents becomes {} times as fast, in {}",
            first.method,
            last.method,
            grouped(first.n),
            Ratio::of(first, last),
            count(rows.len() - 1, "rung")
        );
        sentence + "."
    })
}

/// The rungs at the largest size at which all of them were measured.
pub(crate) fn largest_ladder(report: &Report) -> Vec<&Row> {
    let most = report.methods_of(ladder::NAME).len();
    let rows_at =
        |n: usize| -> Vec<&Row> { report.rows_of(ladder::NAME).filter(|row| row.n == n).collect() };
    let mut sizes: Vec<usize> = report.rows_of(ladder::NAME).map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.into_iter().rev().map(rows_at).find(|rows| rows.len() == most).unwrap_or_default()
}

fn more_threads(report: &Report) -> Option<String> {
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

/// What each level takes at its own width, and which levels the processor lacks.
fn instruction_sets(report: &Report) -> Option<String> {
    let own = |level: Level| levels::row(report, level, LaneWidth::of(level));
    let rows: Vec<&Row> = Level::ALL.into_iter().filter_map(own).collect();
    let n = rows.first()?.n;
    let of = |row: &&Row| format!("{} ns ({})", time(row), row.method);
    let lacking = match levels::lacking(report).as_slice() {
        [] => String::new(),
        names => format!("; the processor lacks {}", names.join(" and ")),
    };
    let sentence = format!(
        "The instruction sets take, per step and agent of {}, {}{lacking}",
        grouped(n),
        rows.iter().map(of).collect::<Vec<_>>().join(", ")
    );
    Some(sentence + ".")
}

fn crowding(report: &Report) -> Option<String> {
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

fn cell_height(report: &Report) -> Option<String> {
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

fn clustering(report: &Report) -> Option<String> {
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

fn best_kernel(report: &Report) -> Option<String> {
    let mut pairs = kernel_pairs(report);
    let ratio = |(scalar, simd): &(&Row, &Row)| Ratio::of(scalar, simd);
    pairs.sort_by(|a, b| ratio(a).times.total_cmp(&ratio(b).times));
    let (least, most) = (pairs.first()?, pairs.last()?);
    let sentence = format!(
        "SIMD is {} to {} times as fast as scalar, depending on the behavior",
        ratio(least),
        ratio(most)
    );
    Some(sentence + ".")
}

/// Scalar and SIMD rows of each behavior, without the crowd that nothing steers.
pub(crate) fn kernel_pairs(report: &Report) -> Vec<(&Row, &Row)> {
    let (scalar, simd) = (Method::CellsScalar.id(), Method::CellsSimd.id());
    let mut pairs = report.common(kernels::NAME, scalar, simd);
    let n = report.largest(kernels::NAME).map(|row| row.n).next();
    pairs.retain(|(row, _)| !row.point.starts_with(kernels::IDLE) && Some(row.n) == n);
    pairs
}

fn against_peers(report: &Report) -> Option<String> {
    let count = Task::Count.id();
    let n = report.largest(count).next()?.n;
    let row = |peer: Peer| report.row(&format!("{count}/{}/{n}", peer.id()));
    let rows: Vec<&Row> = Peer::ALL.into_iter().filter_map(row).collect();
    let of = |row: &&Row| format!("{} {} ns", row.method, time(row));
    let sentence = format!(
        "Counting the neighbors of {} points on one thread takes, per point, {}",
        grouped(n),
        rows.iter().map(of).collect::<Vec<_>>().join(", ")
    );
    Some(sentence + ".")
}

/// The engine's methods are compiled for every level, but the ladder and other crates only for the
/// build.
fn code_of_the_build(report: &Report) -> Option<String> {
    let machine = &report.machine;
    let others = Peer::ALL.into_iter().filter(|peer| *peer != Peer::Flockwork).map(Peer::id);
    let outside: Vec<&str> = Rung::ALL.into_iter().map(Rung::id).chain(others).collect();
    let held_back = machine.build != machine.level && machine.build == Level::Baseline.name();
    (held_back && report.rows.iter().any(|row| outside.contains(&row.method.as_str()))).then(|| {
        format!(
            "Code outside of the engine is compiled for {}: RUSTFLAGS=\"-C target-cpu=native\" \
             makes it faster, and speed-ups over it smaller.",
            machine.build
        )
    })
}

/// How many rows remain in doubt.
pub(crate) fn doubts(report: &Report) -> String {
    let all = report.rows.len();
    match report.rows.iter().filter(|row| !row.is_trusted()).count() {
        0 => format!("No row of {} is in doubt.", grouped(all)),
        1 => format!("One row of {} remains in doubt, marked with ?.", grouped(all)),
        few => format!("{} of {} rows remain in doubt, marked with ?.", grouped(few), grouped(all)),
    }
}

/// A time with its interval: `15.3 [15.2, 15.4]`.
fn time(row: &Row) -> String {
    let [ns, low, high] = [row.ns_per_agent_step, row.ns_low, row.ns_high].map(digits);
    format!("{ns} [{low}, {high}]")
}

/// `1 thread`, `2 threads`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::roofline::Bottleneck;

    #[test]
    fn figures_have_intervals_and_the_last_sentence_counts_rows_in_doubt() {
        let row =
            Row { ns_low: 19.8, ns_high: 20.2, ..quiet_row("scaling", "cells-simd", 100, 20.0) };
        let mut report = report_of(vec![row.clone(), Row { n: 50, ..row }]);
        assert_eq!(
            sentences(&report),
            [
                "cells-simd steers 100 agents in 2.00 µs per step: 20.0 [19.8, 20.2] ns per agent \
                 on 1 thread.",
                "No row of 2 is in doubt."
            ]
        );
        report.rows[0].doubts.push("the machine was busy".into());
        assert_eq!(sentences(&report)[1], "One row of 2 remains in doubt, marked with ?.");
    }

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
    fn code_outside_of_the_engine_is_said_to_be_compiled_for_the_build() {
        let told = |method: &str, build: Level| {
            let mut report = report_of(vec![quiet_row("ladder", method, 100, 20.0)]);
            report.machine.build = build.name().into();
            report.machine.level = Level::Avx512.name().into();
            code_of_the_build(&report).is_some()
        };
        assert!(told(Rung::BookPairs.id(), Level::Baseline));
        assert!(told(Peer::Kiddo.id(), Level::Baseline));
        assert!(!told(Rung::BookPairs.id(), Level::Avx512));
        assert!(!told(Method::CellsScalar.id(), Level::Baseline));
    }

    #[test]
    fn a_crowd_that_nothing_steers_is_not_a_behavior() {
        let row = |method, point: &str, ns| {
            let row = quiet_row(kernels::NAME, method, 100, ns);
            Row { point: point.into(), ..row }
        };
        let report = report_of(vec![
            row("cells-scalar", kernels::IDLE, 10.0),
            row("cells-simd", kernels::IDLE, 10.0),
            row("cells-scalar", "seek", 60.0),
            row("cells-simd", "seek", 10.0),
        ]);
        assert_eq!(
            best_kernel(&report).unwrap(),
            "SIMD is 6.00 [6.00, 6.00] to 6.00 [6.00, 6.00] times as fast as scalar, depending on the behavior."
        );
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
