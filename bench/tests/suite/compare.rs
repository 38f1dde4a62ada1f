use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::{BENCH, command, folder, run, said, signal, text};

const ROWS: [&str; 6] =
    ["--", "scaling", "--variants", "cells-simd,cells-scalar", "--n", "100,300"];

fn compare(a: &str, b: &str, options: &[&str]) -> Output {
    let arguments = [&["compare", a, b, "--time", "1"], options, &ROWS].concat();
    command(&arguments).output().expect("the comparison starts")
}

fn script(folder: &Path, line: &str) -> String {
    let path = folder.join("program");
    std::fs::write(&path, format!("#!/bin/sh\n{line}\n")).expect("written");
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("executable");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn two_programs_are_compared_row_by_row() {
    let output = compare(BENCH, BENCH, &["--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(text(&output.stdout).lines().count(), 1);
    let rows = found["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4, "two variants, two sizes");
    for row in rows {
        let number = |name: &str| row[name].as_f64().expect("a number");
        assert!(number("low") <= number("ratio") && number("ratio") <= number("high"), "{row}");
        assert!(row["passes"].as_u64().expect("a count") >= 1, "{row}");
        assert_eq!(row["state_hashes"][0], row["state_hashes"][1]);
        assert!(row["ns"][0].as_f64() > Some(0.0) && row["ns"][1].as_f64() > Some(0.0), "{row}");
    }
    let slower = rows.iter().any(|row| row["verdict"] == "slower");
    assert_eq!(output.status.code(), Some(i32::from(slower)), "{}", said(&output));
}

#[test]
fn programs_that_reach_other_states_are_told_apart_with_exit_code_1() {
    let folder = folder();
    let other = "| sed -u 's/\"hash\":\"./&0/'";
    let other = script(folder.path(), &format!("{BENCH} \"$@\" {other}"));
    let output = compare(BENCH, &other, &[]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}{}", said(&output));
    assert!(printed.contains("different"), "{printed}");
    assert!(printed.contains("B is slower in 0 and faster in 0 of 4 rows"), "{printed}");
}

#[test]
fn a_program_that_cannot_serve_is_refused_by_name() {
    let folder = folder();
    for line in ["echo \"error: unrecognized subcommand '$1'\" >&2; exit 2", "echo no JSON"] {
        let old = script(folder.path(), line);
        let output = compare(BENCH, &old, &[]);
        assert_eq!(output.status.code(), Some(2));
        let words = format!("cannot use {old}: it does not serve blocks to `compare`");
        assert!(said(&output).contains(&words), "{}", said(&output));
    }
}

#[test]
fn a_program_that_ends_while_it_measures_is_named_with_the_row() {
    let folder = folder();
    let ending = script(folder.path(), &format!("{BENCH} \"$@\" </dev/null"));
    let output = compare(&ending, BENCH, &[]);
    assert_eq!(output.status.code(), Some(2));
    let words = "it ended while it measured scaling/cells-scalar/100";
    let words_of_other_order = "it ended while it measured scaling/cells-simd/100";
    let said = said(&output);
    assert!(said.contains(words) || said.contains(words_of_other_order), "{said}");
}

#[test]
fn what_measures_nothing_is_refused() {
    let output = run(&["compare", BENCH, BENCH, "--", "compare", "a", "b"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("it does not measure anything"), "{}", said(&output));
}

#[test]
fn an_interrupted_comparison_prints_what_it_has_found() {
    let arguments = [&["compare", BENCH, BENCH, "--time", "600", "--json"], &ROWS[..]].concat();
    let run = command(&arguments).stdout(Stdio::piped()).spawn().expect("the comparison starts");
    std::thread::sleep(Duration::from_secs(2));
    signal("-INT", &run);
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
    assert_eq!(found["interrupted"], true);
}
