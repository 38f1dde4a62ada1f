//! The tables behind the answers: every ratio and time, the stages of a step, and the skipped rows.

use crate::experiment::Experiment;
use crate::numbers::{digits, duration, grouped, with_interval};
use crate::output::answers::marked;
use crate::output::behaviors;
use crate::output::table::{Rows, Section, Table};
use crate::output::uneven;
use crate::results::ratio::{Answer, Ratio};
use crate::results::report::{Report, Skipped};
use crate::results::row::{MIN_STEPS, Row, Stages};
use crate::variant::Variant;

pub(super) fn sections(report: &Report) -> Vec<Section> {
    let experiments = report.experiments().into_iter();
    let rows = experiments.map(|experiment| match experiment {
        Experiment::Kernels => behaviors::costs(report),
        Experiment::Uneven => uneven::costs(report),
        Experiment::Heavy => Section { is_markdown: true, ..stages(report, experiment) },
        _ => times(report, experiment),
    });
    let page_only = [growth(report), stages(report, Experiment::Scaling), slowest(report)];
    let page_only = page_only.map(|section| Section { on_terminal: false, ..section });
    let all = [ratios(report)].into_iter().chain(rows).chain([not_measured(report)]);
    all.chain(page_only).filter(|section| !section.table.is_empty()).collect()
}

fn not_measured(report: &Report) -> Section {
    let line = |stopped: &Skipped| vec![stopped.id.clone(), stopped.reason.clone()];
    let table = Table::new("row | why", report.stopped.iter().map(line).collect());
    Section::new("Not measured", "", table)
}

fn ratios(report: &Report) -> Section {
    let line = |answer: &&Answer| {
        vec![answer.question.to_string(), marked(&answer.ratio), answer.place.clone()]
    };
    let group = |experiment: Experiment| Rows {
        name: experiment.to_string(),
        rows: report.largest_answers(experiment).iter().map(line).collect(),
    };
    let groups = report.experiments().into_iter().map(group);
    let table = Table::grouped("question | times as fast [95 %]: | at", groups);
    let about = "Both variants run alternately, at the largest crowd measured with both, so that noise \
                 that slows down both cancels out. A ? marks an answer that may be wrong.";
    Section::new("Ratios", about, table)
}

fn times(report: &Report, experiment: Experiment) -> Section {
    let rows: Vec<&Row> = report.rows_of(experiment).collect();
    let line = |first: &Row, row: &Row| {
        let useful = row.useful_share().map(|share| format!("{:.0} %", 100.0 * share));
        vec![
            row.variant.to_string(),
            row.threads.to_string(),
            if row.id == first.id { "1×".into() } else { marked(&Ratio::of(first, row)) },
            with_interval(row.ns_per_agent_step, [row.ns_low, row.ns_high], "", digits),
            useful.unwrap_or_default(),
        ]
    };
    let group = |rows: &[&Row]| {
        let Row { mean_neighbors, state_hash, .. } = rows[0];
        let neighbors = digits(*mean_neighbors);
        let crowd = rows[0].crowd_name();
        Rows {
            name: format!("{crowd}: {neighbors} neighbors on average, state {state_hash}"),
            rows: rows.iter().map(|row| line(rows[0], row)).collect(),
        }
    };
    let head = "variant | thr: | of first [95 %]: | ns [95 %]: | useful:";
    let table = Table::grouped(head, rows.chunk_by(|a, b| a.is_same_crowd(b)).map(group));
    let about = "Speed relative to the first variant of each crowd; ns per agent-step; share of tested \
                 pairs that are neighbors.";
    Section::new(format!("Times: {experiment}"), about, table)
}

fn growth(report: &Report) -> Section {
    let slopes = report.slopes.iter().map(|slope| {
        let range = format!("{} to {}", grouped(slope.from_n), grouped(slope.to_n));
        let [low, high] = [slope.slope - slope.error, slope.slope + slope.error];
        let grows = format!("N^{:.2} [{low:.2}, {high:.2}]", slope.slope);
        vec![slope.variant.words(), grows, range]
    });
    let table = Table::new("variant | time of a step: | agents:", slopes.collect());
    Section::new("Growth with the number of agents", "Fitted to large crowds.", table)
}

fn stages(report: &Report, experiment: Experiment) -> Section {
    let rows = report.curve(experiment, Variant::CellsSimd);
    let line = |row: &&Row| {
        let ns = [row.ns_per_agent_step].into_iter().chain(row.stages_ns?.0).map(digits);
        let of_first = digits(row.ns_per_agent_step / rows[0].ns_per_agent_step);
        Some([row.crowd_name()].into_iter().chain(ns).chain([format!("{of_first}×")]).collect())
    };
    let head = format!(
        "crowd | step: | {}: | of the first:",
        Stages::NAMES.join(": | ").replace('_', "-")
    );
    let table = Table::new(&head, rows.iter().filter_map(line).collect());
    let about = "ns per agent by the engine's own clock, with cells and SIMD on one thread.";
    Section::new(format!("Stages of a step: {experiment}"), about, table)
}

fn slowest(report: &Report) -> Section {
    let line = |row: &Row| {
        let worst = row.worst?;
        let [most, longest] = [worst.percentile_99, Some(worst.maximum)];
        let [most, longest] = [most, longest].map(|it| it.map_or(String::new(), duration));
        let step = duration(row.seconds_per_step());
        Some(vec![row.id.clone(), grouped(worst.steps), step, most, longest])
    };
    let rows = report.rows_of(Experiment::Scaling).filter_map(line).collect();
    let head = "row | steps: | time of a step: | 99 % within: | longest:";
    let about = format!(
        "Steps timed one by one, since slow steps drop frames. Below {MIN_STEPS} steps, hardly any \
         exceed the 99th percentile, so it is left out."
    );
    Section::new("Slowest steps", about, Table::new(head, rows))
}
