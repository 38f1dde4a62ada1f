//! Runs every target on the committed inputs: the corpus, whose inputs reach new code, and the
//! regressions, which once broke a promise and are named after the fault.

use std::fs;
use std::path::{Path, PathBuf};

fn inputs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    inputs
}

fn run(target: fn(&[u8]), name: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = inputs(&here.join("corpus").join(name));
    assert!(corpus.len() >= 20, "{} inputs", corpus.len());
    for input in corpus.into_iter().chain(inputs(&here.join("regressions").join(name))) {
        println!("{}", input.display());
        target(&fs::read(input).unwrap());
    }
}

#[test]
fn scenes_are_refused_or_work() {
    run(flockwork_fuzz::scene, "scene");
}

#[test]
fn params_ini_is_refused_or_works() {
    run(flockwork_fuzz::params_ini, "params_ini");
}

#[test]
fn snapshots_are_refused_or_work() {
    run(flockwork_fuzz::snapshot, "snapshot");
}

#[test]
fn parts_are_refused_or_work() {
    run(flockwork_fuzz::part, "part");
}

#[test]
fn any_calls_give_the_same_bits_with_every_variant() {
    run(flockwork_fuzz::calls, "calls");
}
