//! Runs every target on its corpus: committed inputs that reach different code.

use std::fs;
use std::path::Path;

fn run(target: fn(&[u8]), name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut inputs: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    assert!(inputs.len() >= 20, "{} inputs", inputs.len());
    for input in inputs {
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
