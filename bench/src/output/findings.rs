//! The main results of a report as sentences, each ratio and time with its interval. The last one
//! says how many rows remain in doubt.

use flockwork::Partition;
use flockwork::cpu::Level;

use crate::experiments::scenes::CLUSTERED;
use crate::experiments::{CELL_SIZE, DENSITY, SCALING, THREADS};
use crate::method::Method;
use crate::numbers::{count, digits, duration, grouped};
use crate::output::figures::{SMALL, kernel_pairs, rungs};
use crate::peers::{Flock, Peer};
use crate::results::fit::Crossing;
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::rungs::Rung;

/// The main results: ratios before times, most important first.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let all = [
        next_best(report),
        lanes(report),
        cells_over_pairs(report),
        more_threads(report),
        fastest(report),
        growth(report),
        near_the_limit(report),
        small_crowds(report),
        whole_ladder(report),
        best_kernel(report),
        crowding(report),
        cell_height(report),
        clustering(report),
        code_of_the_build(report),
        Some(doubts(report)),
    ];
    all.into_iter().flatten().collect()
}

/// `6.86 [6.77, 6.94] times`.
fn times(slow: &Row, fast: &Row) -> String {
    let ratio = Ratio::of(slow, fast);
    format!("{ratio} times{}", if ratio.doubt.is_some() { " (in doubt)" } else { "" })
}

/// The rows of two methods at the largest crowd measured with both.
fn largest<'a>(report: &'a Report, slow: &str, fast: Method) -> Option<(&'a Row, &'a Row)> {
    report.common(SCALING, slow, fast.id()).pop()
}

fn next_best(report: &Report) -> Option<String> {
    let (next, own) = largest(report, Flock::ID, Method::CellsSimd)?;
    Some(format!(
        "flockwork steps a flock of {} agents {} as fast as the next best here: {}.",
        grouped(own.n),
        times(next, own),
        Flock::ABOUT
    ))
}

fn lanes(report: &Report) -> Option<String> {
    let of = |scalar: Method, simd, what| {
        let (scalar, simd) = largest(report, scalar.id(), simd)?;
        Some(format!("{} with {what} of {} agents", times(scalar, simd), grouped(simd.n)))
    };
    let cells = of(Method::CellsScalar, Method::CellsSimd, "cells");
    let pairs = of(Method::AllPairsScalar, Method::AllPairsSimd, "all pairs");
    let both: Vec<String> = cells.into_iter().chain(pairs).collect();
    (!both.is_empty()).then(|| format!("SIMD over scalar: {}.", both.join(", ")))
}

fn cells_over_pairs(report: &Report) -> Option<String> {
    let (slow, fast) = largest(report, Method::AllPairsSimd.id(), Method::CellsSimd)?;
    let crossover = report.crossovers.iter().find(|crossover| crossover.cells == fast.method);
    let from = match crossover.map(|crossover| crossover.n) {
        Some(n @ Crossing::At { .. }) => format!(", and faster from {n} agents on"),
        Some(Crossing::Below(n)) => format!(", and faster already at {} agents", grouped(n)),
        _ => String::new(),
    };
    Some(format!(
        "Cell space is {} as fast as all pairs at {} agents, both with SIMD{from}.",
        times(slow, fast),
        grouped(slow.n)
    ))
}

fn more_threads(report: &Report) -> Option<String> {
    let rows = || report.largest(THREADS);
    let of_experiment = rows().find(|row| row.threads == 1).zip(rows().min_by(Row::by_time));
    let (one, best) = of_experiment.or_else(|| {
        // Small crowds stay on one thread.
        let pair = largest(report, Method::CellsSimd.id(), Method::CellsSimdMt);
        pair.filter(|(_, threaded)| threaded.threads > 1)
    })?;
    Some(match best.threads {
        1 => format!("More threads are no faster than one, at {} agents.", grouped(one.n)),
        more => format!(
            "{} are {} as fast as one, at {} agents.",
            count(more, "thread"),
            times(one, best),
            grouped(one.n)
        ),
    })
}

fn fastest(report: &Report) -> Option<String> {
    let best = report.largest(SCALING).min_by(Row::by_time)?;
    Some(format!(
        "{} steers {} agents in {} per step: {} ns per agent on {}.",
        best.method,
        grouped(best.n),
        duration(best.seconds_per_step()),
        best.interval(),
        count(best.threads, "thread"),
    ))
}

