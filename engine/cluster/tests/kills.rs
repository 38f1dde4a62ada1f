//! A crowd that is killed at any moment, even while it writes a checkpoint, resumes from the latest
//! complete checkpoint on a different number of ranks and reaches the same state as without the
//! kill.
#![cfg(target_os = "linux")]

#[cfg(feature = "mpi")]
mod mpirun;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use flockwork_cluster::checkpoint::Checkpoint;

const STEPS: u64 = 40;
const SCENE: [&str; 4] = ["--scene", "another-big-shoal", "--agents", "30_000"];

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_flockwork-cluster"))
}

fn on_threads(ranks: usize, arguments: &[String]) -> Child {
    let mut command = Command::new(program());
    command.args(arguments).args(["--ranks", &ranks.to_string()]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(feature = "mpi")]
fn on_processes(ranks: usize, arguments: &[String]) -> Child {
    mpirun::start(ranks, &program(), arguments)
}

fn hash(ended: Child) -> String {
    let output = ended.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    let line = text.lines().find(|line| line.starts_with('{')).expect("a line of JSON");
    let summary: serde_json::Value = serde_json::from_str(line).unwrap();
    summary["state_hash"].as_str().unwrap().to_owned()
}

fn arguments(steps: u64, directory: &Path, more: &[&str]) -> Vec<String> {
    let directory = directory.to_str().unwrap();
    let steps = steps.to_string();
    let all = ["--json", "--checkpoint", directory, "--every", "1", "--steps", &steps];
    all.iter().chain(more).map(ToString::to_string).collect()
}

/// Ids of the program's processes that work on this directory.
fn ranks_at(directory: &Path) -> Vec<u32> {
    let directory = directory.to_str().unwrap().as_bytes();
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let id: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let is_it = fs::read_link(format!("/proc/{id}/exe")).ok()? == program();
        let command = fs::read(format!("/proc/{id}/cmdline")).ok()?;
        let here = command.windows(directory.len()).any(|part| part == directory);
        (is_it && here).then_some(id)
    });
    let mut processes: Vec<u32> = processes.collect();
    processes.sort_unstable();
    processes
}

/// One entry per checkpoint folder, true if the checkpoint is complete.
fn checkpoints(directory: &Path) -> Vec<bool> {
    let folders = fs::read_dir(directory).into_iter().flatten().filter_map(|entry| {
        let folder = entry.ok()?.path();
        folder.is_dir().then(|| folder.join("manifest.toml").exists())
    });
    folders.collect()
}

fn wait_for_half_a_checkpoint(directory: &Path) {
    let start = Instant::now();
    loop {
        let complete = checkpoints(directory);
        if complete.contains(&true) && complete.contains(&false) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint is written");
        thread::sleep(Duration::from_micros(200));
    }
}

fn killed_and_resumed(start: fn(usize, &[String]) -> Child) {
    let undisturbed = tempfile::tempdir().unwrap();
    let expected = hash(on_threads(1, &arguments(STEPS, undisturbed.path(), &SCENE)));
    let mut halves = 0;
    for (before, after) in [(3, 2), (2, 4), (4, 1), (2, 3)] {
        let directory = tempfile::tempdir().unwrap();
        let mut run = start(before, &arguments(STEPS, directory.path(), &SCENE));
        wait_for_half_a_checkpoint(directory.path());
        let victim = *ranks_at(directory.path()).last().expect("a rank runs");
        let killed = Command::new("kill").args(["-9", &victim.to_string()]).status();
        assert!(killed.unwrap().success());
        let ended = Instant::now();
        assert!(!run.wait().unwrap().success());
        assert!(ended.elapsed() < Duration::from_secs(20), "all ranks end");
        halves += usize::from(checkpoints(directory.path()).contains(&false));

        let tick = Checkpoint::latest(directory.path()).unwrap().manifest.tick;
        let from = ["--resume", directory.path().to_str().unwrap()];
        let resumed = start(after, &arguments(STEPS - tick, directory.path(), &from));
        assert_eq!(hash(resumed), expected, "{before} ranks, step {tick}, {after} ranks");
    }
    assert!(halves > 0, "no run was killed while it wrote a checkpoint");
}

#[test]
fn killed_ranks_that_are_threads_go_on_from_the_latest_checkpoint() {
    killed_and_resumed(on_threads);
}

#[cfg(feature = "mpi")]
#[test]
fn killed_ranks_that_are_processes_go_on_from_the_latest_checkpoint() {
    killed_and_resumed(on_processes);
}

/// SIGTERM, which a scheduler sends before its time limit, acts like Ctrl-C.
#[test]
fn a_request_to_end_saves_a_checkpoint_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let started = on_threads(2, &arguments(1_000_000, directory.path(), &SCENE));
    wait_for_half_a_checkpoint(directory.path());
    let asked = Command::new("kill").args(["-TERM", &started.id().to_string()]).status();
    assert!(asked.unwrap().success());
    let output = started.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("stopped after"), "{said}");
    let checkpoint = Checkpoint::latest(directory.path()).unwrap();
    assert_eq!(checkpoint.len(), 30_000);
    assert!(checkpoint.manifest.tick > 0);
}
