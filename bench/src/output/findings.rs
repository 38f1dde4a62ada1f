//! The main results of a report as sentences. A sentence based on an untrusted row says so.

use flockwork::LaneWidth;
use flockwork::cpu::Level;

use crate::experiments::{cell_size, density, kernels, ladder, scaling, scenes, threads};
use crate::method::Method;
use crate::numbers::{digits, duration, grouped};
use crate::output::levels;
use crate::peers::{Peer, Task};
use crate::results::fit::{Crossing, Slope};
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::Share;
use crate::rungs::Rung;

/// The main results, most important first.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let all = [
        fastest(report),
        growth(report),
        near_the_limit(report),
        cells_over_pairs(report),
        whole_ladder(report),
        more_threads(report),
        instruction_sets(report),
        crowding(report),
        cell_height(report),
        clustering(report),
        best_kernel(report),
        against_peers(report),
        code_of_the_build(report),
    ];
    all.into_iter().flatten().collect()
}

fn fastest(report: &Report) -> Option<String> {
    let rows = || report.rows_of(scaling::NAME);
    let largest = rows().map(|row| row.n).max()?;
    let best =
        rows().filter(|row| row.n == largest).min_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let [low, high] = best.interval_ns.map(digits);
    let sentence = format!(
        "{} steers {} agents in {} per step: {} ns per agent [{low}, {high}] on {}",
        best.series,
        grouped(best.n),
        duration(best.seconds_per_step()),
        digits(best.median_ns),
        count(best.threads, "thread"),
    );
    Some(based_on(&[best], sentence))
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
    let fitted = |slope: &Slope| -> Vec<&Row> {
        let rows = report.curve(scaling::NAME, &slope.series).into_iter();
        rows.filter(|row| (slope.from_n..=slope.to_n).contains(&row.n)).collect()
    };
    Some(based_on(&[fitted(pairs), fitted(cells)].concat(), sentence))
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
    Some(based_on(&[pairs, cells], sentence))
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
        digits(slow.median_ns / fast.median_ns)
    );
    Some(based_on(&[slow, fast], sentence))
}

fn whole_ladder(report: &Report) -> Option<String> {
    let rows = largest_ladder(report);
    let (first, last) = (rows.first()?, rows.last()?);
    (rows.len() > 1).then(|| {
        let sentence = format!(
            "From {} to {}, the step of {} agents becomes {} times as fast, in {}",
            first.series,
            last.series,
            grouped(first.n),
            digits(first.median_ns / last.median_ns),
            count(rows.len() - 1, "rung")
        );
        based_on(&[first, last], sentence)
    })
}

/// The rungs at the largest size at which all of them were measured.
pub(crate) fn largest_ladder(report: &Report) -> Vec<&Row> {
    let most = report.series_of(ladder::NAME).len();
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
    let best = rows().min_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let agents = grouped(one.n);
    let sentence = match best.threads {
        1 => format!("More threads are no faster than one, at {agents} agents"),
        more => format!(
            "{} are {} times as fast as one, at {agents} agents",
            count(more, "thread"),
            digits(one.median_ns / best.median_ns),
        ),
    };
    Some(based_on(&[one, best], sentence))
}

/// What each level takes at its own width, and which levels the processor lacks.
fn instruction_sets(report: &Report) -> Option<String> {
    let own = |level: Level| levels::row(report, level, LaneWidth::of(level));
    let rows: Vec<&Row> = Level::ALL.into_iter().filter_map(own).collect();
    let n = rows.first()?.n;
    let time = |row: &&Row| format!("{} ns ({})", digits(row.median_ns), row.series);
    let lacking = match levels::lacking(report).as_slice() {
        [] => String::new(),
        names => format!("; the processor lacks {}", names.join(" and ")),
    };
    let sentence = format!(
        "The instruction sets take, per step and agent of {}, {}{lacking}",
        grouped(n),
        rows.iter().map(time).collect::<Vec<_>>().join(", ")
    );
    Some(based_on(&rows, sentence))
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
            digits(dense.median_ns / sparse.median_ns),
            digits(sparse.median_ns / sparse.mean_neighbors),
            digits(dense.median_ns / dense.mean_neighbors)
        );
        based_on(&[sparse, dense], sentence)
    })
}

