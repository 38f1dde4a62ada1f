//! The report as text, from templates.

use std::path::Path;

use askama::Template;

use crate::experiments::SCALING;
use crate::output::findings::sentences;
use crate::output::sections;
use crate::output::table::Section;
use crate::results::report::Report;

#[derive(Template)]
#[template(path = "head.txt")]
struct Head<'a> {
    report: &'a Report,
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
pub(crate) fn head(report: &Report) -> String {
    Head { report }.render().expect("a string takes all")
}

/// What was found, and then the tables of ratios and times.
pub(crate) fn text(report: &Report, folder: &Path) -> String {
    let asked = ["roofline", "all"].contains(&&*report.setup.command);
    let limits = if asked { sections::limits(report) } else { None };
    let text = Text {
        report,
        findings: sentences(report),
        sections: sections::results(report).into_iter().chain(limits).collect(),
        path: folder.join("report.html").display().to_string(),
    };
    text.render().expect("a string takes all")
}
