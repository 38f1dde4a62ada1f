//! Tests of faults while a report is written: signals, kills, full disks, two runs in one folder.
//! Afterwards, every report file is either complete or the previous version.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use crate::{BENCH, command, folder, report_in, said, signal};

/// Report files of a measurement that draws no chart.
const FILES: [&str; 4] = ["report.json", "report.csv", "report.html", "ratios.csv"];

fn start(sizes: &str, seconds: &str, folder: &TempDir) -> Child {
    command(&["threads", "--threads", "1", "--n", sizes, "--time", seconds])
        .arg("--out")
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the measurement starts")
}

/// Starts a measurement that produces its first row early and outlasts the test.
fn start_long(folder: &TempDir) -> Child {
    start("100,200,400,800,1600", "30", folder)
}

fn until_rows(run: &mut Child, folder: &TempDir) {
    while !folder.path().join("report.json").exists() {
        assert!(run.try_wait().expect("its state").is_none(), "it keeps running");
        sleep(Duration::from_millis(2));
    }
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().expect("text")).collect();
    names.sort();
    names
}

#[test]
fn a_request_to_end_keeps_what_is_measured() {
    for request in ["-TERM", "-HUP"] {
        let folder = folder();
        let mut run = start_long(&folder);
        until_rows(&mut run, &folder);
        signal(request, &run);
        let output = run.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{request}: {}", said(&output));
        assert_eq!(report_in(folder.path())["interrupted"], true, "{request}");
        assert_eq!(names(&folder).len(), FILES.len(), "{request}: {:?}", names(&folder));
    }
}

#[test]
fn killed_at_any_moment_a_report_is_whole() {
    for milliseconds in [0, 1, 5, 20, 50, 120] {
        let folder = folder();
        let mut run = start_long(&folder);
        until_rows(&mut run, &folder);
        sleep(Duration::from_millis(milliseconds));
        run.kill().expect("killed");
        run.wait().expect("it ends");
        let report = report_in(folder.path());
        assert!(!report["rows"].as_array().expect("rows").is_empty(), "{milliseconds} ms");
    }
}

/// A process that exceeds its file-size limit is killed in mid-write, as by SIGKILL,
/// but at the same byte every time.
#[test]
fn killed_at_any_block_of_a_file_the_previous_report_is_whole() {
    let mut kinds = [0; 2];
    for blocks in [1, 8, 64] {
        let folder = folder();
        for name in FILES {
            fs::write(folder.path().join(name), "the previous file").expect("a file");
        }
        let script = format!(
            "ulimit -c 0; ulimit -f {blocks}; exec \"$0\" threads --threads 1 --time 1 --n 100 --out \"$1\""
        );
        let run = Command::new("sh").args(["-c", &script, BENCH]).arg(folder.path()).output();
        let output = run.expect("the measurement starts");
        for (name, end) in FILES.into_iter().zip(["}", "\n", "</html>", "\n"]) {
            let text = fs::read_to_string(folder.path().join(name)).expect("a file");
            let is_new = text != "the previous file";
            kinds[usize::from(is_new)] += 1;
            let is_whole = !is_new || text.ends_with(end) || text.trim_end().ends_with(end);
            assert!(is_whole, "{blocks} blocks: {name} ends with {:?}", text.lines().last());
        }
        let is_killed = output.status.signal().is_some();
        assert!(is_killed || kinds[1] > 0, "{blocks} blocks: {}", said(&output));
    }
    assert!(kinds[0] > 0 && kinds[1] > 0, "{kinds:?} previous and new");
}

#[test]
fn a_full_disk_leaves_the_previous_report() {
    let folder = folder();
    for name in FILES {
        fs::write(folder.path().join(name), "the previous file").expect("a file");
    }
    // The file-size limit is one block of 512 bytes. SIGXFSZ is ignored,
    // so writes beyond the limit fail as on a full disk.
    let script =
        "trap '' XFSZ; ulimit -f 1; exec \"$0\" threads --threads 1 --time 1 --n 100 --out \"$1\"";
    let run = Command::new("sh").args(["-c", script, BENCH]).arg(folder.path()).output();
    let output = run.expect("the measurement starts");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("report.json"), "{}", said(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("agents") && !printed.contains("report.html"), "{printed}");
    assert_eq!(names(&folder).len(), FILES.len(), "{:?}", names(&folder));
    // `ratios.csv` has only a header here, which fits in one block.
    for name in FILES.into_iter().filter(|name| *name != "ratios.csv") {
        let kept = fs::read_to_string(folder.path().join(name)).expect("a file");
        assert_eq!(kept, "the previous file", "{name}");
    }
}

