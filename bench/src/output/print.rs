//! The report as text, from templates.

use std::io::{self, Write};
use std::path::Path;

use askama::Template;

use crate::experiments::scaling::NAME;
use crate::output::findings::sentences;
use crate::output::sections;
use crate::output::table::Section;
use crate::results::machine::Machine;
use crate::results::report::{Report, Setup};

#[derive(Template)]
#[template(path = "head.txt")]
struct Head<'a> {
    machine: &'a Machine,
    setup: &'a Setup,
    warnings: Vec<String>,
}

#[derive(Template)]
#[template(path = "report.txt")]
struct Text<'a> {
    report: &'a Report,
    findings: Vec<String>,
    sections: Vec<Section>,
    path: String,
}

/// The machine, the build and the workload.
pub(crate) fn print_head(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let head = Head { machine: &report.machine, setup: &report.setup, warnings: report.busy() };
    out.write_all(head.render().expect("a string takes all").as_bytes())
}

/// What was found, and then the tables of ratios and times.
pub(crate) fn print(report: &Report, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    let asked = ["roofline", "all"].contains(&&*report.setup.command);
    let limits = if asked { sections::limits(report) } else { None };
    let text = Text {
        report,
        findings: sentences(report),
        sections: sections::results(report).into_iter().chain(limits).collect(),
        path: folder.join("report.html").display().to_string(),
    };
    out.write_all(text.render().expect("a string takes all").as_bytes())
}
