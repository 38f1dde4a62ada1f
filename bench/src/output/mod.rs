use std::io::{self, Write};
use std::path::Path;

use askama::Template;

use crate::failure::{Failure, cannot_write};
use crate::output::answers::Answers;
use crate::output::charts::{NARROW, WIDE};
use crate::output::curves::Chart;
use crate::output::table::{Section, wrapped};
use crate::results::report::Report;

mod answers;
mod behaviors;
mod charts;
mod csv;
mod curves;
mod details;
mod names;
#[cfg(test)]
mod readme;
mod svg;
pub(crate) mod table;
mod uneven;

/// The HTML report is self-contained: no scripts, no fonts, no network.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    report: &'a Report,
    answers: Answers,
    chart: Option<Chart>,
    charts: Vec<Chart>,
    sections: Vec<Section>,
}

/// Writes the report as JSON (every measured time), CSV (one line per row, and one per ratio) and
/// HTML, and its first chart as SVG. If a file cannot be written, writes the others. Removes the
/// chart of an earlier report if this report has none.
pub(crate) fn save(report: &Report, folder: &Path) -> Result<(), Failure> {
    let write = |name: &str, text: &str| replace(&folder.join(name), text);
    let chart = charts(report).next().map(|chart| chart.svg(WIDE, true));
    let written = [
        save_json(report, folder),
        write("report.csv", &csv::rows(report)),
        write("ratios.csv", &csv::ratios(report)),
        match chart {
            Some(chart) => write("report.svg", &chart),
            None => remove(&folder.join("report.svg")),
        },
        write("report.html", &page(report)),
    ];
    written.into_iter().collect()
}

pub(crate) fn save_json(report: &Report, folder: &Path) -> Result<(), Failure> {
    replace(&folder.join("report.json"), &(one_line(report) + "\n"))
}

pub(crate) fn one_line(report: &Report) -> String {
    serde_json::to_string(report).expect("a report is plain data")
}

fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let written = flockwork::internal::file::replace(path, text.as_bytes());
    written.map(drop).map_err(|error| cannot_write(path, &error))
}

fn remove(path: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(path, &error)),
        _ => Ok(()),
    }
}

fn charts(report: &Report) -> impl Iterator<Item = Chart> {
    report.experiments().into_iter().filter_map(|experiment| charts::chart(report, experiment))
}

fn page(report: &Report) -> String {
    let mut charts = charts(report);
    let page = Page {
        report,
        answers: Answers::of(report),
        chart: charts.next(),
        charts: charts.collect(),
        sections: details::sections(report),
    };
    page.render().expect("a string takes all")
}

pub(crate) fn print_head(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let (machine, neighbors) = (&report.machine, report.setup.mean_neighbors);
    let dimensions = report.setup.dimensions;
    let workload = format!(
        "workload: separation, alignment, cohesion; {neighbors} neighbors on average in {dimensions}D"
    );
    let build = format!("flockwork {} ({}), {}", machine.flockwork, machine.commit, machine.rustc);
    let lines = [build, machine.to_string(), workload];
    lines.iter().try_for_each(|line| write!(out, "{}", wrapped(line)))
}

/// Prints the tables that are not for the page only.
pub(crate) fn print_details(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sections = details::sections(report);
    let mut shown = sections.iter().filter(|section| section.on_terminal);
    shown.try_for_each(|section| write!(out, "\n{section}"))
}

pub(crate) fn print_answers(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Answers { headline, notice, tables, trust } = Answers::of(report);
    write!(out, "\n{}", wrapped(&headline))?;
    notice.iter().try_for_each(|notice| write!(out, "{}", wrapped(notice)))?;
    tables.iter().try_for_each(|table| write!(out, "\n{table}"))?;
    if trust.is_empty() { Ok(()) } else { write!(out, "\n{}", wrapped(&trust)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::results::fixtures::{quiet_row, report_of};
    use crate::results::report::Skipped;
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
        assert!(page.contains("&#60;script&#62;&#38;"));
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
}
