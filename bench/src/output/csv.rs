//! The rows of a report as CSV.

use std::path::Path;

use crate::failure::Failure;
use crate::results::files::replace;
use crate::results::report::Report;
use crate::results::row::Row;

/// Writes report.csv.
pub(crate) fn save(report: &Report, folder: &Path) -> Result<(), Failure> {
    replace(&folder.join("report.csv"), &text(report))
}

/// The rows, and a line of names.
pub(super) fn text(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut record = |fields: Vec<String>| writer.write_record(fields).expect("memory takes all");
    record(fields(report, &Row::default()).map(|(name, _)| name.to_owned()).into());
    for row in &report.rows {
        record(fields(report, row).map(|(_, field)| harmless(field)).into());
    }
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("made of text")
}

/// The columns of a row by their names.
fn fields(report: &Report, row: &Row) -> [(&'static str, String); 28] {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let stage = |k: usize| number(row.stages_ns.map(|stages| stages.as_array()[k]));
    let count = |k: usize| number(row.counts.map(|counts| counts.as_array()[k]));
    let reached = report.reached.get(&row.id).map(|share| share.percent);
    [
        ("experiment", row.experiment.clone()),
        ("method", row.method.clone()),
        ("point", row.point.clone()),
        ("scene", row.scene.clone()),
        ("n", row.n.to_string()),
        ("threads", row.threads.to_string()),
        ("ns_per_agent_step", row.ns_per_agent_step.to_string()),
        ("ns_low", row.ns_low.to_string()),
        ("ns_high", row.ns_high.to_string()),
        ("ns_median", row.ns_median.to_string()),
        ("ns_min", row.ns_min.to_string()),
        ("repeats", row.repeats.to_string()),
        ("blocks", row.blocks.len().to_string()),
        ("mean_neighbors", row.mean_neighbors.to_string()),
        ("pairs_per_agent", number(row.pairs_per_agent)),
        ("sort_ns", stage(0)),
        ("steer_ns", stage(1)),
        ("non_penetration_ns", stage(2)),
        ("smooth_ns", stage(3)),
        ("cycles", count(0)),
        ("instructions", count(1)),
        ("branch_misses", count(2)),
        ("state_hash", row.state_hash.clone()),
        ("doubts", row.doubts.join("; ")),
        ("percent_of_limit", number(reached)),
        ("seed", report.setup.seed.to_string()),
        ("commit", report.machine.commit.clone()),
        ("cpu", report.machine.cpu.clone()),
    ]
}

/// Text that spreadsheets do not take for a formula.
fn harmless(field: String) -> String {
    let formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    if formula { format!("'{field}") } else { field }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

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