fn cell_height(report: &Report) -> Option<String> {
    let curve = report.largest_curve(cell_size::NAME, Method::CellsSimd.id());
    let usual = curve.iter().find(|row| row.x == 1.0)?;
    let best = curve.iter().min_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let worst = curve.iter().max_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let times_best = |row: &Row| digits(row.median_ns / best.median_ns);
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
    Some(based_on(&[usual, best, worst], sentence))
}

fn clustering(report: &Report) -> Option<String> {
    let row = |point: &str| {
        report.row(&format!("{}/{}/{point}", scenes::CLUSTERED, Method::CellsSimd.id()))
    };
    let (uniform, settled) = (row("uniform")?, row("after 2,000 steps")?);
    let per_pair = |row: &Row| row.median_ns / row.mean_neighbors;
    let sentence = format!(
        "A flock that has drawn together takes {} ns per useful pair, a uniform crowd {} ns",
        digits(per_pair(settled)),
        digits(per_pair(uniform))
    );
    Some(based_on(&[uniform, settled], sentence))
}

fn best_kernel(report: &Report) -> Option<String> {
    let mut pairs = kernel_pairs(report);
    let ratio = |(scalar, simd): &(&Row, &Row)| scalar.median_ns / simd.median_ns;
    pairs.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let (least, most) = (pairs.first()?, pairs.last()?);
    let sentence = format!(
        "SIMD is {} to {} times as fast as scalar, depending on the behavior",
        digits(ratio(least)),
        digits(ratio(most))
    );
    Some(based_on(&[least.0, least.1, most.0, most.1], sentence))
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
    let time = |row: &&Row| format!("{} {} ns", row.series, digits(row.median_ns));
    let sentence = format!(
        "Counting the neighbors of {} points on one thread takes, per point, {}",
        grouped(n),
        rows.iter().map(time).collect::<Vec<_>>().join(", ")
    );
    Some(based_on(&rows, sentence))
}

/// The engine's methods are compiled for every level, but the ladder and other crates only for the
/// build.
fn code_of_the_build(report: &Report) -> Option<String> {
    let machine = &report.machine;
    let others = Peer::ALL.into_iter().filter(|peer| *peer != Peer::Flockwork).map(Peer::id);
    let outside: Vec<&str> = Rung::ALL.into_iter().map(Rung::id).chain(others).collect();
    let held_back = machine.build != machine.level && machine.build == Level::Baseline.name();
    (held_back && report.rows.iter().any(|row| outside.contains(&row.series.as_str()))).then(|| {
        format!(
            "Code outside of the engine is compiled for {}: RUSTFLAGS=\"-C target-cpu=native\" \
             makes it faster, and speed-ups over it smaller.",
            machine.build
        )
    })
}

/// Ends a sentence, with a warning if one of its rows cannot be trusted.
fn based_on(rows: &[&Row], sentence: String) -> String {
    let trusted = rows.iter().all(|row| row.is_trusted());
    sentence + if trusted { "." } else { " (unreliable)." }
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
    fn a_sentence_based_on_an_untrusted_row_says_so() {
        let mut report = report_of(vec![quiet_row("scaling", "cells-simd", 100, 20.0)]);
        assert_eq!(
            sentences(&report),
            ["cells-simd steers 100 agents in 2.00 µs per step: 20.0 ns per agent [20.0, 20.0] \
              on 1 thread."]
        );
        report.rows[0].doubts.push("the machine was busy".into());
        assert!(sentences(&report)[0].ends_with("on 1 thread (unreliable)."));
    }

    #[test]
    fn code_outside_of_the_engine_is_said_to_be_compiled_for_the_build() {
        let told = |series: &str, build: Level| {
            let mut report = report_of(vec![quiet_row("ladder", series, 100, 20.0)]);
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
        let row = |series, point: &str, ns| {
            let row = quiet_row(kernels::NAME, series, 100, ns);
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
            "SIMD is 6.00 to 6.00 times as fast as scalar, depending on the behavior."
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
