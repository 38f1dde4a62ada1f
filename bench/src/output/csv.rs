//! The rows of a report as CSV.

use std::borrow::Cow;
use std::path::Path;

use crate::failure::Failure;
use crate::results::files::replace;
use crate::results::report::Report;

const COLUMNS: [&str; 28] = [
    "experiment",
    "method",
    "point",
    "scene",
    "n",
    "threads",
    "ns_per_agent_step",
    "ns_low",
    "ns_high",
    "ns_median",
    "ns_min",
    "repeats",
    "blocks",
    "mean_neighbors",
    "pairs_per_agent",
    "sort_ns",
    "steer_ns",
    "non_penetration_ns",
    "smooth_ns",
    "cycles",
    "instructions",
    "branch_misses",
    "state_hash",
    "doubts",
    "percent_of_limit",
    "seed",
    "commit",
    "cpu",
];

/// Writes report.csv.
pub(crate) fn save(report: &Report, folder: &Path) -> Result<(), Failure> {
    replace(&folder.join("report.csv"), &text(report))
}

/// The rows, and a line of names.
pub(super) fn text(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut record = |fields: [&str; COLUMNS.len()]| {
        let fields = fields.map(harmless);
        writer.write_record(fields.iter().map(|field| &**field)).expect("memory takes all");
    };
    record(COLUMNS);
    for row in &report.rows {
        let stages = match row.stages_ns {
            Some(stages) => stages.as_array().map(|ns| ns.to_string()),
            None => Default::default(),
        };
        let [sort, steer, non_penetration, smooth] = stages;
        let counts = row.counts.map(|counts| counts.as_array().map(|count| count.to_string()));
        let [cycles, instructions, misses] = counts.unwrap_or_default();
        record([
            &row.experiment,
            &row.method,
            &row.point,
            &row.scene,
            &row.n.to_string(),
            &row.threads.to_string(),
            &row.ns_per_agent_step.to_string(),
            &row.ns_low.to_string(),
            &row.ns_high.to_string(),
            &row.ns_median.to_string(),
            &row.ns_min.to_string(),
            &row.repeats.to_string(),
            &row.blocks.len().to_string(),
            &row.mean_neighbors.to_string(),
            &row.pairs_per_agent.map_or(String::new(), |pairs| pairs.to_string()),
            &sort,
            &steer,
            &non_penetration,
            &smooth,
            &cycles,
            &instructions,
            &misses,
            &row.state_hash,
            &row.doubts.join("; "),
            &report.reached.get(&row.id).map_or(String::new(), |share| share.percent.to_string()),
            &report.setup.seed.to_string(),
            &report.machine.commit,
            &report.machine.cpu,
        ]);
    }
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("made of text")
}

/// Text that spreadsheets do not take for a formula.
fn harmless(field: &str) -> Cow<'_, str> {
    let formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    if formula { format!("'{field}").into() } else { field.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::results::row::Row;

    #[test]
    fn no_field_is_a_formula_for_a_spreadsheet() {
        let row = quiet_row("scaling", "=HYPERLINK(\"x\")", 100, 20.0);
        let mut report = report_of(vec![Row { mean_neighbors: -0.01, ..row }]);
        report.machine.cpu = "@SUM(A1)".into();
        report.machine.commit = "+1-2".into();
        let text = text(&report);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let fields = reader.records().next().unwrap().unwrap();
        assert!(fields.iter().any(|field| field == "'=HYPERLINK(\"x\")"), "{text}");
        assert!(fields.iter().any(|field| field == "-0.01"), "numbers stay numbers: {text}");
        for field in fields.iter().filter(|field| field.parse::<f64>().is_err()) {
            assert!(!field.starts_with(['=', '+', '-', '@']), "{field}");
        }
    }
}
