//! Two programs in turns.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

const BENCH: &str = env!("CARGO_BIN_EXE_flockwork-bench");
const ROWS: [&str; 6] = ["--", "scaling", "--methods", "cells-simd,cells-scalar", "--n", "100,300"];

fn compare(a: &str, b: &str, options: &[&str]) -> Output {
    let arguments = [&["compare", a, b, "--time", "5"], options, &ROWS].concat();
    Command::new(BENCH).args(arguments).output().expect("the comparison starts")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A program in `folder` that does what this script says.
fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("program");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("executable");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn two_programs_are_compared_row_by_row() {
    let output = compare(BENCH, BENCH, &["--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(said(&output.stdout).lines().count(), 1);
    let rows = found["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4, "two methods, two sizes");
    for row in rows {
        let number = |name: &str| row[name].as_f64().expect("a number");
        assert!(number("low") <= number("ratio") && number("ratio") <= number("high"), "{row}");
        assert!(row["passes"].as_u64().expect("a count") >= 1, "{row}");
        assert_eq!(row["state_hashes"][0], row["state_hashes"][1]);
        assert!(row["ns"][0].as_f64() > Some(0.0) && row["ns"][1].as_f64() > Some(0.0), "{row}");
    }
    let slower = rows.iter().any(|row| row["verdict"] == "slower");
    assert_eq!(output.status.code(), Some(i32::from(slower)), "{}", said(&output.stderr));
}

#[test]
fn programs_that_reach_other_states_are_told_apart_with_exit_code_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = "| sed -u 's/\"hash\":\"./&0/'";
    let other = script(folder.path(), &format!("{BENCH} \"$@\" {other}"));
    let output = compare(BENCH, &other, &[]);
    let printed = said(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}{}", said(&output.stderr));
    assert!(printed.contains("different: the state hashes are not the same"), "{printed}");
    assert!(printed.contains("B is slower in 0 and faster in 0 of 4 rows"), "{printed}");
}

#[test]
fn a_program_that_cannot_serve_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["echo \"error: unrecognized subcommand '$1'\" >&2; exit 2", "echo no JSON"] {
        let old = script(folder.path(), text);
        let output = compare(BENCH, &old, &[]);
        assert_eq!(output.status.code(), Some(2));
        let words = format!("cannot use {old}: it does not serve blocks to `compare`");
        assert!(said(&output.stderr).contains(&words), "{}", said(&output.stderr));
    }
}

#[test]
fn a_program_that_ends_while_it_measures_is_named_with_the_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let ending = script(folder.path(), &format!("{BENCH} \"$@\" </dev/null"));
    let output = compare(&ending, BENCH, &[]);
    assert_eq!(output.status.code(), Some(2));
    let words = "it ended while it measured scaling/cells-scalar/100";
    let words_of_other_order = "it ended while it measured scaling/cells-simd/100";
    let said = said(&output.stderr);
    assert!(said.contains(words) || said.contains(words_of_other_order), "{said}");
}

#[test]
fn a_measurement_that_does_not_exist_is_refused() {
    let output = Command::new(BENCH)
        .args(["compare", BENCH, BENCH, "--", "render", "nowhere"])
        .output()
        .expect("the comparison starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output.stderr).contains("it does not measure anything"),
        "{}",
        said(&output.stderr)
    );
}

#[test]
fn an_interrupted_comparison_prints_what_it_has_found() {
    let arguments = [&["compare", BENCH, BENCH, "--time", "600", "--json"], &ROWS[..]].concat();
    let mut run = Command::new(BENCH);
    let run = run.args(arguments).stdout(Stdio::piped()).spawn().expect("the comparison starts");
    std::thread::sleep(Duration::from_secs(2));
    let kill = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(found["interrupted"], true);
}
