//! How ways to compute the same steps compare: rungs, instruction sets, behaviors, other crates.

use flockwork::LaneWidth;
use flockwork::cpu::Level;

use crate::experiments::{kernels, ladder, scaling};
use crate::method::Method;
use crate::numbers::{count, grouped};
use crate::output::levels;
use crate::peers::{Flock, Peer, Task};
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::rungs::Rung;

/// How many times as fast as the next best, on one thread.
pub(super) fn next_best(report: &Report) -> Option<String> {
    let (next, own) = report.common(scaling::NAME, Flock::ID, Method::CellsSimd.id()).pop()?;
    Some(format!(
        "flockwork steps a flock of {} agents {} times as fast as {}, the next best here, on one \
         thread.",
        grouped(own.n),
        Ratio::of(next, own),
        next.method
    ))
}

pub(super) fn whole_ladder(report: &Report) -> Option<String> {
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

/// What each level takes at its own width, and which levels the processor lacks.
pub(super) fn instruction_sets(report: &Report) -> Option<String> {
    let own = |level: Level| levels::row(report, level, LaneWidth::of(level));
    let rows: Vec<&Row> = Level::ALL.into_iter().filter_map(own).collect();
    let n = rows.first()?.n;
    let of = |row: &&Row| format!("{} ns ({})", row.interval(), row.method);
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

pub(super) fn best_kernel(report: &Report) -> Option<String> {
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

pub(super) fn against_peers(report: &Report) -> Option<String> {
    let count = Task::Count.id();
    let n = report.largest(count).next()?.n;
    let row = |peer: Peer| report.row(&format!("{count}/{}/{n}", peer.id()));
    let rows: Vec<&Row> = Peer::ALL.into_iter().filter_map(row).collect();
    let of = |row: &&Row| format!("{} {} ns", row.method, row.interval());
    let sentence = format!(
        "Counting the neighbors of {} points on one thread takes, per point, {}",
        grouped(n),
        rows.iter().map(of).collect::<Vec<_>>().join(", ")
    );
    Some(sentence + ".")
}

/// The engine's methods are compiled for every level, but the ladder and other crates only for the
/// build.
pub(super) fn code_of_the_build(report: &Report) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

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
}