fn growth(report: &Report) -> Option<String> {
    let slope = |method: Method| report.slope_of(method.id());
    let (pairs, cells) = (slope(Method::AllPairsSimd)?, slope(Method::CellsSimd)?);
    Some(format!("The time of all pairs grows as N^{pairs}, that of cell space as N^{cells}."))
}

/// The share of the limit at the largest crowd of each, on one thread.
fn near_the_limit(report: &Report) -> Option<String> {
    let reached = |method: Method| {
        let row = report.curve(SCALING, method.id()).pop()?;
        let percent = report.reached.get(&row.id)?.percent;
        Some((format!("{percent:.0} %"), grouped(row.n)))
    };
    let (pairs, of_pairs) = reached(Method::AllPairsSimd)?;
    let (cells, of_cells) = reached(Method::CellsSimd)?;
    Some(format!(
        "All pairs reach {pairs} of the limit of one thread at {of_pairs} agents, cell space \
         {cells} at {of_cells}."
    ))
}

/// Which partition suits crowds of a few agents, and what the engine chooses.
fn small_crowds(report: &Report) -> Option<String> {
    let small = report.common(SCALING, Method::CellsSimd.id(), Method::AllPairsSimd.id());
    let small = small.into_iter().filter(|(row, _)| row.n <= SMALL);
    let gain = |(cells, pairs): &(&Row, &Row)| Ratio::of(cells, pairs);
    let (cells, pairs) = small.max_by(|a, b| gain(a).times.total_cmp(&gain(b).times))?;
    let whole = Partition::AUTO_BATCHES * report.machine.lanes;
    Some(if gain(&(cells, pairs)).low > 1.0 {
        format!(
            "Of small crowds, those of {} agents gain most from all pairs: {} as fast as cells. \
             The engine chooses all pairs for up to {whole} agents.",
            grouped(cells.n),
            times(cells, pairs)
        )
    } else {
        format!(
            "No small crowd gains from all pairs, which the engine chooses for up to {whole} \
             agents."
        )
    })
}

fn whole_ladder(report: &Report) -> Option<String> {
    let rows = rungs(report);
    let (first, last) = (rows.first()?, rows.last()?);
    (rows.len() > 1).then(|| {
        format!(
            "From {} to {}, the step of {} agents becomes {} as fast, in {}.",
            first.method,
            last.method,
            grouped(first.n),
            times(first, last),
            count(rows.len() - 1, "rung")
        )
    })
}

fn best_kernel(report: &Report) -> Option<String> {
    let mut pairs = kernel_pairs(report);
    pairs.sort_by(|a, b| Ratio::of(a.0, a.1).times.total_cmp(&Ratio::of(b.0, b.1).times));
    let ((scalar, simd), most) = (pairs.first()?, pairs.last()?);
    Some(format!(
        "SIMD is {} ({}) to {} ({}) as fast as scalar, depending on the behavior.",
        times(scalar, simd),
        simd.point,
        times(most.0, most.1),
        most.1.point
    ))
}

fn crowding(report: &Report) -> Option<String> {
    let curve = report.largest_curve(DENSITY, Method::CellsSimd.id());
    let (sparse, dense) = (curve.first()?, curve.last()?);
    let per_pair = |row: &Row| digits(row.ns_per_agent_step / row.mean_neighbors);
    (curve.len() > 1).then(|| {
        format!(
            "From {} to {} neighbors the time per agent grows by a factor of {}; a useful pair \
             takes {} → {} ns.",
            sparse.x,
            dense.x,
            Ratio::of(dense, sparse),
            per_pair(sparse),
            per_pair(dense)
        )
    })
}

fn cell_height(report: &Report) -> Option<String> {
    let curve = report.largest_curve(CELL_SIZE, Method::CellsSimd.id());
    let rows = || curve.iter().copied();
    let usual = rows().find(|row| row.x == 1.0)?;
    let (best, worst) = (rows().min_by(Row::by_time)?, rows().max_by(Row::by_time)?);
    let own_choice = match best.x == usual.x {
        true => ", the engine's choice".to_owned(),
        false => format!("; the engine's choice, one, takes {} as long", times(usual, best)),
    };
    Some(format!(
        "Cells {} high are the fastest{own_choice}; {} view distances take {} as long.",
        if best.x == 1.0 {
            "one view distance".into()
        } else {
            format!("{} view distances", best.x)
        },
        worst.x,
        times(worst, best)
    ))
}