#[test]
fn a_page_that_cannot_be_written_costs_no_other_file() {
    let folder = folder();
    let page = folder.path().join("report.html");
    std::os::unix::fs::symlink("missing/report.html", &page).expect("a link");
    let output = start("100", "1", &folder).wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("report.html: in the folder"), "{}", said(&output));
    assert!(page.is_symlink());
    assert_eq!(report_in(folder.path())["interrupted"], false);
    assert!(folder.path().join("report.csv").exists(), "what can be written is");
}

#[test]
fn two_runs_in_one_folder_do_not_mix() {
    let folder = folder();
    let mut first = start_long(&folder);
    until_rows(&mut first, &folder);
    let second = start("100", "1", &folder).wait_with_output().expect("it ends");
    assert_eq!(second.status.code(), Some(2), "{}", said(&second));
    assert!(said(&second).contains("another run is writing there"), "{}", said(&second));
    signal("-TERM", &first);
    first.wait().expect("it ends");
    assert!(report_in(folder.path())["setup"]["arguments"].to_string().contains("1600"));
    let third = start("100", "1", &folder).wait_with_output().expect("it ends");
    assert!(third.status.success(), "{}", said(&third));
}

const PRINTED: [(&str, &[&str]); 6] = [
    (BENCH, &["--list"]),
    (BENCH, &["--help"]),
    (BENCH, &["levels", "--json", "--n", "100", "--time", "1"]),
    (BENCH, &["--version-of-nothing"]),
    (env!("CARGO_BIN_EXE_instructions"), &["--help"]),
    (env!("CARGO_BIN_EXE_instructions"), &["--steps"]),
];

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_and_said() {
    let folder = folder();
    let full = |(program, arguments): (&str, &[&str]), stream| {
        let script = format!("exec \"$0\" \"$@\" {stream}/dev/full");
        let mut run = Command::new("sh");
        run.current_dir(&folder).args(["-c", &script, program]).args(arguments);
        run.output().expect("the program starts")
    };
    for printed in PRINTED {
        let is_mistake = printed.1 == ["--version-of-nothing"];
        let output = full(printed, ">");
        assert_eq!(output.status.code(), Some(2), "{printed:?}: {}", said(&output));
        let words = if is_mistake { "unexpected argument" } else { "cannot print: No space left" };
        assert!(said(&output).contains(words), "{printed:?}: {}", said(&output));
        let code = if is_mistake { 2 } else { 0 };
        assert_eq!(full(printed, "2>").status.code(), Some(code), "{printed:?}");
    }
}

