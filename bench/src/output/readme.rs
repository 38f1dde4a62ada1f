//! Checks that README's figures are what a report would say about the committed results.

use std::path::Path;

use clap::ValueEnum;

use crate::experiment::Experiment;
use crate::output::answers::Answers;
use crate::results::fixtures::report_of;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::variant::Variant;

fn page(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(path)).expect("a file of the repository")
}

/// The committed files have times but no blocks, so ratios are quotients of times.
fn committed(machine: &str) -> Report {
    let text = page(&format!("docs/results/{machine}/scaling.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().expect("a head").clone();
    let rows = reader.records().map(|record| {
        let record = record.expect("a row");
        let cell = |name: &str| {
            let column = head.iter().position(|column| column == name).expect("a column");
            record.get(column).expect("a cell").to_owned()
        };
        let number = |name: &str| cell(name).parse::<f64>().expect("a number");
        let name = cell("method");
        let next_best = (name == "zelll-flock").then_some(Variant::NextBest);
        Some(Row {
            variant: next_best.or_else(|| Variant::from_str(&name, false).ok())?,
            experiment: Experiment::Scaling,
            point: cell("point"),
            x: number("n"),
            n: number("n") as usize,
            threads: number("threads") as usize,
            ns_per_agent_step: number("ns_per_agent_step"),
            ns_low: number("ns_low"),
            ns_high: number("ns_high"),
            ..Row::default()
        })
    });
    let mut report = report_of(rows.flatten().collect());
    report.conclude();
    report
}

#[test]
fn the_figures_of_readme_follow_from_the_committed_results() {
    let readme = page("README.md");
    let lines = |machine: &str| -> Vec<Vec<String>> {
        let answers = Answers::of(&committed(machine));
        let groups = answers.tables.into_iter().flat_map(|table| table.groups);
        groups.flat_map(|group| group.rows).collect()
    };
    let of_next_best = |line: &Vec<String>| line[0].contains("zelll");
    let on_sapphire = lines("sapphire-rapids-2-cores");
    let on_emerald = lines("emerald-rapids-2-cores").into_iter().filter(of_next_best).take(1);
    for line in on_sapphire.into_iter().chain(on_emerald) {
        // A time has no longest step here, and no ratio has the pairs of blocks behind it.
        for cell in line[1..].iter().filter(|cell| !cell.is_empty()) {
            let cell = cell.trim_end_matches(" ?");
            assert!(readme.contains(cell), "{}: {cell}", line[0]);
        }
    }
}
