//! Checks reports, and checks that the README's figures follow from the committed results.

use clap::ValueEnum;

use super::*;
use crate::experiment::Experiment;
use crate::results::fixtures::{quiet_row, report_of};
use crate::results::report::Skipped;
use crate::results::row::Row;
use crate::variant::Variant;

fn report() -> Report {
    let mut report = report_of(Vec::new());
    report.setup.arguments = vec!["--n".into(), "<script>&".into()];
    for n in [100, 10_000, 1_000_000] {
        for (variant, idle, per_other) in
            [(Variant::AllPairsSimd, 5.0, 0.01), (Variant::CellsSimd, 20.0, 0.0)]
        {
            let ns = idle + per_other * n as f64;
            report.rows.push(quiet_row(Experiment::Scaling, variant, n, ns));
        }
    }
    report.conclude();
    report
}

fn check_tags(markup: &str) {
    let mut open = Vec::new();
    for tag in markup.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
        match tag {
            _ if tag.starts_with('!') || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "in <{tag}>"),
            _ => open.push(name),
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn the_page_is_well_formed_and_self_contained() {
    let page = page(&report());
    check_tags(&page);
    check_tags(&charts(&report()).next().unwrap().svg(WIDE, true));
    for outside in ["src=", "href=", "<script", "<link", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!without_names.contains("http"));
    assert!(page.contains("color-scheme: light dark") && page.contains("@media print"));
    // Regression: words that a shell would split or interpret were not quoted.
    assert!(page.contains("-- --n &#39;&#60;script&#62;&#38;&#39;</code>"));
}

#[test]
fn the_page_begins_with_the_answers_and_the_rest_is_behind_details() {
    let mut report = report();
    let id = "scaling/cells-scalar/100".into();
    let reason = "too long".into();
    report.stopped.push(Skipped { id, n: 100, step_seconds: None, reason });
    let page = page(&report);
    let (first, details) = page.split_once("<details>").expect("details");
    for words in [
        "<h1>1,000,000 agents: a grid of cells is 500× as fast as all pairs</h1>",
        "cells win from",
        "agents at 60 steps/s",
        "No ratio is in doubt",
        ">60 steps/s</text>",
        ">number of agents</text>",
        ">ms per step</text>",
        ">flockwork</th>",
        ">largest</th>",
    ] {
        assert!(first.contains(words), "{words}");
    }
    assert!(!first.contains(" ?"), "no doubt");
    let (title, answers) = first.split_once("</h1>").expect("a title");
    assert!(title.contains("<title>") && answers.starts_with("\n<p class=\"notice\">"));
    for words in ["Not measured", "too long", "Growth with", "Stages of a step"] {
        assert!(details.contains(words) != (words == "Stages of a step"), "{words}");
        assert!(!first.contains(words), "{words}");
    }
}

#[test]
fn a_report_without_rows_makes_a_valid_page() {
    let empty = report_of(Vec::new());
    check_tags(&page(&empty));
    let mut printed = Vec::new();
    print_details(&empty, &mut printed).unwrap();
    print_answers(&empty, &mut printed).unwrap();
    assert!(String::from_utf8(printed).unwrap().contains("Nothing was measured"));
}

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(path)).expect("a file of the repository")
}

/// The committed files have times but no blocks, so ratios are quotients of times.
fn committed(machine: &str) -> Report {
    let text = file(&format!("docs/results/{machine}/scaling.csv"));
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
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
    let readme = file("README.md");
    let lines = |machine: &str| -> Vec<Vec<String>> {
        let answers = Answers::of(&committed(machine));
        let groups = answers.tables.into_iter().flat_map(|table| table.groups);
        groups.flat_map(|group| group.rows).collect()
    };
    let of_next_best = |line: &Vec<String>| line[0].contains("zelll");
    let on_sapphire = lines("sapphire-rapids-2-cores");
    let on_emerald = lines("emerald-rapids-2-cores").into_iter().filter(of_next_best).take(1);
    for line in on_sapphire.into_iter().chain(on_emerald) {
        // Skip empty cells: the longest step is unknown here. Ignore question marks: ratios of
        // times alone are always in doubt.
        for cell in line[1..].iter().filter(|cell| !cell.is_empty()) {
            let cell = cell.trim_end_matches(" ?");
            assert!(readme.contains(cell), "{}: {cell}", line[0]);
        }
    }
}
