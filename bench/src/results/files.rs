//! Reports as JSON with every measured time, and safe writing of files.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::results::check;
use crate::results::report::{FORMAT, Report};

/// Writes report.json.
pub(crate) fn save_json(report: &Report, folder: &Path) -> Result<(), Failure> {
    replace(&folder.join("report.json"), &json_with_a_line_per_row(report))
}

/// Writes a whole file or leaves the previous one.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let written = flockwork::internal::file::replace(path, text.as_bytes());
    written.map(drop).map_err(|error| cannot_write(path, &error))
}

/// Readable JSON in which two reports differ in few lines.
fn json_with_a_line_per_row(report: &Report) -> String {
    let head = Report { rows: Vec::new(), ..report.clone() };
    let head = serde_json::to_string_pretty(&head).expect("a report is plain data");
    let head = head.strip_suffix("[]\n}").expect("the rows come last");
    let row = |row| serde_json::to_string(row).expect("a row is plain data");
    let rows: Vec<String> = report.rows.iter().map(row).collect();
    format!("{head}[\n{}\n]\n}}\n", rows.join(",\n"))
}

/// The report on one line.
pub(crate) fn one_line(report: &Report) -> String {
    serde_json::to_string(report).expect("a report is plain data")
}

/// The path of a report.json, given as such or by its folder.
pub(crate) fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("report.json") } else { path.to_owned() }
}

/// The longest report.json, in bytes; a hundred times what the longest measurement writes.
const LONGEST_FILE: u64 = 64 << 20;

/// The oldest format that is read: its times are the same, only names differ.
const OLDEST_FORMAT: u64 = 2;

/// Reads a report.json, given by its path or its folder. What follows from its times is computed
/// again: a killed run has not saved it.
pub(crate) fn load(path: &Path) -> Result<Report, Failure> {
    let path = file_of(path);
    let refuse = |message: String| Failure::Input { path: path.display().to_string(), message };
    let bytes = flockwork::internal::file::read(&path, LONGEST_FILE);
    let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
    let mut value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
    match value["format"].as_u64() {
        Some(format) if OLDEST_FORMAT <= format && format <= u64::from(FORMAT) => {}
        Some(format) => {
            return Err(refuse(format!(
                "format {format}, but this program reads formats {OLDEST_FORMAT} to {FORMAT}"
            )));
        }
        None => return Err(refuse("not a report of flockwork-bench: it has no format".into())),
    }
    check::clean_texts(&mut value, "").map_err(refuse)?;
    let mut report: Report =
        serde_path_to_error::deserialize(value).map_err(|error| refuse(error.to_string()))?;
    rename_ladder(&mut report);
    report.format = FORMAT;
    check::check(&report).map_err(refuse)?;
    report.conclude();
    Ok(report)
}

/// Earlier reports call the ladder `stages`.
fn rename_ladder(report: &mut Report) {
    let rename = |experiment: &mut String| {
        let renamed = *experiment == "stages";
        if renamed {
            *experiment = "ladder".into();
        }
        renamed
    };
    rename(&mut report.setup.command);
    for row in &mut report.rows {
        if rename(&mut row.experiment) {
            row.id = format!("{}/{}/{}", row.experiment, row.method, row.point);
        }
    }
    for stopped in &mut report.stopped {
        rename(&mut stopped.experiment);
    }
}

/// Makes the folder of a report and checks, before anything is measured, that reports can be
/// written there. The folder is this run's until the result is dropped: files of two runs must not
/// mix.
pub(crate) fn take_folder(folder: &Path) -> Result<File, Failure> {
    let refuse = |error: io::Error| cannot_write(folder, &error);
    if folder.exists() && !folder.is_dir() {
        return Err(cannot_write(folder, &"it is not a folder"));
    }
    fs::create_dir_all(folder).map_err(refuse)?;
    let held = File::open(folder).map_err(refuse)?;
    // Not every file system has locks, which is no reason not to measure.
    if let Err(TryLockError::WouldBlock) = held.try_lock() {
        return Err(cannot_write(
            folder,
            &"another run is writing there; choose another with --out",
        ));
    }
    check_writable(&folder.join("report.json"))?;
    Ok(held)
}

/// The same check for a single file, which it leaves unchanged.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    flockwork::internal::file::check_replaceable(path).map_err(|error| cannot_write(path, &error))
}

pub(crate) fn cannot_write(path: &Path, message: &impl ToString) -> Failure {
    Failure::Output { path: path.display().to_string(), message: message.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn a_report_that_calls_the_ladder_stages_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut saved = report_of(vec![
            quiet_row("stages", "book-cells", 1_000, 20.0),
            quiet_row("scaling", "cells-simd", 1_000, 20.0),
        ]);
        saved.setup.command = "stages".into();
        save_json(&saved, folder.path()).unwrap();
        let report = load(folder.path()).unwrap();
        assert_eq!(report.setup.command, "ladder");
        assert_eq!(report.rows[0].id, "ladder/book-cells/1000");
        assert_eq!(report.experiments(), ["ladder", "scaling"]);
    }
}
