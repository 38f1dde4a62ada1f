use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use flockwork::cpu::{LEVEL_VARIABLE, Level};
use serde_json::Value;

use crate::{command, folder, report_in, run, said, signal, text};

/// Runs a measurement that must succeed and writes its report to `folder`. Returns standard output.
/// The default time limit is 1 s, since these tests need no precise times.
fn measure(arguments: &[&str], folder: &Path) -> String {
    let out = folder.to_str().expect("UTF-8");
    let short: &[&str] = if arguments.contains(&"--time") { &[] } else { &["--time", "1"] };
    let output = run(&[arguments, short, &["--out", out]].concat());
    assert!(output.status.success(), "{}", said(&output));
    text(&output.stdout)
}

const WIDTH: usize = 80;

#[test]
fn a_measurement_writes_reports_whose_hashes_agree() {
    let folder = folder();
    let arguments = ["--n", "30,100,3e2", "--budget", "1", "--threads", "2"];
    let printed = measure(&arguments, folder.path());
    let at = |words: &str| printed.find(words).unwrap_or_else(|| panic!("{words}: {printed}"));
    // The answers come last.
    assert!(at("report.html") < at("a grid of cells is "));
    assert!(at("a grid of cells is ") < at("\n  cells over all pairs, SIMD"));
    assert!(at("cells win") < at("over zelll"));
    assert!(at("agents at 60 steps/s") < at("All variants but zelll reached the same state"));
    assert!(!printed.contains("Times: "), "{printed}");
    for line in printed.lines().filter(|line| !line.starts_with("Report: ")) {
        assert!(line.chars().count() <= WIDTH, "{line}");
    }

    let report = report_in(folder.path());
    let rows = report["rows"].as_array().expect("rows");
    let is_asked = |row: &&Value| [30, 100, 300].iter().any(|n| row["n"] == *n);
    let asked = rows.iter().filter(is_asked).count();
    assert_eq!(asked, 3 * 6 + 1, "three sizes, five variants, the next best; a second copy");
    let sizes: Vec<u64> = rows.iter().map(|row| row["n"].as_u64().expect("a size")).collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    let added = rows.len() - asked;
    assert!(added.is_multiple_of(2), "only all pairs and cells are measured at sizes between");
    for size in [30, 100, 300] {
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
        assert!(number("ns_min") > 0.0);
        assert!(number("ns_median") >= number("ns_min"));
        // The mean is the exponential of a mean logarithm: rounding can put it below the minimum.
        assert!(number("ns_per_agent_step") >= 0.999_999 * number("ns_min"));
        assert!(number("ns_low") <= number("ns_per_agent_step"));
        assert!(number("ns_per_agent_step") <= number("ns_high"));
        let is_of_engine = row["variant"] != "zelll-flock";
        assert!(!is_of_engine || number("pairs_per_agent") >= number("mean_neighbors"));
        assert!(number("threads") >= 1.0);
        assert!(!row["blocks"].as_array().expect("blocks").is_empty());
    }
    assert_eq!(report["slopes"].as_array().expect("slopes").len(), 6);
    assert!(report["noise"].as_f64().is_some_and(|noise| noise >= 0.0), "{}", report["noise"]);
    let ratios = report["ratios"].as_array().expect("ratios");
    assert_eq!(
        ratios.len(),
        3 * 5 + added / 2,
        "four questions about variants, one about the next best; such crowds stay on one thread: {ratios:?}"
    );
    for ratio in ratios {
        let [times, low, high] =
            ["times", "low", "high"].map(|name| ratio["ratio"][name].as_f64().expect("a number"));
        assert!(0.0 < low && low <= times && times <= high, "{ratio}");
    }
    assert!(report["machine"]["cpu"].is_string());
    assert_eq!(report["interrupted"], false);

    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let csv = file("report.csv");
    assert_eq!(csv.lines().count(), 1 + rows.len());
    let of_ratios = file("ratios.csv");
    assert!(of_ratios.starts_with("question,at,n,ratio.times,ratio.low,ratio.high,ratio.doubt"));
    assert!(of_ratios.lines().count() > ratios.len(), "{of_ratios}");
    assert!(
        csv.starts_with(
            "experiment,variant,point,scene,n,threads,ns_per_agent_step,ns_low,ns_high"
        )
    );
    let svg = file("report.svg");
    assert!(svg.starts_with("<svg") && svg.contains("cells, several threads"), "{svg}");
    assert!(svg.contains("60 steps/s"), "{svg}");
    let page = file("report.html");
    assert!(page.starts_with("<!DOCTYPE html>"));
    let details = page.find("<details>").expect("details");
    for words in ["Ratios", "Times: scaling", "Stages of a step"] {
        assert!(page.find(words).is_some_and(|at| at > details), "{words}");
    }
}

