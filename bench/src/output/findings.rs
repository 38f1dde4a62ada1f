//! The main results of a report as sentences, each ratio and time with its interval. The last one
//! says how many rows remain in doubt.

use flockwork::cpu::Level;

use crate::experiments::SCALING;
use crate::method::Method;
use crate::numbers::{count, duration, grouped};
use crate::results::fit::Crossing;
use crate::results::ratio::{Answer, Ratio};
use crate::results::report::Report;
use crate::results::row::Row;

/// The main results: ratios before times, most important first.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let mut all = answers(report, SCALING);
    all.extend([fastest(report), growth(report), near_the_limit(report)].into_iter().flatten());
    for experiment in report.experiments().into_iter().filter(|name| *name != SCALING) {
        all.extend(answers(report, experiment).into_iter().take(1));
        all.extend(extremes(report, experiment));
    }
    all.extend(code_of_the_build(report));
    all.push(doubts(report));
    all
}

/// `6.86 [6.77, 6.94] times as fast`.
fn times(ratio: &Ratio) -> String {
    format!("{ratio} times as fast{}", if ratio.doubt.is_some() { " (in doubt)" } else { "" })
}

/// The answers to the questions of an experiment, each at the largest crowd that answers it; of
/// several points with that crowd, the lowest and the highest.
fn answers(report: &Report, experiment: &str) -> Vec<String> {
    let what = if experiment == SCALING { String::new() } else { format!("{experiment}: ") };
    let mut asked: Vec<(&str, Vec<(&Answer, &Row)>)> = Vec::new();
    for (answer, row) in report.largest_answers(experiment) {
        match asked.iter_mut().find(|(question, _)| *question == answer.question) {
            Some((_, found)) => found.push((answer, row)),
            None => asked.push((&answer.question, vec![(answer, row)])),
        }
    }
    let sentence = |(question, mut found): (&str, Vec<(&Answer, &Row)>)| {
        found.sort_by(|a, b| a.0.ratio.times.total_cmp(&b.0.ratio.times));
        let at = |(answer, row): &(&Answer, &Row)| {
            format!("{} at {}", times(&answer.ratio), row.place())
        };
        match &found[..] {
            [lowest, .., highest] => {
                format!("{what}{question}: {} to {}.", at(lowest), at(highest))
            }
            one => format!("{what}{question}: {}.", one.iter().map(at).collect::<String>()),
        }
    };
    asked.into_iter().map(sentence).collect()
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
    let crossed = report.crossovers.iter().find(|crossed| crossed.cells == cells.method);
    let from = match crossed.map(|crossed| crossed.n) {
        Some(n @ Crossing::At { .. }) => format!(", which is faster from {n} agents on"),
        Some(Crossing::Below(n)) => format!(", which is faster already at {} agents", grouped(n)),
        _ => String::new(),
    };
    Some(format!(
        "The time of all pairs grows as N^{pairs}, that of cell space, both with SIMD, as \
         N^{cells}{from}."
    ))
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

/// Which of several points takes least and most time per agent, with cells and SIMD on one thread.
fn extremes(report: &Report, experiment: &str) -> Option<String> {
    let rows = || report.largest(experiment).filter(|row| row.method == Method::CellsSimd.id());
    let (best, worst) = (rows().min_by(Row::by_time)?, rows().max_by(Row::by_time)?);
    (best.point != worst.point).then(|| {
        format!(
            "{experiment}: {} takes {} ns per agent-step, the least, and {} {}, the most.",
            best.place(),
            best.interval(),
            worst.place(),
            worst.interval()
        )
    })
}

/// The engine's methods are compiled for every level, but the ladder and other crates only for the
/// build.
fn code_of_the_build(report: &Report) -> Option<String> {
    let machine = &report.machine;
    let held_back = machine.build != machine.level && machine.build == Level::Baseline.name();
    (held_back && report.rows.iter().any(|row| !row.is_of_engine())).then(|| {
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
    use crate::experiments::{DENSITY, KERNELS};
    use crate::peers::Flock;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::roofline::{Bottleneck, Share};

    /// A report in which the second method of each pair is compared with the first.
    fn asked(rows: Vec<Row>, pairs: &[[&str; 2]]) -> Report {
        let mut report = report_of(rows);
        let id = |row: &Row, method: &str| format!("{}/{method}/{}", row.experiment, row.point);
        for [slow, fast] in pairs {
            for row in report.rows.clone() {
                report.ask(&format!("{fast} over {slow}"), &id(&row, slow), &id(&row, fast));
            }
        }
        report
    }

    #[test]
    fn times_have_intervals_and_the_last_sentence_counts_rows_in_doubt() {
        let row = Row {
            ns_low: 19.8,
            ns_high: 20.2,
            pairs_per_agent: Some(80.0),
            ..quiet_row("scaling", "cells-simd", 100, 20.0)
        };
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
    fn answers_are_in_the_order_of_questions_each_at_its_largest_crowd() {
        let row = |method, n, ns| quiet_row("scaling", method, n, ns);
        let rows = vec![
            row("cells-scalar", 10_000, 300.0),
            row("cells-simd", 10_000, 30.0),
            row(Flock::ID, 10_000, 270.0),
            row("cells-scalar", 100, 300.0),
            row("cells-simd", 100, 60.0),
            row("all-pairs-simd", 100, 90.0),
        ];
        let pairs = [
            [Flock::ID, "cells-simd"],
            ["cells-scalar", "cells-simd"],
            ["all-pairs-simd", "cells-simd"],
        ];
        let said = sentences(&asked(rows, &pairs));
        let words = "9.00 [9.00, 9.00] times as fast at 10,000 agents.";
        assert_eq!(said[0], format!("cells-simd over {}: {words}", Flock::ID));
        assert!(said[1].starts_with("cells-simd over cells-scalar: 10.0 [10.0, 10.0] times"));
        // All pairs are not measured with large crowds.
        let words = "1.50 [1.50, 1.50] times as fast at 100 agents.";
        assert_eq!(said[2], format!("cells-simd over all-pairs-simd: {words}"));
        assert!(said[3].starts_with("cells-simd steers"), "{said:?}");
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
        let told = |pairs_per_agent: Option<f64>, build: Level| {
            let row = Row { pairs_per_agent, ..quiet_row("ladder", "any", 100, 20.0) };
            let mut report = report_of(vec![row]);
            report.machine.build = build.name().into();
            report.machine.level = Level::Avx512.name().into();
            code_of_the_build(&report).is_some()
        };
        assert!(told(None, Level::Baseline));
        assert!(!told(None, Level::Avx512));
        assert!(!told(Some(20.0), Level::Baseline));
    }

    #[test]
    fn of_several_points_the_lowest_and_the_highest_are_said() {
        let row = |method, point: &str, ns| {
            let row = quiet_row(KERNELS, method, 100, ns);
            Row { id: format!("{KERNELS}/{method}/{point}"), point: point.into(), ..row }
        };
        let rows = ["seek", "flee", "hide"].into_iter().zip([10.0, 20.0, 15.0]);
        let rows = rows.flat_map(|(point, ns)| {
            [row("cells-scalar", point, 60.0), row("cells-simd", point, ns)]
        });
        let report = asked(rows.collect(), &[["cells-scalar", "cells-simd"]]);
        let said = sentences(&report);
        assert_eq!(
            said[..2],
            [
                "kernels: cells-simd over cells-scalar: 3.00 [3.00, 3.00] times as fast at flee to \
                 6.00 [6.00, 6.00] times as fast at seek.",
                "kernels: seek takes 10.0 [10.0, 10.0] ns per agent-step, the least, and flee 20.0 \
                 [20.0, 20.0], the most."
            ]
        );
        assert_eq!(extremes(&report, DENSITY), None);
    }
}
