//! Fuzz targets for scene files and the book's `params.ini`.

use flockwork::{Error, Scene};

use crate::alarm;
use crate::assert_readable;
use crate::variants::Variants;

/// Scenes with more agents or scenery than this are parsed but not run, to keep runs fast.
const MAX_AGENTS: usize = 100;
const MAX_BYTES: u64 = 1 << 20;

pub fn scene(input: &[u8]) {
    alarm::register();
    if let Ok(text) = str::from_utf8(input) {
        accept(Scene::parse(text, "fuzz.toml"));
    }
}

pub fn params_ini(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        accept(Scene::from_params_ini(text, "params.ini"));
    }
}

/// Asserts that accepted input can be written, read again and run.
fn accept(read: Result<Scene, Error>) {
    let scene = match read {
        Ok(scene) => scene,
        Err(error) => return assert_readable(&error),
    };
    scene.check().expect("it was checked");
    let again = Scene::parse(&scene.to_toml(), "again.toml").expect("what was written is read");
    assert_eq!(again, scene);
    if scene.agents_at_start() > MAX_AGENTS || scene.estimated_bytes() > MAX_BYTES {
        return;
    }
    match scene.build() {
        // There may be no room for scattered obstacles.
        Err(error) => assert_readable(&error),
        Ok(simulation) => {
            let mut variants = Variants::of(&simulation);
            for _ in 0..3 {
                variants.step();
            }
            variants.assert_can_be_saved();
        }
    }
}
