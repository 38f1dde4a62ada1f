//! Checks that docs/measuring.md lists exactly the fields of report.json.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::experiment::Experiment;
use crate::results::fixtures::{quiet_row, report_of};
use crate::results::ratio::Doubt;
use crate::results::report::Skipped;
use crate::results::row::{Load, Row, Stages};
use crate::variant::Variant;

/// Collects the paths of all leaf values, e.g. `rows[].blocks[].ns[]`.
fn paths(value: &Value, path: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => {
            list.iter().for_each(|value| paths(value, &format!("{path}[]"), all));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                paths(value, &format!("{path}{dot}{name}"), all);
            }
        }
        Value::Null => panic!("{path} has no value"),
        _ => _ = all.insert(path.to_owned()),
    }
}

/// Expands braces: `a.{b,c}` becomes `a.b` and `a.c`.
fn expanded(name: &str) -> Vec<String> {
    let Some((before, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
    let (names, after) = rest.split_once('}').expect("braces are closed");
    names.split(',').flat_map(|name| expanded(&format!("{before}{name}{after}"))).collect()
}

#[test]
fn the_page_of_the_report_lists_every_field_with_its_meaning_and_no_other() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let page = std::fs::read_to_string(docs.join("measuring.md")).unwrap();
    let (_, page) = page.split_once("## Fields of report.json").expect("the section");
    let mut documented = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [names, _, meaning] = cells[..] else { panic!("three columns: {line}") };
        assert!(meaning.len() > 5, "{line}");
        for name in names.split(", ").flat_map(|name| expanded(name.trim_matches('`'))) {
            assert!(documented.insert(name.clone()), "{name} is there twice");
        }
    }
    // Give every optional field a value: `paths` rejects nulls, which would hide nested fields.
    let row = |variant, n| {
        let mut row = quiet_row(Experiment::Scaling, variant, n, 20.0);
        for block in &mut row.blocks {
            (block.waited, block.stages_ns) = (vec![0.5], vec![Stages::default()]);
            block.load = Some(Load::default());
            block.step_seconds = vec![0.1; 100];
        }
        row.summarize();
        Row { pairs_per_agent: Some(80.0), bytes_per_agent: Some(50.0), threads: 2, ..row }
    };
    let variants = [Variant::AllPairsSimd, Variant::CellsSimd, Variant::CellsSimdAgain];
    let mut report =
        report_of(variants.iter().flat_map(|it| [row(*it, 1_000), row(*it, 10_000)]).collect());
    report.rows.push(row(Variant::CellsSimd, 100_000));
    report.rows.sort_by_key(|row| row.n);
    report.setup.arguments = vec!["scaling".into()];
    let (id, reason) = ("a".into(), "too long".into());
    report.stopped.push(Skipped { id, n: 1, step_seconds: None, reason });
    report.conclude();
    report.ratios[0].ratio.doubt = Some(Doubt::TooFew(1));
    report.ratios.truncate(1);
    report.extrapolated.as_mut().expect("a larger crowd").ratio.doubt = Some(Doubt::TooFew(1));
    let mut value = serde_json::to_value(&report).unwrap();
    assert_eq!(value["format"], 7);
    value["crossover"] = json!([{"below": 8}, {"above": 8}, {"at": {"n": 9.0, "interval": [8.0, 10.0], "in_doubt": true}}]);
    let mut written = BTreeSet::new();
    paths(&value, "", &mut written);
    let written: BTreeSet<String> =
        written.into_iter().map(|path| path.replace("crossover[]", "crossover")).collect();
    let missing: Vec<_> = written.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/measuring.md: {missing:?}");
    let unknown: Vec<_> = documented.difference(&written).collect();
    assert!(unknown.is_empty(), "only in docs/measuring.md: {unknown:?}");
}
