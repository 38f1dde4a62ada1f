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
        Some(format) if format == u64::from(FORMAT) => {}
        Some(format) => {
            return Err(refuse(format!("format {format}, but this program reads format {FORMAT}")));
        }
        None => return Err(refuse("not a report of flockwork-bench: it has no format".into())),
    }
    check::check(&mut value, "").map_err(refuse)?;
    let mut report: Report =
        serde_path_to_error::deserialize(value).map_err(|error| refuse(error.to_string()))?;
    check::check_together(&report).map_err(refuse)?;
    report.conclude();
    Ok(report)
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

/// Checks that a file can be written, and leaves it unchanged.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    flockwork::internal::file::check_replaceable(path).map_err(|error| cannot_write(path, &error))
}

pub(crate) fn cannot_write(path: &Path, message: &impl ToString) -> Failure {
    Failure::Output { path: path.display().to_string(), message: message.to_string() }
}
