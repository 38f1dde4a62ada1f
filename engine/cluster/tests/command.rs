#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use flockwork::{Scene, Snapshot, Species, World};
use flockwork_cluster::checkpoint::Checkpoint;

const PROGRAM: &str = env!("CARGO_BIN_EXE_flockwork-cluster");
const FLOCK: [&str; 6] = ["--scene", "flock", "--agents", "60", "--steps", "4"];

fn ended(output: &Output) -> (i32, String) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().expect("it is not killed"), said)
}

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> (i32, String) {
    ended(&Command::new(PROGRAM).args(arguments).output().unwrap())
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

/// A pipe without a reader, so that writing to it fails.
fn closed() -> Stdio {
    std::io::pipe().unwrap().1.into()
}

#[test]
fn output_that_cannot_be_written_is_an_error_and_no_panic() {
    let json = [&FLOCK[..], &["--json", "--ranks", "2"]].concat();
    for arguments in [&FLOCK[..], &json, &["--help"], &["--version"]] {
        for (output, reason) in [(full(), "No space left"), (closed(), "Broken pipe")] {
            let output = Command::new(PROGRAM).args(arguments).stdout(output).output().unwrap();
            let (code, said) = ended(&output);
            assert_eq!(code, 2, "{arguments:?}: {said}");
            let expected = format!("error: cannot write to standard output: {reason}");
            assert!(said.contains(&expected) && !said.contains("panicked"), "{said}");
        }
    }
}

#[test]
fn messages_that_cannot_be_written_cost_nothing() {
    let checked = [&FLOCK[..], &["--check", "--threads", "64"]].concat();
    for (arguments, expected) in [(&checked[..], 0), (&["--scene", "x"], 2), (&["--x"], 2)] {
        for messages in [full(), closed()] {
            let output = Command::new(PROGRAM).args(arguments).stderr(messages).output().unwrap();
            assert_eq!(ended(&output).0, expected, "{arguments:?}");
        }
    }
}

#[test]
fn no_agents_are_refused() {
    let (code, said) = run(["--agents", "0"]);
    assert_eq!(code, 2);
    assert!(said.contains("'0' for '--agents <N>': must be at least 1"), "{said}");
    let (code, said) = run(["--agents", "-3"]);
    assert_eq!(code, 2);
    assert!(said.contains("'-3' for '--agents <N>': must be a whole number"), "{said}");
}

#[test]
fn without_agents_or_steps_no_efficiency_is_predicted() {
    let directory = tempfile::tempdir().unwrap();
    let empty = directory.path().join("empty.toml");
    let text = Scene::new(World::torus(100.0, 100.0)).species(Species::new("fish", 0)).to_toml();
    fs::write(&empty, text).unwrap();
    for (scene, steps, predicted) in
        [("flock", "0", false), (empty.to_str().unwrap(), "4", false), ("flock", "1", true)]
    {
        let arguments = ["--scene", scene, "--steps", steps, "--ranks", "2", "--model", "--json"];
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(ended(&output).0, 0, "{arguments:?}");
        assert_eq!(printed.contains("efficiencies"), predicted, "{printed}");
        assert!(!printed.contains("null"), "{printed}");
    }
}

#[test]
fn the_memory_of_all_ranks_that_are_threads_is_checked() {
    let script = "ulimit -v 4000000; exec \"$0\" --agents 100M --ranks 64 --steps 1";
    let output = Command::new("sh").args(["-c", script, PROGRAM]).output().unwrap();
    let (code, said) = ended(&output);
    assert_eq!(code, 2, "{said}");
    assert!(said.starts_with("error: ") && said.contains("memory"), "{said}");
}

#[test]
fn arguments_that_are_no_text_are_refused() {
    let (code, said) = run([OsStr::new("--scene"), OsStr::from_bytes(b"fl\xff")]);
    assert_eq!(code, 2);
    assert!(said.contains(r#"invalid UTF-8 in ["fl\xFF"]"#), "{said}");
    assert_eq!(run([OsStr::from_bytes(b"--\xff")]).0, 2);
    // File names need not be valid UTF-8.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(OsStr::from_bytes(b"\xff"));
    let arguments = FLOCK.map(OsStr::new).into_iter().chain([OsStr::new("--save"), path.as_ref()]);
    assert_eq!(run(arguments).0, 0);
    assert!(path.is_file());
}

#[test]
fn a_failure_names_its_rank_once() {
    let directory = tempfile::tempdir().unwrap();
    let occupied = directory.path().join("occupied");
    fs::write(&occupied, "").unwrap();
    let checkpoint = [&FLOCK[..], &["--checkpoint", occupied.to_str().unwrap()]].concat();
    let (code, said) = run(checkpoint);
    assert_eq!((code, said.lines().count()), (2, 1), "{said}");
    let part = saved(directory.path()).join("part-00000");
    fs::remove_file(&part).unwrap();
    let (code, said) = run(["--resume", directory.path().to_str().unwrap(), "--ranks", "2"]);
    assert_eq!(code, 2);
    assert_eq!(said.matches("rank 0").count(), 1, "{said}");
    assert!(said.contains("part-00000: No such file"), "{said}");
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_first_step() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("occupied"), "").unwrap();
    for (option, path) in [("--save", path("none/x")), ("--checkpoint", path("occupied/new"))] {
        let (code, said) = run([&FLOCK[..], &[option, path.as_str()]].concat());
        assert_eq!(code, 2, "{said}");
        // The error names no rank, so the run had not started.
        assert!(said.starts_with(&format!("error: {path}: ")), "{said}");
    }
    let both = ["--checkpoint", &path("new"), "--every", "1", "--save", &path("none/x")];
    assert_eq!(run([&FLOCK[..], &both].concat()).0, 2);
    assert_eq!(fs::read_dir(path("new")).unwrap().count(), 0);
}

#[test]
fn an_output_that_fails_costs_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    for (ranks, every) in [("1", "1"), ("3", "4"), ("3", "3")] {
        // A folder blocks the path of the part.
        for tick in [1, 3, 4] {
            fs::create_dir_all(path(&format!("step-{tick:012}/part-00000/occupied"))).unwrap();
        }
        let outputs = ["--checkpoint", &path(""), "--every", every, "--save", &path("end")];
        let arguments = [&FLOCK[..], &outputs, &["--ranks", ranks, "--check"]].concat();
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let (code, said) = ended(&output);
        assert_eq!(code, 2, "{said}");
        assert!(printed.contains(&format!("{every} steps in ")), "{printed}");
        assert!(said.contains("one host reaches the same state"), "{said}");
        assert!(said.contains("error: rank 0: ") && said.contains("part-00000"), "{said}");
        let snapshot = Snapshot::load(path("end")).unwrap();
        assert_eq!(snapshot.tick().to_string(), every);
        fs::remove_file(path("end")).unwrap();
    }
}

#[test]
fn writing_checkpoints_does_not_count_as_time_of_steps() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let saves = ["--json", "--checkpoint", path, "--every", "1"];
    let output = Command::new(PROGRAM).args([&FLOCK[..], &saves].concat()).output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rank = &summary["per_rank"][0];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let of_steps = number(&rank["ns_per_agent_step"]) / number(&rank["computing"]);
    let ratio = number(&summary["ns_per_agent_step"]) / of_steps;
    assert!((ratio - 1.0).abs() < 1.0e-6, "{summary}");
}

