//! The first screen of a report: the questions and their answers.

use crate::experiment::Experiment;
use crate::numbers::{count, digits, duration, grouped, rounded};
use crate::output::charts::FRAME;
use crate::output::table::{Rows, Table};
use crate::output::uneven;
use crate::results::ratio::{Answer, Ratio};
use crate::results::report::Report;
use crate::results::row::Row;
use crate::variant::Variant;

pub(super) struct Answers {
    pub(super) headline: String,
    pub(super) tables: Vec<Table>,
    pub(super) trust: String,
}

impl Answers {
    pub(super) fn of(report: &Report) -> Self {
        let tables = [ratios(report), variants(report)];
        let tables = tables.into_iter().filter(|table| !table.is_empty()).collect();
        Self { headline: headline(report), tables, trust: trust(report) }
    }
}

fn headline(report: &Report) -> String {
    let Some(first) = report.experiments().first().copied() else {
        return "Nothing was measured".into();
    };
    if first == Experiment::Uneven {
        return uneven::headline(report);
    }
    let answers = report.largest_answers(first);
    let is_main = |answer: &&&Answer| answer.question.slow == Variant::AllPairsSimd;
    let Some(answer) = answers.iter().find(is_main).or(answers.first()) else {
        let rows = report.largest(first);
        let fastest = rows.min_by(|a, b| a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step));
        let best = fastest.expect("the experiment has rows");
        let step = duration(best.seconds_per_step());
        return format!("{step} for a step of {}, {}", best.crowd_name(), best.label());
    };
    let (times, mark) = (digits(answer.ratio.times), mark(&answer.ratio));
    let place =
        format!("{}{}", answer.place, if report.setup.dimensions == 3 { " in 3D" } else { "" });
    match is_main(&answer) {
        true => format!("{place}: a grid of cells is {times}× as fast as all pairs{mark}"),
        false => format!("{place}, {}: {times}× as fast{mark}", answer.question),
    }
}

pub(super) fn mark(ratio: &Ratio) -> &'static str {
    if ratio.doubt.is_some() { " ?" } else { "" }
}

/// Lists each question's speed ratio for the largest crowd. If equally large crowds differ, lists
/// the lowest and highest. For scaling, covers only cells versus all pairs, the engine versus the
/// next best crate, and the cost of the third axis. Every experiment but the first gets at most two ratios.
fn ratios(report: &Report) -> Table {
    let line = |answer: &Answer, name: &str| {
        let times = format!("{}{}", answer.ratio, mark(&answer.ratio));
        vec![format!("{name}{}", answer.question), times, answer.place.clone()]
    };
    let mut lines = Vec::new();
    let all = report.experiments();
    for (k, experiment) in all.iter().copied().enumerate() {
        let answers = report.largest_answers(experiment);
        if experiment == Experiment::Scaling {
            let over = |slow| answers.iter().find(move |answer| answer.question.slow == slow);
            lines.extend(over(Variant::AllPairsSimd).map(|answer| line(answer, "")));
            lines.extend(extrapolated(report));
            lines.extend(crossing(report));
            lines.extend(over(Variant::NextBest).map(|answer| line(answer, "")));
            let of_axis = |answer: &&&Answer| answer.question.fast.is_flat();
            lines.extend(answers.iter().find(of_axis).map(|answer| line(answer, "")));
            continue;
        }
        let is_end = |answer: &&&Answer| {
            let times = |it: &Answer| it.ratio.times;
            let mut same = answers.iter().filter(|other| other.question == answer.question);
            same.clone().all(|other| times(other) >= times(answer))
                || same.all(|other| times(other) <= times(answer))
        };
        let name = if all.len() > 1 { format!("{experiment}: ") } else { String::new() };
        let most = if k == 0 { usize::MAX } else { 2 };
        lines.extend(answers.iter().filter(is_end).take(most).map(|answer| line(answer, &name)));
    }
    Table::new("question | answer [95 %]: | at", lines)
}