/// Regression: ratios.csv and report.svg of an earlier run remained next to the new report.
#[test]
fn a_report_leaves_no_ratios_and_no_chart_of_an_earlier_one() {
    let folder = folder();
    for name in ["ratios.csv", "report.svg"] {
        std::fs::write(folder.path().join(name), "earlier").expect("a file");
    }
    measure(&["levels", "--n", "100", "--variants", "cells-scalar"], folder.path());
    let ratios = std::fs::read_to_string(folder.path().join("ratios.csv")).expect("a file");
    assert!(ratios.starts_with("question,at,n,") && ratios.lines().count() == 1, "{ratios}");
    assert!(!folder.path().join("report.svg").exists());
}

/// Regression: a run that skipped all crowds replaced a good report with an empty one.
#[test]
fn a_run_that_measures_nothing_keeps_the_earlier_report() {
    let folder = folder();
    let too_long = ["density", "--n", "5k", "--variants", "cells-scalar", "--budget", "0.001"];
    let printed = measure(&too_long, folder.path());
    assert!(
        printed.contains("\nReport: ") && printed.contains("Nothing was measured"),
        "{printed}"
    );
    assert!(printed.contains("the budget is"), "the reason is printed: {printed}");
    measure(&["levels", "--n", "100", "--variants", "cells-scalar"], folder.path());
    let printed = measure(&too_long, folder.path());
    assert!(printed.contains("\nEarlier report, kept: "), "{printed}");
    assert_eq!(report_in(folder.path())["setup"]["arguments"][0], "levels");
}

#[test]
fn a_variant_that_would_take_too_long_is_skipped_with_a_note() {
    let folder = folder();
    let arguments = ["--n", "50,30k", "--threads", "1", "--budget", "0.05", "--verbose"];
    let printed = measure(&arguments, folder.path());
    let says = |printed: &str, id: &str| {
        let mut lines = printed.lines().map(str::trim);
        lines.any(|line| line.starts_with(id) && line.contains("  a step takes about "))
    };
    assert!(says(&printed, "scaling/all-pairs-scalar/30000 "), "{printed}");
    let report = report_in(folder.path());
    let reason = report["stopped"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("the budget is 50.0 ms"), "{reason}");

    // Every skipped point gets a message, not only the first point of a curve.
    let arguments = ["density", "--n", "5k", "--threads", "1", "--budget", "0.001", "--verbose"];
    let printed = measure(&arguments, folder.path());
    for neighbors in [64, 128, 256] {
        let id = format!("density/cells-scalar/5000 agents, {neighbors} neighbors");
        assert!(says(&printed, &id), "{printed}");
    }
}

#[test]
fn a_measurement_without_sizes_ends_in_time_and_says_what_it_left_out() {
    let folder = folder();
    let begun = Instant::now();
    let arguments = ["--quick", "--time", "6", "--threads", "1", "--verbose"];
    let printed = measure(&arguments, folder.path());
    // Allow twice the requested time, since tests share cores, and more for debug assertions.
    let took = begun.elapsed().as_secs_f64();
    assert!(took < 12.0 || cfg!(debug_assertions) && took < 60.0, "{took} s");
    assert!(printed.contains("\n  scaling/all-pairs-scalar/100000 "), "{printed}");
    let report = report_in(folder.path());
    let reasons = report["stopped"].to_string();
    assert!(reasons.contains("are left (--time)"), "{reasons}");
    let setup = &report["setup"];
    assert_eq!(
        (setup["time_seconds"].as_f64(), &setup["arguments"][0]),
        (Some(6.0), &"--quick".into())
    );
}

#[test]
fn without_a_terminal_every_row_gets_a_line() {
    let folder = folder();
    let out = folder.path().to_str().expect("UTF-8");
    let arguments = ["levels", "--n", "100,200", "--time", "1", "--out", out];
    let said = text(&run(&arguments).stderr);
    for n in [100, 200] {
        let line = format!("levels/cells-scalar/{n}: ");
        assert_eq!(said.lines().filter(|said| said.starts_with(&line)).count(), 1, "{said}");
    }
}

