//! A report as files: JSON with every measured time, CSV with one line per row, the page, and its
//! first figure.

use std::path::Path;

use crate::failure::Failure;
use crate::output::{csv, page};
use crate::results::files::{replace, save_json};
use crate::results::report::Report;

/// Writes a report in every form.
pub(crate) fn save_all(report: &Report, folder: &Path) -> Result<(), Failure> {
    save_json(report, folder)?;
    csv::save(report, folder)?;
    for (name, text) in
        [("report.svg", page::first_figure(report)), ("report.html", page::html(report))]
    {
        replace(&folder.join(name), &text)?;
    }
    Ok(())
}