#[test]
fn every_program_ends_quietly_if_its_reader_leaves() {
    for (program, arguments) in PRINTED {
        let folder = folder();
        let mut run = Command::new(program);
        run.current_dir(&folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut run = run.spawn().expect("the program starts");
        drop(run.stdout.take());
        let output = run.wait_with_output().expect("it ends");
        let code = if arguments == ["--version-of-nothing"] { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn a_folder_whose_name_is_not_utf_8_has_its_report() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let out = folder.path().join(OsStr::from_bytes(b"r\xff"));
    let measured = command(&["levels", "--time", "1", "--n", "100", "--out"]).arg(&out).output();
    let measured = measured.expect("the measurement starts");
    assert!(measured.status.success(), "{}", said(&measured));
    assert_eq!(report_in(&out)["setup"]["arguments"][0], "levels");
    let output = command(&["--seed"]).arg(OsStr::from_bytes(b"1\xff")).output();
    let output = output.expect("the measurement starts");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains(r#"invalid UTF-8 in ["1\xFF"]"#), "{}", said(&output));
}

#[test]
fn the_environment_may_ask_for_up_to_1024_threads() {
    let folder = folder();
    let mut run = command(&["levels", "--time", "1", "--n", "100"]);
    run.current_dir(&folder).env("RAYON_NUM_THREADS", "99999");
    let output = run.output().expect("the measurement starts");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let words = "RAYON_NUM_THREADS = 99999: must be from 1 to 1024";
    assert!(said(&output).contains(words), "{}", said(&output));
}

#[cfg(target_os = "linux")]
fn with_memory(kilobytes: u32, sizes: &str, folder: &TempDir) -> Output {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    let arguments = ["threads", "--threads", "1", "--budget", "3600", "--time", "1", "--n", sizes];
    let mut run = Command::new("sh");
    run.args(["-c", &script, BENCH]).args(arguments).arg("--out").arg(folder.path());
    run.output().expect("the measurement starts")
}

#[cfg(target_os = "linux")]
#[test]
fn crowds_that_do_not_fit_into_memory_are_left_out_and_named() {
    let folder = folder();
    let output = with_memory(2_000_000, "1000,100M", &folder);
    assert!(output.status.success(), "{}", said(&output));
    let report = report_in(folder.path());
    let rows = report["rows"].as_array().expect("rows");
    assert!(!rows.is_empty() && rows.iter().all(|row| row["n"] == 1_000));
    let reason = report["stopped"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("GB of memory is needed, but 2.0 GB is available"), "{reason}");

    let output = with_memory(2_000_000, "100M", &folder);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("GB of memory is needed, but"), "{}", said(&output));
}

/// Copies the program to `folder` and lets every user write there: the test switches users.
#[cfg(target_os = "linux")]
fn for_every_user(folder: &TempDir) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).expect("the folder's owner");
    let program = folder.path().join("program");
    fs::copy(BENCH, &program).expect("a copy");
    program
}

/// Regression: a measurement panicked when it could not start a thread.
/// Root is exempt from the limit on processes, so the test runs as another user.
#[cfg(target_os = "linux")]
#[test]
fn where_no_thread_can_be_started_the_program_says_so_or_does_without() {
    use std::os::unix::process::CommandExt;
    let is_root =
        fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    for (threads, code) in [("2", 2), ("1", 0)] {
        for processes in [0, 1, 2] {
            let folder = folder();
            let mut run = Command::new("prlimit");
            run.arg(format!("--nproc={processes}")).arg(for_every_user(&folder));
            run.args(["--n", "100", "--time", "1", "--threads", threads, "--out"]);
            run.arg(folder.path().join("report")).env("RAYON_NUM_THREADS", threads);
            if is_root {
                // The limit counts all processes of a user, and the user `nobody` has no others.
                run.uid(65_534).gid(65_534);
            }
            let Ok(output) = run.output() else {
                // Unlike `println!`, this shows even if the test passes.
                let _ = writeln!(std::io::stderr(), "skipped: prlimit is not installed");
                return;
            };
            let said = said(&output);
            let at = format!("{processes} processes, {threads} threads: {said}");
            assert!(!said.contains("panicked"), "{at}");
            if processes == 0 {
                assert_eq!(output.status.code(), Some(code), "{at}");
                assert!(code == 0 || said.contains("thread"), "{at}");
            }
        }
    }
}

/// True if the program aborted because an allocation of less than 64 KiB failed. This happens at
/// random if the limit is just below what the threads need: a program cannot check every small
/// allocation in advance.
#[cfg(target_os = "linux")]
fn is_refused_little(said: &str) -> bool {
    let refused = said.split("memory allocation of ").nth(1);
    let bytes = refused.and_then(|rest| rest.split(' ').next()?.parse().ok());
    bytes.is_some_and(|bytes: u64| bytes < 64 << 10)
}

/// Regression: a table of the measurement exceeded the available memory,
/// and the program aborted.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_the_program_says_so_or_does_without() {
    for megabytes in [60, 80, 120, 200, 350, 500] {
        for sizes in ["100", "100,1M"] {
            let folder = folder();
            let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", 1_000 * megabytes);
            let mut run = Command::new("sh");
            run.args(["-c", &script, BENCH, "--time", "1", "--n", sizes, "--budget", "0.1"]);
            run.args(["--threads", "1", "--out"]).arg(folder.path());
            let output = run.output().expect("the measurement starts");
            let at = format!("{megabytes} MB, {sizes} agents: {}", said(&output));
            if is_refused_little(&at) {
                continue;
            }
            assert!([Some(0), Some(2)].contains(&output.status.code()), "{at}");
            // If memory for a thread's stack is missing, the error is "cannot start".
            let says_so = at.contains("memory") || at.contains("cannot start");
            assert!(output.status.success() || says_so, "{at}");
        }
    }
}
