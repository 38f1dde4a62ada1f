//! docs/measuring.md lists every field of report.json and no other.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::counters::Counts;
use crate::results::files;

/// The paths of all values without parts: `rows[].blocks[].ns[]`.
fn paths(value: &Value, path: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => {
            list.iter().for_each(|value| paths(value, &format!("{path}[]"), all));
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = if path == "reached" { "ID" } else { name };
                let dot = if path.is_empty() { "" } else { "." };
                paths(value, &format!("{path}{dot}{name}"), all);
            }
        }
        Value::Null => {}
        _ => _ = all.insert(path.to_owned()),
    }
}

/// The paths that a name with braces stands for.
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
    let mut written = BTreeSet::new();
    let mut saved = Vec::new();
    for machine in std::fs::read_dir(docs.join("results")).unwrap() {
        let folder = machine.unwrap().path();
        saved.extend(["roofline.json", "scaling.json"].map(|name| folder.join(name)));
    }
    assert!(saved.len() > 1);
    for saved in saved.into_iter().filter(|saved| saved.exists()) {
        let mut report = files::load(&saved).unwrap();
        let row = &mut report.rows[0];
        row.doubts.push("noise".into());
        row.blocks[0].waited = Some(0.0);
        (row.counts, row.blocks[0].counts) = (Some(Counts::default()), Some(Counts::default()));
        report.uncounted = Some("no such counters".into());
        report.ask("rows", &report.rows[0].id.clone(), &report.rows[1].id.clone());
        report.ratios[0].ratio.doubt = Some("noise".into());
        let mut report = serde_json::to_value(report).unwrap();
        let other = json!([{"n": {"below": 8}}, {"n": {"above": 8}}]);
        paths(&other, "crossovers", &mut written);
        assert_eq!(report["format"], 4);
        report["stopped"] = json!([{"experiment": "", "method": "", "point": "", "n": 1,
            "reason": ""}]);
        paths(&report, "", &mut written);
    }
    let missing: Vec<_> = written.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/measuring.md: {missing:?}");
    let unknown: Vec<_> = documented.difference(&written).collect();
    assert!(unknown.is_empty(), "only in docs/measuring.md: {unknown:?}");
}
