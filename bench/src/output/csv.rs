use serde_json::{Value, json};

use crate::results::fit::Crossing;
use crate::results::machine::Machine;
use crate::results::ratio::Ratio;
use crate::results::report::{Extrapolated, Report};
use crate::results::row::Row;

/// Columns, each named after a field of [`line`]'s JSON. A dot selects a nested field.
const COLUMNS: &str = "experiment variant point scene n threads ns_per_agent_step ns_low ns_high \
    ns_median ns_min repeats blocks mean_neighbors pairs_per_agent stages_ns.sort \
    stages_ns.steer stages_ns.non_penetration \
    stages_ns.smooth worst.percentile_99 worst.maximum \
    state_hash waited seed commit cpu";

const RATIO_COLUMNS: &str = "question at n ratio.times ratio.low ratio.high ratio.doubt commit cpu";

pub(super) fn rows(report: &Report) -> String {
    text(COLUMNS, report.rows.iter().map(|row| line(report, row)))
}

/// Returns the measured ratios, the extrapolated ratio, and the crowd size above which cells are
/// faster, one per line.
pub(super) fn ratios(report: &Report) -> String {
    let line = |question: &str, at: &str, n: usize, ratio: Value| {
        let Machine { commit, cpu, .. } = &report.machine;
        json!({ "question": question, "at": at, "n": n, "ratio": ratio, "commit": commit, "cpu": cpu })
    };
    let plain = |ratio: &Ratio| serde_json::to_value(ratio).expect("a ratio is plain data");
    let measured = report.ratios.iter().map(|answer| {
        let question = format!("{}: {}", answer.experiment, answer.question);
        line(&question, &answer.place, answer.n, plain(&answer.ratio))
    });
    let extrapolated = report.extrapolated.iter().map(|Extrapolated { n, ratio }| {
        line("scaling: cells over all pairs, SIMD, extrapolated", "", *n, plain(ratio))
    });
    let crossover = report.crossover.iter().filter_map(|crossing| match crossing {
        Crossing::At { n, interval: [low, high], in_doubt } => {
            let doubt = in_doubt.then_some("a ratio beside it is in doubt");
            let size = json!({ "times": n, "low": low, "high": high, "doubt": doubt });
            Some(line("scaling: agents from which cells win", "", 0, size))
        }
        _ => None,
    });
    text(RATIO_COLUMNS, measured.chain(extrapolated).chain(crossover))
}

fn text(columns: &str, lines: impl Iterator<Item = Value>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.split(' ')).expect("memory takes all");
    for line in lines {
        let cells = columns.split(' ').map(|path| match line.pointer(&pointer(path)) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => harmless(text),
            Some(value) => value.to_string(),
        });
        writer.write_record(cells).expect("memory takes all");
    }
    let bytes = writer.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("made of text")
}

fn pointer(path: &str) -> String {
    format!("/{}", path.replace('.', "/"))
}

/// Returns a row as JSON, with report-wide fields such as seed and commit added.
fn line(report: &Report, row: &Row) -> Value {
    let head = Row { blocks: Vec::new(), ..row.clone() };
    let mut line = serde_json::to_value(head).expect("a row is plain data");
    for (name, value) in [
        ("blocks", json!(row.blocks.len())),
        ("seed", json!(report.setup.seed)),
        ("commit", json!(report.machine.commit)),
        ("cpu", json!(report.machine.cpu)),
    ] {
        line[name] = value;
    }
    line
}

/// Prefixes text with an apostrophe if a spreadsheet would run it as a formula.
fn harmless(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::results::fixtures::{quiet_row, report_of};
    use crate::results::row::{Stages, Worst};
    use crate::variant::Variant;

    #[test]
    fn every_column_is_somewhere_in_a_row() {
        let stages_ns = Some(Stages::default());
        let worst = Some(Worst::default());
        let row = Row {
            worst,
            stages_ns,
            ..quiet_row(Experiment::Scaling, Variant::CellsSimd, 100, 20.0)
        };
        let line = line(&report_of(vec![row.clone()]), &row);
        for column in COLUMNS.split(' ') {
            assert!(line.pointer(&pointer(column)).is_some(), "{column} in {line}");
        }
    }

    #[test]
    fn no_field_is_a_formula_for_a_spreadsheet() {
        let row = quiet_row(Experiment::Scaling, Variant::CellsSimd, 100, 20.0);
        let point = "=HYPERLINK(\"x\")".into();
        let mut report = report_of(vec![Row { mean_neighbors: -0.01, point, ..row }]);
        report.machine.cpu = "@SUM(A1)".into();
        report.machine.commit = "+1-2".into();
        let text = rows(&report);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let fields = reader.records().next().unwrap().unwrap();
        assert!(fields.iter().any(|field| field == "'=HYPERLINK(\"x\")"), "{text}");
        assert!(fields.iter().any(|field| field == "-0.01"), "numbers stay numbers: {text}");
        for field in fields.iter().filter(|field| field.parse::<f64>().is_err()) {
            assert!(!field.starts_with(['=', '+', '-', '@']), "{field}");
        }
    }
}
