//! The first screen of a report: the questions and their answers.

use crate::experiment::Experiment;
use crate::numbers::{compact, count, digits, duration, grouped, with_interval};
use crate::output::charts::FRAME;
use crate::output::table::{Rows, Table};
use crate::output::uneven;
use crate::results::fit::Crossing;
use crate::results::ratio::{Answer, Doubt, Ratio};
use crate::results::report::{Extrapolated, Report};
use crate::results::row::{Load, Row};
use crate::variant::Variant;

pub(super) struct Answers {
    pub(super) headline: String,
    pub(super) notice: Option<String>,
    pub(super) tables: Vec<Table>,
    pub(super) trust: String,
}

impl Answers {
    pub(super) fn of(report: &Report) -> Self {
        let tables = [ratios(report), variants(report)];
        let tables = tables.into_iter().filter(|table| !table.is_empty()).collect();
        Self { headline: headline(report), notice: notice(report), tables, trust: trust(report) }
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
        _ if answer.ratio.is_unknown() => format!("{place}, {}: unknown", answer.question),
        true => format!("{place}: a grid of cells is {times}× as fast as all pairs{mark}"),
        false => format!("{place}, {}: {times}× as fast{mark}", answer.question),
    }
}

pub(super) fn mark(ratio: &Ratio) -> &'static str {
    if ratio.doubt.is_some() { " ?" } else { "" }
}

pub(super) fn marked(ratio: &Ratio) -> String {
    format!("{ratio}{}", mark(ratio))
}