#[test]
fn bad_input_is_refused_with_exit_code_2() {
    for (arguments, words) in [
        (&["--n", "0"][..], "from 1 to 100M"),
        (&["--n", "ten"], "whole number"),
        (&["--n", "-1,2"], "'-1' for '--n <LIST>': must be a whole number"),
        (&["--variants", "cells-smid"], "'cells-simd'"),
        (&["--threads", "0"], "1..=1024"),
        (&["--mean-neighbors", "nan"], "'--mean-neighbors <X>': must be a number from 0.001"),
        (&["density", "--mean-neighbors", "4"], "cannot use --mean-neighbors: it is for scaling"),
        (&["scenes", "--mean-neighbors", "4"], "cannot use --mean-neighbors: it is for scaling"),
        (&["all", "--mean-neighbors", "4"], "cannot use --mean-neighbors: it is for scaling"),
        (&["scaling", "--only", "sees"], "cannot use --only: it is for uneven, all"),
        (&["density", "--heavy", "5k"], "cannot use --heavy: it is for kernels, all"),
        // Regression: the option was ignored.
        (&["all", "--dimensions", "3", "--heavy", "5k"], "its scene is measured in 2D only"),
        (&["serve", "kernels", "--time", "300"], "compared rows do not depend on --time"),
        (&["uneven", "--only", "sees 2 views"], "did you mean `cohesion sees 3 views`?"),
        (&["uneven", "--only", "plian"], "unknown crowd in --only `plian`; did you mean `plain`?"),
        (&["--budget", "-1"], "from 0.001"),
        (&["--time", "0.5"], "from 1 to 86400"),
        (&["--threads", "1,2"], "invalid value '1,2'"),
        (&["--out", "/proc/nowhere"], "cannot write /proc/nowhere"),
        (&["--quik"], "--quick"),
        (&["densty"], "'density'"),
        (&["peers", "--variants", "cells-simd"], "peers has no rows for these variants"),
        (&["compare", "nowhere", "HEAD"], "cannot use nowhere: it is neither a program nor"),
        // Regression: a folder was run as a program.
        (&["compare", env!("CARGO_MANIFEST_DIR"), "HEAD"], "it is neither a program nor"),
        (&["render"], "invalid value 'render'"),
        (&["--out", "/etc/passwd"], "cannot write /etc/passwd: it is not a folder"),
    ] {
        let output = run(arguments);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn every_level_of_the_processor_is_measured_to_the_same_hash() {
    let folder = folder();
    let printed = measure(&["levels", "--n", "300"], folder.path());
    let report = report_in(folder.path());
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 1 + Level::available().count());
    assert!(printed.contains("SIMD over scalar") || printed.contains(" over "), "{printed}");
    assert_eq!(report["machine"]["level_found"], Level::found().name());
}

#[test]
fn an_environment_variable_holds_the_program_to_a_level() {
    let folder = folder();
    let out = folder.path().to_str().expect("UTF-8");
    let arguments = ["threads", "--n", "100", "--time", "1", "--out", out];
    let lowest = Level::Baseline.name();
    let output = command(&arguments).env(LEVEL_VARIABLE, lowest).output().expect("a start");
    assert!(output.status.success(), "{}", said(&output));
    let machine = &report_in(folder.path())["machine"];
    assert_eq!((machine["level"].as_str(), machine["lanes"].as_u64()), (Some(lowest), Some(4)));

    let output = command(&arguments).env(LEVEL_VARIABLE, "avx5").output().expect("a start");
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    let words = "unknown level in FLOCKWORK_LEVEL `avx5`; did you mean `avx512`?";
    assert!(said.contains(words), "{said}");
}

#[test]
fn rows_are_listed() {
    let printed = text(&run(&["--quick", "--n", "100", "--list"]).stdout);
    let variants =
        if std::thread::available_parallelism().map_or(1, usize::from) > 1 { 7 } else { 6 };
    assert_eq!(
        printed.lines().count(),
        variants,
        "five variants, a copy, the next best: {printed}"
    );
    assert!(printed.contains("scaling/all-pairs-simd/100"));
    let all = text(&run(&["all", "--list"]).stdout);
    for id in [
        "cell-size/cells-simd/100000 agents, cells of 0.25",
        "kernels/cells-scalar/wander",
        "scenes/cells-simd/hide",
    ] {
        assert!(all.lines().any(|line| line == id), "{id}");
    }
}

#[test]
fn peers_find_the_same_neighbors() {
    let folder = folder();
    let printed = measure(&["peers", "--n", "1k"], folder.path());
    assert!(printed.contains("flockwork over zelll"), "{printed}");
    let report = report_in(folder.path());
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4, "four crates");
    for row in rows {
        let neighbors = row["mean_neighbors"].as_f64().expect("a number");
        assert!((11.0..17.0).contains(&neighbors), "fewer than 16 at the edges: {row}");
        assert_eq!(row["state_hash"], rows[0]["state_hash"], "the number of neighbors");
    }
}

