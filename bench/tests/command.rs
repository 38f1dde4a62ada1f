//! The command as a user runs it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    // The default folder for reports is relative; it must not appear in the source tree.
    let here = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_flockwork-bench"));
    command.args(arguments).current_dir(here.path()).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn measure(folder: &Path) -> Value {
    let out = folder.display().to_string();
    let output =
        run(&["--quick", "--n", "100,300,1e3", "--budget", "1", "--threads", "2", "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    for words in ["cells-simd-mt", "cell space overtakes all pairs", "SIMD over scalar", "Report:"]
    {
        assert!(printed.contains(words), "{words} is missing in\n{printed}");
    }
    let json = std::fs::read_to_string(folder.join("report.json")).expect("report.json");
    serde_json::from_str(&json).expect("sound JSON")
}

#[test]
fn a_measurement_writes_reports_whose_hashes_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = measure(folder.path());
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3 * 5, "three sizes, five methods");
    for size in [100, 300, 1000] {
        let mut hashes: Vec<&str> = rows
            .iter()
            .filter(|row| row["n"] == size)
            .map(|row| row["state_hash"].as_str().expect("a hash"))
            .collect();
        hashes.dedup();
        assert_eq!(hashes.len(), 1, "one state at {size} agents");
    }
    for row in rows {
        let number = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field}"));
        assert!(number("min_ns_per_agent_step") > 0.0);
        assert!(number("median_ns_per_agent_step") >= number("min_ns_per_agent_step"));
        assert!(number("pairs_per_agent") >= number("mean_neighbors"));
        assert!(number("threads") >= 1.0);
    }
    assert!(report["slopes"]["cells-simd"]["slope"].is_number());
    assert!(report["machine"]["cpu"].is_string());
    assert_eq!(report["interrupted"], false);

    let csv = std::fs::read_to_string(folder.path().join("report.csv")).expect("report.csv");
    assert_eq!(csv.lines().count(), 1 + 15);
    assert!(csv.starts_with("method,n,threads,median_ns_per_agent_step"));
    let svg = std::fs::read_to_string(folder.path().join("report.svg")).expect("report.svg");
    assert!(svg.contains("<svg") && svg.contains("cells-simd-mt"));
}

#[test]
fn a_method_that_would_take_too_long_stops_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let output = run(&[
        "--quick",
        "--n",
        "1k,30k",
        "--methods",
        "all-pairs-scalar,cells-simd",
        "--budget",
        "0.05",
        "--out",
        &out,
    ]);
    assert!(output.status.success());
    let printed = text(&output.stdout);
    assert!(printed.contains("all-pairs-scalar stopped before 30,000 agents"), "{printed}");
    let json = std::fs::read_to_string(folder.path().join("report.json")).expect("report.json");
    let report: Value = serde_json::from_str(&json).expect("sound JSON");
    let reason = report["stopped"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("the budget is 0.05 s"), "{reason}");
}

#[test]
fn bad_input_is_refused_with_exit_code_2() {
    for (arguments, words) in [
        (&["--n", "0"][..], "from 1 to 100M"),
        (&["--n", "ten"], "whole number"),
        (&["--methods", "cells-smid"], "'cells-simd'"),
        (&["--threads", "0"], "1..=1024"),
        (&["--mean-neighbors", "nan"], "'--mean-neighbors <X>': must be a number from 0.001"),
        (&["--budget", "-1"], "from 0.001"),
        (&["--out", "/proc/nowhere"], "cannot write /proc/nowhere"),
        (&["--quik"], "--quick"),
    ] {
        let output = run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn methods_are_listed() {
    let printed = text(&run(&["--list"]).stdout);
    assert_eq!(printed.lines().count(), 5);
    assert!(printed.contains("all-pairs-simd"));
}

#[test]
fn a_reader_that_leaves_early_costs_no_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_flockwork-bench"))
        .args(["--quick", "--n", "2k", "--methods", "cells-simd", "--out"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(folder.path().join("report.json").exists());
}

#[test]
fn the_table_of_behaviors_has_a_row_for_each_and_says_what_the_heavy_scene_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("behaviors.md");
    let output = run(&[
        "behaviors",
        "--n",
        "300",
        "--heavy",
        "2000",
        "--repeats",
        "2",
        "--out",
        page.to_str().expect("UTF-8"),
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(page).expect("the page");
    for name in ["| separation |", "| wall_avoidance |", "| (none) |", "| `heavy` |"] {
        assert!(page.contains(name), "{name} is missing in\n{page}");
    }
    let rows = page.lines().filter(|line| line.contains("src/kernels/"));
    assert_eq!(rows.count(), 23);
    let refused = run(&["behaviors", "--out", "/proc/nowhere"]);
    assert_eq!(refused.status.code(), Some(2));
}
