//! The rows of a report as CSV.

use serde_json::{Value, json};

use crate::results::report::Report;
use crate::results::row::Row;

/// The columns: a field of a row or of [`line`], or a name and where its value is.
const COLUMNS: &str = "experiment method point scene n threads ns_per_agent_step ns_low ns_high \
    ns_median ns_min repeats blocks mean_neighbors pairs_per_agent sort_ns=stages_ns/sort \
    steer_ns=stages_ns/steer non_penetration_ns=stages_ns/non_penetration \
    smooth_ns=stages_ns/smooth cycles=counts/cycles instructions=counts/instructions \
    branch_misses=counts/branch_misses state_hash doubts percent_of_limit seed commit cpu";

/// The rows, and a line of names.
pub(super) fn text(report: &Report) -> String {
    let columns =
        COLUMNS.split(' ').map(|column| column.split_once('=').unwrap_or((column, column)));
    let (names, paths): (Vec<&str>, Vec<&str>) = columns.unzip();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names).expect("memory takes all");
    for row in &report.rows {
        let line = line(report, row);
        let cells = paths.iter().map(|path| match line.pointer(&format!("/{path}")) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => harmless(text),
            Some(value) => value.to_string(),
        });
        writer.write_record(cells).expect("memory takes all");
    }
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("made of text")
}

/// A row and what belongs to it elsewhere in the report.
fn line(report: &Report, row: &Row) -> Value {
    let head = Row { blocks: Vec::new(), ..row.clone() };
    let mut line = serde_json::to_value(head).expect("a row is plain data");
    for (name, value) in [
        ("blocks", json!(row.blocks.len())),
        ("doubts", json!(row.doubts.join("; "))),
        ("percent_of_limit", json!(report.reached.get(&row.id).map(|share| share.percent))),
        ("seed", json!(report.setup.seed)),
        ("commit", json!(report.machine.commit)),
        ("cpu", json!(report.machine.cpu)),
    ] {
        line[name] = value;
    }
    line
}

/// Text that spreadsheets do not take for a formula.
fn harmless(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counts;
    use crate::results::block::Stages;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn every_column_is_somewhere_in_a_row() {
        let (stages_ns, counts) = (Some(Stages::default()), Some(Counts::default()));
        let row = Row { stages_ns, counts, ..quiet_row("scaling", "cells-simd", 100, 20.0) };
        let line = line(&report_of(vec![row.clone()]), &row);
        for column in COLUMNS.split(' ') {
            let (_, path) = column.split_once('=').unwrap_or((column, column));
            assert!(line.pointer(&format!("/{path}")).is_some(), "{column} in {line}");
        }
    }

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
