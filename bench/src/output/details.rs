//! The tables behind the answers: every ratio and time, the stages of a step,
//! the limits of the machine, and the rows that were left out.

use crate::experiment::Experiment;
use crate::method::Method;
use crate::numbers::{count, digits, grouped};
use crate::output::answers::mark;
use crate::output::behaviors;
use crate::output::table::{Rows, Section, Table};
use crate::results::ratio::{Answer, Ratio};
use crate::results::report::{Report, Skipped};
use crate::results::row::{Row, Stages};
use crate::roofline::{Limits, Share};

/// Sections shown both on the terminal and in the HTML report.
pub(super) fn shared_sections(report: &Report) -> Vec<Section> {
    let experiments = report.experiments().into_iter();
    let rows = experiments.map(|experiment| match experiment {
        Experiment::Kernels => behaviors::costs(report),
        Experiment::Heavy => Section { is_markdown: true, ..stages(report, experiment) },
        _ => times(report, experiment),
    });
    let all = [ratios(report)].into_iter().chain(rows).chain([not_measured(report)]);
    all.filter(|section| !section.table.is_empty()).collect()
}

/// Sections shown only in the HTML report.
pub(super) fn page_sections(report: &Report) -> Vec<Section> {
    let all = [growth(report), stages(report, Experiment::Scaling)].into_iter();
    all.chain(limits(report)).filter(|section| !section.table.is_empty()).collect()
}

fn not_measured(report: &Report) -> Section {
    let line = |stopped: &Skipped| vec![stopped.id.clone(), stopped.reason.clone()];
    let table = Table::new("row | why", report.stopped.iter().map(line).collect());
    Section::new("Not measured", "", table)
}

fn ratios(report: &Report) -> Section {
    let line = |answer: &&Answer| {
        let times = format!("{}{}", answer.ratio, mark(&answer.ratio));
        vec![answer.question.to_string(), times, answer.place.clone()]
    };
    let group = |experiment: Experiment| Rows {
        name: experiment.to_string(),
        rows: report.largest_answers(experiment).iter().map(line).collect(),
    };
    let groups = report.experiments().into_iter().map(group);
    let groups = groups.filter(|group| !group.rows.is_empty()).collect();
    let table = Table::new("question | times as fast [95 %]: | at", Vec::new());
    let about = "Both methods run alternately, at the largest crowd measured with both, so that noise \
                 that slows down both cancels out. A ? marks an answer that may be wrong.";
    Section::new("Ratios", about, Table { groups, ..table })
}

fn times(report: &Report, experiment: Experiment) -> Section {
    let rows: Vec<&Row> = report.rows_of(experiment).collect();
    let limits = rows.iter().any(|row| report.reached.contains_key(&row.id));
    let of_limit = if limits { " | of limit" } else { "" };
    let head = format!("method | thr: | of first [95 %]: | ns [95 %]: | useful:{of_limit}");
    let group = |rows: &[&Row]| {
        let first = rows[0];
        let neighbors = digits(first.mean_neighbors);
        let state = &first.state_hash;
        Rows {
            name: format!(
                "{}: {neighbors} neighbors on average, state {state}",
                first.crowd_name()
            ),
            rows: rows.iter().map(|row| line(report, first, row, limits)).collect(),
        }
    };
    let groups = rows.chunk_by(|a, b| a.is_same_crowd(b)).map(group).collect();
    let table = Table { groups, ..Table::new(&head, Vec::new()) };
    let about = "Speed relative to the first method of each crowd; ns per agent-step; share of tested \
                 pairs that are neighbors; share of the machine's limit, and the resource that sets \
                 the limit.";
    Section::new(format!("Times: {experiment}"), about, table)
}

fn line(report: &Report, first: &Row, row: &Row, limits: bool) -> Vec<String> {
    let of_limit = |share: &Share| format!("{:.0} %, {}", share.percent, share.bottleneck);
    let ratio = Ratio::of(first, row);
    let mut cells = vec![
        row.method.to_string(),
        row.threads.to_string(),
        if row.id == first.id { "1×".into() } else { ratio.to_string() },
        row.interval(),
        row.useful_share().map_or(String::new(), |share| format!("{:.0} %", 100.0 * share)),
    ];
    if limits {
        cells.push(report.reached.get(&row.id).map_or(String::new(), of_limit));
    }
    cells
}

fn growth(report: &Report) -> Section {
    let slopes = report.slopes.iter().map(|slope| {
        let range = format!("{} to {}", grouped(slope.from_n), grouped(slope.to_n));
        vec![slope.method.words(), format!("N^{:.2}", slope.slope), range]
    });
    let table = Table::new("method | time of a step: | agents:", slopes.collect());
    Section::new("Growth with the number of agents", "Fitted to large crowds.", table)
}

fn stages(report: &Report, experiment: Experiment) -> Section {
    let rows = report.curve(experiment, Method::CellsSimd);
    let line = |row: &&Row| {
        let ns = [row.ns_per_agent_step].into_iter().chain(row.stages_ns?.values()).map(digits);
        let of_first = digits(row.ns_per_agent_step / rows[0].ns_per_agent_step);
        Some([row.crowd_name()].into_iter().chain(ns).chain([format!("{of_first}×")]).collect())
    };
    let head = format!("crowd | step: | {}: | of the first:", Stages::NAMES.join(": | "));
    let table = Table::new(&head, rows.iter().filter_map(line).collect());
    let about = "ns per agent by the engine's own clock, with cells and SIMD on one thread.";
    Section::new(format!("Stages of a step: {experiment}"), about, table)
}

pub(super) fn limits(report: &Report) -> Option<Section> {
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
    for (k, bandwidth) in limits.first()?.bandwidths.iter().enumerate() {
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