/// Lists each question's speed ratio for the largest crowd. If equally large crowds differ, lists
/// the lowest and highest. For scaling, covers only cells versus all pairs, the engine versus the
/// next best crate, and the cost of the third axis. Every experiment but the first gets at most two
/// ratios.
fn ratios(report: &Report) -> Table {
    let line = |answer: &Answer, name: &str| {
        vec![format!("{name}{}", answer.question), marked(&answer.ratio), answer.place.clone()]
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

fn extrapolated(report: &Report) -> Option<Vec<String>> {
    let Extrapolated { n, ratio } = report.extrapolated.as_ref()?;
    Some(vec!["the same, extrapolated".into(), marked(ratio), count(*n, "agent")])
}

fn crossing(report: &Report) -> Option<Vec<String>> {
    let doubted = |answer: &Answer| {
        answer.question.slow == Variant::AllPairsSimd && answer.ratio.is_unreliable()
    };
    let from = match report.crossover? {
        outside @ (Crossing::Below(_) | Crossing::Above(_))
            if report.ratios.iter().any(doubted) =>
        {
            format!("{outside} ?")
        }
        crossing => crossing.to_string(),
    };
    Some(vec!["cells win from".into(), from, "SIMD, one thread".into()])
}

/// Lists, for each variant, the largest crowd that reaches 60 steps per second, then the largest
/// measured crowd with its estimated and longest step times.
fn variants(report: &Report) -> Table {
    let line = |variant: &Variant| {
        let curve = report.curve(Experiment::Scaling, *variant);
        let row = *curve.last()?;
        let longest = row.worst.map_or(String::new(), |worst| {
            format!("{} ({})", duration(worst.maximum), grouped(worst.steps))
        });
        let (n, step) = (grouped(row.n), duration(row.seconds_per_step()));
        Some(vec![row.label(), crowd_in_time(&curve), n, step, longest])
    };
    let (own, others): (Vec<_>, Vec<_>) =
        report.variants_of(Experiment::Scaling).into_iter().partition(|it| it.is_of_engine());
    let own = own.iter().filter(|variant| **variant != Variant::CellsSimdAgain);
    let group = |name: &str, rows: Vec<_>| Rows { name: name.into(), rows };
    let groups = [
        group("flockwork", own.filter_map(line).collect()),
        group("the next best neighbor search", others.iter().filter_map(line).collect()),
    ];
    Table::grouped(
        "variant | agents at 60 steps/s: | largest: | its step: | longest (steps):",
        groups,
    )
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
        (Some((n, _, true)), _) => format!("{} (extrapolated)", compact(n)),
        (Some((n, _, false)), [Some(low), Some(high)]) => {
            with_interval(n, [low, high], "", compact)
        }
        (Some((n, ..)), _) => compact(n),
        (None, _) => format!("below {}", grouped(curve[0].n)),
    }
}

/// Returns a warning about the whole report, which is shown above the answers.
fn notice(report: &Report) -> Option<String> {
    let is_busy = |answer: &Answer| matches!(answer.ratio.doubt, Some(Doubt::Busy(_)));
    let blocks = report.rows.iter().flat_map(|row| &row.blocks);
    let load: Load = blocks.filter_map(|block| block.load).sum();
    let busy = (load.is_busy() || report.ratios.iter().any(is_busy)).then(|| {
        let share = digits(load.percent());
        format!(
            "Other processes took {share} % of a core: answers with a ? may be wrong, and times too long."
        )
    });
    let interrupted = report.interrupted.then(|| "Interrupted: not all rows were measured.".into());
    let said: Vec<String> = busy.into_iter().chain(interrupted).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn trust(report: &Report) -> String {
    let mut said = Vec::new();
    let shares_state = |row: &&Row| row.variant.shares_state();
    let mut crowds = report.rows.chunk_by(Row::is_same_crowd);
    let has_next_best = report.rows.iter().any(|row| row.variant == Variant::NextBest);
    if crowds.any(|rows| rows.iter().filter(shares_state).count() > 1) {
        let space = if report.setup.dimensions == 3 { " in 3D" } else { "" };
        let but = if has_next_best { " but zelll" } else { "" };
        said.push(format!("All variants{space}{but} reached the same state, bit for bit."));
    }
    if has_next_best {
        let words = "zelll saw as many neighbors and moved every agent to the same place, within a tolerance.";
        said.push(words.into());
    }
    if let Some(noise) = report.noise {
        let most = match noise {
            0.0..1.0 => format!("at most {:.1} %", 100.0 * noise),
            _ => "more than 100 %".into(),
        };
        said.push(format!("Two measurements of the same row differ by {most}."));
    }
    let all = report.ratios.len();
    match report.ratios.iter().filter(|answer| answer.ratio.doubt.is_some()).count() {
        _ if all == 0 => {}
        0 => said.push("No ratio is in doubt.".into()),
        few => said.push(format!("{few} of {all} ratios are in doubt (?).")),
    }
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Peer;
    use crate::results::fixtures::{quiet_row, report_of};

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
        let Answers { headline, tables, trust, .. } = answers(usual());
        assert_eq!(headline, "100,000 agents: a grid of cells is 500× as fast as all pairs");
        let [ratios, variants] = &tables[..] else { panic!("two tables") };
        let text = ratios.to_string();
        for words in [
            "cells over all pairs, SIMD",
            "500× [498, 503]  100,000 agents",
            "the same, extrapolated",
            "10,000× [9,950, 10,050]  2,000,000 agents",
            "cells win from",
            "200 agents [100, 1,000]  SIMD, one thread",
            "10.0× [9.95, 10.1]  100,000 agents",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let text = variants.to_string();
        assert!(text.contains("\nflockwork\n  all pairs, SIMD  "), "{text}");
        assert!(text.contains("  zelll, scalar  "), "{text}");
        for (n, step) in [("100,000", "1.00 s"), ("2,000,000", "40.0 ms")] {
            assert!(text.contains(&format!("  {n:>9}  {step:>8}")), "{n}: {text}");
        }
        // Agents per 16.7 ms: √(16.7e6 / 0.1) at 0.1 ns per pair, 16.7e6 / 20 at 20 ns per agent.
        for words in ["12.9k [12.9k, 12.9k]", "833k [833k, 833k]", "83.3k [83.3k"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let words = "All variants but zelll reached the same state, bit for bit. zelll saw \
                     as many neighbors and moved every agent to the same place, within a tolerance.";
        assert!(trust.starts_with(words), "{trust}");
        assert!(trust.contains("No ratio is in doubt"), "{trust}");
    }

    /// Regression: with only 60 steps, the reported 99th percentile equaled the longest step.
    #[test]
    fn the_longest_step_is_given_with_the_number_of_steps_and_without_a_percentile() {
        let mut row = scaling(Variant::CellsSimd, 10_000, 20.0);
        row.blocks[0].step_seconds = [vec![0.001; 59], vec![0.003]].concat();
        row.summarize();
        let text = answers(vec![row]).tables[0].to_string();
        assert!(text.contains("3.00 ms (60)") && !text.contains("99 %"), "{text}");
    }

    #[test]
    fn the_largest_crowd_at_60_steps_is_extrapolated_only_near_what_is_measured() {
        let crowd = |rows: &[Row]| crowd_in_time(&rows.iter().collect::<Vec<_>>());
        let cells = |n| scaling(Variant::CellsSimd, n, 20.0);
        assert_eq!(crowd(&[cells(1_000), cells(300_000)]), "833k (extrapolated)");
        assert_eq!(crowd(&[cells(1_000)]), "over 1,000");
        assert_eq!(crowd(&[cells(2_000_000)]), "below 2,000,000");
        let slow = scaling(Variant::CellsSimd, 1_000, 1.0e5);
        let interrupted = crowd(&[slow, cells(300_000), cells(2_000_000)]);
        assert_eq!(interrupted, "833k [833k, 833k]", "a slow small crowd does not count");
    }

    #[test]
    fn the_crowd_at_60_steps_lies_between_its_bounds() {
        let row = |n| Row { ns_low: 10.0, ns_high: 40.0, ..scaling(Variant::CellsSimd, n, 20.0) };
        let found = crowd_in_time(&[&row(100_000), &row(2_000_000)]);
        assert_eq!(found, "833k [417k, 1.67M]");
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
        assert!(
            trust.contains("Two measurements of the same row differ by at most 1.5 %"),
            "{trust}"
        );
        assert!(tables.iter().all(|table| !table.to_string().contains("again")));
    }

    #[test]
    fn a_busy_machine_is_mentioned_above_the_answers_and_its_ratios_are_marked() {
        let found = |others_seconds: f64| {
            let mut rows = usual();
            let load = Some(Load { others_seconds, wall_seconds: 1.0 });
            rows.iter_mut().flat_map(|row| &mut row.blocks).for_each(|block| block.load = load);
            answers(rows)
        };
        let notice = |share| found(share).notice.unwrap_or_default();
        assert_eq!(notice(0.03), "Interrupted: not all rows were measured.");
        assert!(
            notice(0.5).starts_with("Other processes took 50.0 % of a core: "),
            "{}",
            notice(0.5)
        );
        // A single doubtful ratio causes the warning; a report without ratios has no warning.
        let mut rows = usual();
        let few = rows.iter_mut().filter(|row| row.n == 100).flat_map(|row| &mut row.blocks);
        few.for_each(|block| {
            block.load = Some(Load { others_seconds: 0.5, wall_seconds: 1.0 });
        });
        let said = answers(rows).notice.unwrap_or_default();
        assert!(said.starts_with("Other processes took"), "{said}");
        let alone = answers(vec![scaling(Variant::CellsSimd, 1_000, 20.0)]);
        assert!(!alone.notice.unwrap_or_default().starts_with("Other"));
        let busy = found(0.5);
        assert!(busy.headline.ends_with(" ?"), "{}", busy.headline);
        let ratios = busy.tables[0].to_string();
        assert_eq!(ratios.matches(" ?").count(), 4, "all ratios and the crossover: {ratios}");
        // Regression: on a busy machine, "above 100 agents" had no question mark.
        let mut rows = usual();
        rows.retain(|row| row.n == 100);
        rows.iter_mut().for_each(|row| row.blocks.truncate(2));
        let ratios = answers(rows).tables[0].to_string();
        assert!(ratios.contains("above 100 agents ?"), "{ratios}");
    }

    #[test]
    fn a_single_variant_has_reached_no_other_state() {
        let rows = [1_000, 10_000].map(|n| scaling(Variant::CellsSimd, n, 20.0));
        assert_eq!(answers(rows.to_vec()).trust, "");
    }

    /// Regression: the report claimed that all variants reached the same state, although zelll and
    /// other crates' neighbor searches do not reach the engine's state.
    #[test]
    fn only_the_engine_is_said_to_reach_the_same_state() {
        let of = |variants: &[Variant]| {
            answers(variants.iter().map(|&variant| scaling(variant, 1_000, 20.0)).collect()).trust
        };
        let same = "reached the same state, bit for bit.";
        assert!(!of(&[Variant::CellsSimd, Variant::NextBest]).contains(same));
        assert!(!of(&Peer::ALL.map(Variant::Peer)).contains(same));
        let engine = of(&[Variant::CellsScalar, Variant::CellsSimd]);
        assert!(engine.starts_with("All variants reached the same state, bit for bit."));
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
            text.contains("3.00× [2.99, 3.02]  flee") && text.contains("6.00× [5.97, 6.03]  seek")
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