/// Speed-up of cells over all pairs for the largest crowd, whose all-pairs time is extrapolated.
fn extrapolated(report: &Report) -> Option<Vec<String>> {
    let cells = report.curve(Experiment::Scaling, Variant::CellsSimd).pop()?;
    let pairs = report.curve(Experiment::Scaling, Variant::AllPairsSimd).pop()?;
    // The number of pairs is exactly n². A fitted exponent would magnify its error.
    let seconds = pairs.seconds_per_step() * (cells.n as f64 / pairs.n as f64).powi(2);
    (cells.n > pairs.n).then(|| {
        let times = rounded(seconds / cells.seconds_per_step(), 2) + "× (extrapolated)";
        vec!["the same at the largest crowd".into(), times, cells.crowd_name()]
    })
}

fn crossing(report: &Report) -> Option<Vec<String>> {
    let from = format!("{} agents", report.crossover?);
    Some(vec!["cells win from".into(), from, "one thread".into()])
}

/// Lists, for each variant, the largest crowd that reaches 60 steps per second, then the largest
/// measured crowd with its estimated and longest step times.
fn variants(report: &Report) -> Table {
    let line = |variant: &Variant| {
        let curve = report.curve(Experiment::Scaling, *variant);
        let row = *curve.last()?;
        let longest = row.worst.map_or(String::new(), |worst| {
            format!("{} in {}", duration(worst.maximum), count(worst.steps, "step"))
        });
        let (n, step) = (grouped(row.n), duration(row.seconds_per_step()));
        Some(vec![row.label(), crowd_in_time(&curve), n, step, longest])
    };
    let (own, others): (Vec<_>, Vec<_>) =
        report.variants_of(Experiment::Scaling).into_iter().partition(|it| it.is_of_engine());
    let own = own.iter().filter(|variant| **variant != Variant::CellsSimdAgain);
    let group = |name: &str, rows: Vec<_>| Rows { name: name.into(), rows };
    let groups = vec![
        group("flockwork", own.filter_map(line).collect()),
        group(
            "the same flock on the next best neighbor search",
            others.iter().filter_map(line).collect(),
        ),
    ];
    let groups = groups.into_iter().filter(|group| !group.rows.is_empty()).collect();
    let head = "variant | agents at 60 steps/s: | largest measured: | its step: | longest step:";
    Table { groups, ..Table::new(head, Vec::new()) }
}

fn crowd_in_time(curve: &[&Row]) -> String {
    let crowd = |ns: fn(&Row) -> f64| {
        let seconds = |row: &Row| row.seconds(ns(row));
        let last = curve.iter().rposition(|row| seconds(row) <= FRAME)?;
        let row = curve[last];
        let slope = curve.get(last + 1).map_or(row.variant.expected_slope(), |next| {
            (seconds(next) / seconds(row)).ln() / (next.n as f64 / row.n as f64).ln()
        });
        let more = (FRAME / seconds(row)).powf(1.0 / slope);
        Some((row.n as f64 * more, more, last + 1 == curve.len()))
    };
    let bounds = [crowd(|row| row.ns_high), crowd(|row| row.ns_low)].map(|end| Some(end?.0));
    match (crowd(|row| row.ns_per_agent_step), bounds) {
        (Some((_, more, true)), _) if more > 10.0 => {
            format!("over {}", grouped(curve[curve.len() - 1].n))
        }
        (Some((n, _, true)), _) => format!("{} (extrapolated)", rounded(n, 2)),
        (Some((n, _, false)), [Some(low), Some(high)]) => {
            format!("{} [{}, {}]", rounded(n, 3), rounded(low, 3), rounded(high, 3))
        }
        (Some((n, ..)), _) => rounded(n, 3),
        (None, _) => format!("below {}", grouped(curve[0].n)),
    }
}

