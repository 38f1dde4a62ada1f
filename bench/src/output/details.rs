//! The tables behind the answers: every ratio and time, the stages of a step, the machine's limits,
//! and the skipped rows.

use crate::experiment::Experiment;
use crate::numbers::{count, digits, duration, grouped, with_interval};
use crate::output::answers::marked;
use crate::output::behaviors;
use crate::output::table::{Rows, Section, Table};
use crate::output::uneven;
use crate::results::ratio::{Answer, Ratio};
use crate::results::report::{Report, Skipped};
use crate::results::row::{MIN_STEPS, Row, Stages};
use crate::roofline::Limits;
use crate::variant::Variant;

pub(super) fn sections(report: &Report) -> Vec<Section> {
    let experiments = report.experiments().into_iter();
    let rows = experiments.map(|experiment| match experiment {
        Experiment::Kernels => behaviors::costs(report),
        Experiment::Uneven => uneven::costs(report),
        Experiment::Heavy => Section { is_markdown: true, ..stages(report, experiment) },
        _ => times(report, experiment),
    });
    let asks_for_limits = ["roofline", "all"].contains(&&*report.setup.command);
    let limits = limits(report).map(|limits| Section { on_terminal: asks_for_limits, ..limits });
    let page_only = [growth(report), stages(report, Experiment::Scaling), slowest(report)];
    let page_only = page_only.map(|section| Section { on_terminal: false, ..section });
    let all = [ratios(report)].into_iter().chain(rows).chain([not_measured(report)]);
    let all = all.chain(limits).chain(page_only);
    all.filter(|section| !section.table.is_empty()).collect()
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
    let limits = rows.iter().any(|row| report.reached.contains_key(&row.id));
    let of_limit = if limits { " | of limit" } else { "" };
    let head = format!("variant | thr: | of first [95 %]: | ns [95 %]: | useful:{of_limit}");
    let line = |first: &Row, row: &Row| {
        let useful = row.useful_share().map(|share| format!("{:.0} %", 100.0 * share));
        let share = report.reached.get(&row.id);
        let of_limit = share.map(|it| format!("{:.0} %, {}", it.percent, it.bottleneck));
        let mut cells = vec![
            row.variant.to_string(),
            row.threads.to_string(),
            if row.id == first.id { "1×".into() } else { marked(&Ratio::of(first, row)) },
            with_interval(row.ns_per_agent_step, [row.ns_low, row.ns_high], "", digits),
            useful.unwrap_or_default(),
        ];
        cells.extend(limits.then(|| of_limit.unwrap_or_default()));
        cells
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
    let table = Table::grouped(&head, rows.chunk_by(|a, b| a.is_same_crowd(b)).map(group));
    let about = "Speed relative to the first variant of each crowd; ns per agent-step; share of tested \
                 pairs that are neighbors; share of the machine's limit, and the resource that sets \
                 the limit.";
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

fn limits(report: &Report) -> Option<Section> {
    let roofline = report.roofline.as_ref()?;
    let limits = &roofline.limits;
    let line = |name: &str, value: &dyn Fn(&Limits) -> f64| {
        let values = limits.iter().map(|limits| digits(value(limits) / 1.0e9));
        [name.to_owned()].into_iter().chain(values).collect::<Vec<_>>()
    };
    let calls = limits.iter().any(|limits| limits.rates.fma_calls);
    let mut lines = vec![
        line("add", &|limits| limits.rates.add),
        line("mul", &|limits| limits.rates.mul),
        line(if calls { "fma, in software" } else { "fma" }, &|limits| limits.rates.fma),
        line("add and fma", &|limits| limits.rates.add_and_fma),
        line("div", &|limits| limits.rates.div),
        line("sqrt", &|limits| limits.rates.sqrt),
        line("broadcast loads", &|limits| limits.rates.broadcast),
    ];
    // With more threads, fewer memory levels fit into memory. List only the levels that were
    // measured for every thread count.
    let bandwidths = limits.iter().map(|limits| &limits.bandwidths).min_by_key(|all| all.len())?;
    for (k, bandwidth) in bandwidths.iter().enumerate() {
        let name = format!("bytes copied, {}", bandwidth.level);
        lines.push(line(&name, &|limits| limits.bandwidths[k].copy));
    }
    let threads = limits.iter().map(|limits| format!(" | {}:", count(limits.threads, "thread")));
    let head = format!("billions per second{}", threads.collect::<String>());
    let about = "Measured rates of operations, counted per lane, and of bytes. Together with the counted \
                 work of a step, they give its shortest possible time. \"Of limit\" is that time as a \
                 share of the measured time, and the resource that bounds it.";
    Some(Section::new("Limits of the machine", about, Table::new(&head, lines)))
}