#[test]
fn json_is_one_line_and_nothing_else() {
    let folder = folder();
    let arguments = ["levels", "--n", "50", "--json"];
    let printed = measure(&arguments, folder.path());
    assert_eq!(printed.lines().count(), 1);
    let report: Value = serde_json::from_str(&printed).expect("valid JSON");
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 1 + Level::available().count(), "scalar, and every level");
    assert!(rows.iter().all(|row| row["state_hash"] == rows[0]["state_hash"]));
    assert_eq!(report, report_in(folder.path()));
}

#[test]
fn a_closed_pipe_does_not_cost_the_report() {
    let folder = folder();
    let mut child = command(&["threads", "--n", "100", "--time", "1", "--out"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(folder.path().join("report.json").exists());
}

#[cfg(unix)]
fn interrupted(arguments: &[&str], folder: &Path) -> Output {
    let child = command(arguments)
        .arg("--out")
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let start = Instant::now();
    while !folder.join("report.json").exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    signal("-INT", &child);
    child.wait_with_output().expect("the command ends")
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_rows() {
    let folder = folder();
    let arguments = ["--n=100,200,400,800", "--time=120", "--variants=cells-simd", "--threads=1"];
    let output = interrupted(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("stopping after"), "{}", said(&output));
    assert!(text(&output.stdout).contains("Interrupted: not all rows"), "{}", text(&output.stdout));
    let report = report_in(folder.path());
    assert_eq!(report["interrupted"], true);
    assert!(!report["rows"].as_array().expect("rows").is_empty());
    assert!(folder.path().join("report.html").exists());
}

#[cfg(unix)]
#[test]
fn a_run_interrupted_before_its_first_block_writes_nothing() {
    use std::io::{BufRead, BufReader};
    let folder = folder();
    let mut child = command(&["levels", "--n", "3M", "--variants", "cells-scalar", "--out"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    stdout.read_line(&mut String::new()).expect("the head");
    signal("-INT", &child);
    let output = child.wait_with_output().expect("the command ends");
    let said = said(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted before anything was measured"), "{said}");
    assert!(!folder.path().join("report.json").exists());
}

#[test]
fn kernels_print_the_tables_of_the_page_of_behaviors_as_markdown() {
    let folder = folder();
    let printed = measure(&["kernels", "--n", "100", "--heavy", "500", "--verbose"], folder.path());
    for words in [
        "\n## Cost and accuracy of each behavior\n",
        "| behavior | SIMD | scalar | speed-up | error |\n| --- |",
        "\n| [separation](../engine/src/behaviors/separation.rs) | ",
        "\n| (none) | ",
        "\n## Stages of a step: heavy\n",
        "\n| without wander | ",
    ] {
        assert!(printed.contains(words), "{words} is missing in\n{printed}");
    }
    let rows = printed.lines().filter(|line| line.contains("src/behaviors/"));
    assert_eq!(rows.count(), flockwork::Behavior::NAMES.len());
}

#[test]
fn unequal_crowds_are_compared_with_their_ideals_as_markdown() {
    let folder = folder();
    let arguments = ["uneven", "--n", "2k", "--only", "sees 3 views", "--verbose"];
    let printed = measure(&arguments, folder.path());
    let at = |words: &str| printed.find(words).unwrap_or_else(|| panic!("{words}: {printed}"));
    let crowds = ["naive loop over 10 sharks", "plain", "1 sees 3 views", "cohesion sees 3 views"];
    let places = crowds.map(|crowd| at(&format!("\n| {crowd} | ")));
    assert!(at("\n## Unequal agents: 2,000 agents\n") < places[0] && places.is_sorted());
    assert!(!printed.contains("10 % see"), "not asked for: {printed}");
    let report = report_in(folder.path());
    let ids = report["rows"].as_array().expect("rows").iter().map(|row| row["id"].as_str());
    assert_eq!(ids.flatten().filter(|id| id.contains("sees")).count(), 2);
}
