//! The report as text.

use std::io::{self, Write};
use std::path::Path;

use crate::experiments::scaling;
use crate::output::findings::sentences;
use crate::output::sections::{self, Section};
use crate::results::report::Report;

/// The machine, the build and the workload.
pub(crate) fn print_head(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let (machine, setup) = (&report.machine, &report.setup);
    writeln!(out, "flockwork {} ({}), {}", machine.flockwork, machine.commit, machine.rustc)?;
    writeln!(
        out,
        "{}, {} cores; instructions: {}, {} lanes",
        machine.cpu,
        machine.cores,
        machine.instructions(),
        machine.lanes
    )?;
    if setup.command == scaling::NAME {
        writeln!(
            out,
            "workload: separation, alignment, cohesion, prioritized sum; torus, {} neighbors on \
             average, seed {}",
            setup.mean_neighbors, setup.seed
        )?;
    }
    for busy in report.busy() {
        writeln!(out, "warning: {busy}")?;
    }
    writeln!(out)
}

/// What was found, and then the tables of ratios and times.
pub(crate) fn print(report: &Report, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    for sentence in sentences(report) {
        writeln!(out, "- {sentence}")?;
    }
    if report.interrupted {
        writeln!(out, "interrupted: these rows were measured until then; --resume continues")?;
    }
    let asked = ["roofline", "all"].contains(&&*report.setup.command);
    let limits = if asked { sections::limits(report) } else { None };
    for Section { title, about, table, .. } in sections::results(report).into_iter().chain(limits) {
        writeln!(out, "\n{title}")?;
        about.iter().try_for_each(|words| writeln!(out, "{words}"))?;
        table.map_or(Ok(()), |table| write!(out, "{}", table.text()))?;
    }
    writeln!(out, "\nReport: {}", folder.join("report.html").display())
}