fn trust(report: &Report) -> String {
    let mut said = match report.setup.dimensions {
        3 => "All variants in 3D reached the same state, bit for bit".to_owned(),
        _ => "All variants reached the same state, bit for bit".to_owned(),
    };
    if let Some(noise) = report.noise {
        said += &format!("; two copies of one row differ by at most {:.1} %", 100.0 * noise);
    }
    said += &match report.ratios.iter().filter(|answer| answer.ratio.doubt.is_some()).count() {
        0 => "; no ratio is in doubt".to_owned(),
        few => format!("; {few} of {} ratios are in doubt (?)", report.ratios.len()),
    };
    let disturbed = report.rows.iter().filter(|row| row.is_disturbed()).count();
    if 2 * disturbed > report.rows.len() {
        said += ". Other processes kept the machine busy: times may be too long";
    }
    if report.interrupted {
        said += ". Interrupted: not all rows were measured";
    }
    said + "."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

    fn scaling(variant: Variant, n: usize, ns: f64) -> Row {
        quiet_row(Experiment::Scaling, variant, n, ns)
    }

    fn answers(rows: Vec<Row>) -> Answers {
        let mut report = report_of(rows);
        report.conclude();
        Answers::of(&report)
    }

    fn usual() -> Vec<Row> {
        let of_size = |n: usize| {
            let pairs = scaling(Variant::AllPairsSimd, n, 0.1 * n as f64);
            [pairs, scaling(Variant::CellsSimd, n, 20.0), scaling(Variant::NextBest, n, 200.0)]
        };
        let mut rows: Vec<Row> = [100, 1_000, 10_000, 100_000].map(of_size).concat();
        rows.extend([1_000_000, 2_000_000].map(|n| scaling(Variant::CellsSimd, n, 20.0)));
        rows
    }

    #[test]
    fn the_first_screen_says_how_much_faster_from_when_and_how_many() {
        let Answers { headline, tables, trust } = answers(usual());
        assert_eq!(headline, "100,000 agents: a grid of cells is 500× as fast as all pairs");
        let [ratios, variants] = &tables[..] else { panic!("two tables") };
        let text = ratios.to_string();
        for words in [
            "cells over all pairs, SIMD",
            "500× [500, 500]  100,000 agents",
            "10,000× (extrapolated)  2,000,000 agents",
            "cells win from",
            "200 [200, 200] agents  one thread",
            "10.0× [10.0, 10.0]  100,000 agents",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let text = variants.to_string();
        assert!(text.contains("\nflockwork\n  all pairs, SIMD  "), "{text}");
        assert!(text.contains("  zelll, scalar  "), "{text}");
        for (n, step) in [("100,000", "1.00 s"), ("2,000,000", "40.0 ms")] {
            assert!(text.contains(&format!("  {n:>16}  {step:>8}")), "{n}: {text}");
        }
        // Agents per 16.7 ms: √(16.7e6 / 0.1) at 0.1 ns per pair, 16.7e6 / 20 at 20 ns per agent.
        for words in ["12,900 [12,900, 12,900]", "833,000 [833,000, 833,000]", "83,300 [83,300"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(trust.contains("no ratio is in doubt"), "{trust}");
    }

    /// Regression: with only 60 steps, the reported 99th percentile equaled the longest step.
    #[test]
    fn the_longest_step_is_given_with_the_number_of_steps_and_without_a_percentile() {
        let mut row = scaling(Variant::CellsSimd, 10_000, 20.0);
        row.blocks[0].step_seconds = [vec![0.001; 59], vec![0.003]].concat();
        row.summarize();
        let text = answers(vec![row]).tables[0].to_string();
        assert!(text.contains("3.00 ms in 60 steps") && !text.contains("99 %"), "{text}");
    }

    #[test]
    fn the_largest_crowd_at_60_steps_is_extrapolated_only_near_what_is_measured() {
        let crowd = |rows: &[Row]| crowd_in_time(&rows.iter().collect::<Vec<_>>());
        let cells = |n| scaling(Variant::CellsSimd, n, 20.0);
        assert_eq!(crowd(&[cells(1_000), cells(300_000)]), "830,000 (extrapolated)");
        assert_eq!(crowd(&[cells(1_000)]), "over 1,000");
        assert_eq!(crowd(&[cells(2_000_000)]), "below 2,000,000");
        let slow = scaling(Variant::CellsSimd, 1_000, 1.0e5);
        let interrupted = crowd(&[slow, cells(300_000), cells(2_000_000)]);
        assert_eq!(interrupted, "833,000 [833,000, 833,000]", "a slow small crowd does not count");
    }

    #[test]
    fn the_crowd_at_60_steps_lies_between_its_bounds() {
        let row = |n| Row { ns_low: 10.0, ns_high: 40.0, ..scaling(Variant::CellsSimd, n, 20.0) };
        let found = crowd_in_time(&[&row(100_000), &row(2_000_000)]);
        assert_eq!(found, "833,000 [417,000, 1,670,000]");
    }

    #[test]
    fn nothing_is_extrapolated_that_was_measured() {
        let mut rows = usual();
        rows.retain(|row| row.n <= 100_000);
        let text = answers(rows).tables[0].to_string();
        assert!(!text.contains("extrapolated"), "{text}");
    }

    #[test]
    fn experiments_after_the_first_have_two_ratios() {
        use Variant::{AllPairsScalar, AllPairsSimd, CellsScalar, CellsSimd};
        let rows = [Experiment::Density, Experiment::Scenes].map(|experiment| {
            [AllPairsScalar, AllPairsSimd, CellsScalar, CellsSimd]
                .map(|variant| quiet_row(experiment, variant, 100, 10.0))
        });
        let text = answers(rows.concat()).tables[0].to_string();
        let ratios = |name: &str| text.lines().filter(|line| line.contains(name)).count();
        assert_eq!([ratios("density: "), ratios("scenes: ")], [4, 2], "{text}");
    }

    #[test]
    fn the_second_copy_of_a_row_is_only_listed_as_noise() {
        let row = |variant, ns| scaling(variant, 10_000, ns);
        let rows = vec![row(Variant::CellsSimd, 20.0), row(Variant::CellsSimdAgain, 20.2)];
        let Answers { tables, trust, .. } = answers(rows);
        assert!(trust.contains("two copies of one row differ by at most 1.0 %"), "{trust}");
        assert!(tables.iter().all(|table| !table.to_string().contains("again")));
    }

    #[test]
    fn a_machine_that_was_busy_during_most_rows_is_mentioned() {
        let is_said = |disturbed: usize| {
            let mut rows = usual();
            rows.iter_mut().take(disturbed).for_each(|row| row.waited = Some(0.5));
            answers(rows).trust.contains("Other processes kept the machine busy")
        };
        let half = usual().len() / 2;
        assert!(!is_said(half) && is_said(half + 1));
    }

    #[test]
    fn of_several_points_the_lowest_and_the_highest_are_said() {
        let row = |variant, point: &str, ns| {
            let row = quiet_row(Experiment::Kernels, variant, 100, ns);
            Row { id: format!("kernels/{variant}/{point}"), point: point.into(), ..row }
        };
        let rows = [("seek", 10.0), ("flee", 20.0), ("hide", 15.0)].map(|(point, ns)| {
            [row(Variant::CellsScalar, point, 60.0), row(Variant::CellsSimd, point, ns)]
        });
        let found = answers(rows.concat());
        assert_eq!(found.headline, "seek, SIMD over scalar, cells: 6.00× as fast");
        let text = found.tables[0].to_string();
        assert!(
            text.contains("3.00× [3.00, 3.00]  flee") && text.contains("6.00× [6.00, 6.00]  seek")
        );
        assert!(!text.contains("hide"), "{text}");
    }

    #[test]
    fn marks_are_only_on_answers_that_could_be_others() {
        let mut rows = usual();
        rows.retain(|row| row.n == 1_000);
        rows[0].blocks.truncate(2);
        let Answers { headline, trust, .. } = answers(rows);
        assert_eq!(headline, "1,000 agents: a grid of cells is 5.00× as fast as all pairs ?");
        assert!(trust.contains("1 of 2 ratios are in doubt (?)"), "{trust}");
    }
}
