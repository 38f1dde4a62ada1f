//! Tests of the programs as users run them. All share one binary,
//! so tests that wait for a process overlap with tests that compute.

use std::path::Path;
use std::process::{Child, Command, Output};

use serde_json::Value;
use tempfile::TempDir;

mod command;
#[cfg(unix)]
mod compare;
#[cfg(unix)]
mod faults;

const BENCH: &str = env!("CARGO_BIN_EXE_flockwork-bench");

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BENCH);
    command.args(arguments);
    command
}

/// Runs a command to completion in a temporary folder: the default report folder is relative,
/// and reports must not appear in the source tree.
fn run(arguments: &[&str]) -> Output {
    let here = folder();
    command(arguments).current_dir(&here).output().expect("the command starts")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn said(output: &Output) -> String {
    text(&output.stderr)
}

fn report_in(folder: impl AsRef<Path>) -> Value {
    let json = std::fs::read_to_string(folder.as_ref().join("report.json")).expect("report.json");
    serde_json::from_str(&json).expect("a whole report")
}

#[cfg(unix)]
fn signal(name: &str, run: &Child) {
    let sent = Command::new("kill").args([name, &run.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}