fn clustering(report: &Report) -> Option<String> {
    let per_pair = |point: &str| {
        let id = format!("{}/{}/{point}", CLUSTERED, Method::CellsSimd.id());
        report.row(&id).map(|row| digits(row.ns_per_agent_step / row.mean_neighbors))
    };
    let (uniform, settled) = (per_pair("uniform")?, per_pair("after 2,000 steps")?);
    Some(format!(
        "A flock that has drawn together takes {settled} ns per useful pair, a uniform crowd \
         {uniform} ns."
    ))
}

/// The engine's methods are compiled for every level, but the ladder and other crates only for the
/// build.
fn code_of_the_build(report: &Report) -> Option<String> {
    let machine = &report.machine;
    let others = Peer::ALL.into_iter().filter(|peer| *peer != Peer::Flockwork).map(Peer::id);
    let others = others.chain([Flock::ID]);
    let outside: Vec<&str> = Rung::ALL.into_iter().map(Rung::id).chain(others).collect();
    let held_back = machine.build != machine.level && machine.build == Level::Baseline.name();
    (held_back && report.rows.iter().any(|row| outside.contains(&row.method.as_str()))).then(|| {
        format!(
            "Code outside of the engine is compiled for {}; with RUSTFLAGS=\"-C target-cpu=native\" \
             it is faster, and speed-ups over it are smaller.",
            machine.build
        )
    })
}

/// How many rows remain in doubt.
fn doubts(report: &Report) -> String {
    let all = grouped(report.rows.len());
    match report.rows.iter().filter(|row| !row.is_trusted()).count() {
        0 => format!("None of {all} times is in doubt."),
        few => format!("{} of {all} times are in doubt; the table says why.", grouped(few)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::KERNELS;
    use crate::experiments::kernels::IDLE;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::roofline::{Bottleneck, Share};

    #[test]
    fn times_have_intervals_and_the_last_sentence_counts_rows_in_doubt() {
        let row =
            Row { ns_low: 19.8, ns_high: 20.2, ..quiet_row("scaling", "cells-simd", 100, 20.0) };
        let mut report = report_of(vec![row.clone(), Row { n: 50, ..row }]);
        assert_eq!(
            sentences(&report),
            [
                "cells-simd steers 100 agents in 2.00 µs per step: 20.0 [19.8, 20.2] ns per agent \
                 on 1 thread.",
                "None of 2 times is in doubt."
            ]
        );
        report.rows[0].doubts.push("the machine was busy".into());
        assert_eq!(sentences(&report)[1], "1 of 2 times are in doubt; the table says why.");
    }

    #[test]
    fn the_next_best_comes_first_whatever_else_is_measured() {
        let row = |method, ns| quiet_row("scaling", method, 10_000, ns);
        let rows = vec![row("cells-scalar", 300.0), row("cells-simd", 30.0), row(Flock::ID, 270.0)];
        let said = sentences(&report_of(rows));
        assert!(said[0].contains("10,000 agents 9.00 [9.00, 9.00] times as fast"), "{said:?}");
        assert!(said[1].starts_with("SIMD over scalar: 10.0 [10.0, 10.0] times"), "{said:?}");
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
            said.contains("16 agents gain most from all pairs: 1.50 [1.50, 1.50] times"),
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
        assert!(told(Flock::ID, Level::Baseline));
        assert!(!told(Rung::BookPairs.id(), Level::Avx512));
        assert!(!told(Method::CellsScalar.id(), Level::Baseline));
    }

    #[test]
    fn a_crowd_that_nothing_steers_is_not_a_behavior() {
        let row = |method, point: &str, ns| {
            let row = quiet_row(KERNELS, method, 100, ns);
            Row { point: point.into(), ..row }
        };
        let report = report_of(vec![
            row("cells-scalar", IDLE, 10.0),
            row("cells-simd", IDLE, 10.0),
            row("cells-scalar", "seek", 60.0),
            row("cells-simd", "seek", 10.0),
        ]);
        assert_eq!(
            best_kernel(&report).unwrap(),
            "SIMD is 6.00 [6.00, 6.00] times (seek) to 6.00 [6.00, 6.00] times (seek) as fast as \
             scalar, depending on the behavior."
        );
    }
}