#[test]
fn any_number_of_ranks_saves_the_same_snapshot() {
    let directory = tempfile::tempdir().unwrap();
    let [one, more] = ["1", "5"].map(|ranks| {
        let path = directory.path().join(ranks);
        let save = ["--ranks", ranks, "--save", path.to_str().unwrap()];
        assert_eq!(run([&FLOCK[..], &save].concat()).0, 0);
        fs::read(path).unwrap()
    });
    assert!(one == more);
}

fn saved(directory: &Path) -> std::path::PathBuf {
    let path = directory.to_str().unwrap();
    let (code, said) = run([&FLOCK[..], &["--ranks", "2", "--checkpoint", path]].concat());
    assert_eq!(code, 0, "{said}");
    directory.join("step-000000000004")
}

#[test]
fn a_full_disk_leaves_the_only_checkpoint_of_the_step() {
    let directory = tempfile::tempdir().unwrap();
    saved(directory.path());
    let path = directory.path().to_str().unwrap();
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --resume \"$1\" --steps 0 --ranks 3 \
                  --checkpoint \"$1\"";
    let output = Command::new("sh").args(["-c", script, PROGRAM, path]).output().unwrap();
    let (code, said) = ended(&output);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(Checkpoint::latest(directory.path()).unwrap().manifest.tick, 4);
    assert_eq!(run(["--resume", path, "--steps", "1"]).0, 0);
}

#[test]
fn a_run_does_not_save_to_the_directory_of_another() {
    let directory = tempfile::tempdir().unwrap();
    saved(directory.path());
    let path = directory.path().to_str().unwrap();
    let (code, said) = run(["--scene", "hide", "--steps", "2", "--checkpoint", path]);
    assert_eq!(code, 2);
    assert!(said.contains("it contains checkpoints of a run, up to step 4"), "{said}");
    // The checkpoint to resume from is pruned during the run, but only after the comparison.
    let resume = ["--resume", path, "--steps", "2", "--checkpoint", path, "--every", "1"];
    assert_eq!(run(resume.into_iter().chain(["--check"])).0, 0);
    assert_eq!(Checkpoint::latest(directory.path()).unwrap().manifest.tick, 6);
}

/// Regression: slabs ran on a process-wide thread pool whose size came from the environment.
#[test]
fn the_environment_starts_no_threads_that_options_exclude() {
    let script = "ulimit -v 4000000; exec \"$0\" --scene stress --agents 50k --steps 2 --ranks 2 \
                  --threads 2 --check";
    let with = |threads: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script, PROGRAM]).env("RAYON_NUM_THREADS", threads);
        ended(&command.output().unwrap())
    };
    let (code, said) = with("99999");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("RAYON_NUM_THREADS = 99999: must be from 1 to 1024"), "{said}");
    let (code, said) = with("16");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("one host reaches the same state"), "{said}");
}
