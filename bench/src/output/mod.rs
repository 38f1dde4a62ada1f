use std::io::{self, Write};
use std::path::Path;

use askama::Template;

use crate::failure::{Failure, cannot_write};
use crate::output::answers::Answers;
use crate::output::charts::{Chart, NARROW, WIDE};
use crate::output::table::{Section, wrapped};
use crate::results::report::Report;

mod answers;
mod behaviors;
mod charts;
mod csv;
mod details;
mod names;
mod svg;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod uneven;

/// The HTML report is self-contained: no scripts, no fonts, no network.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    report: &'a Report,
    answers: Answers,
    chart: Option<Chart<'a>>,
    charts: Vec<Chart<'a>>,
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

fn charts(report: &Report) -> impl Iterator<Item = Chart<'_>> {
    report.experiments().into_iter().filter_map(|experiment| Chart::of(report, experiment))
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

/// Prints all tables except those meant only for the HTML page.
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
