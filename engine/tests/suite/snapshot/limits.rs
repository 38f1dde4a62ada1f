//! The latest step that a snapshot may be from.

use flockwork::{Scene, Snapshot};

use crate::common::snapshots::sealed;

/// Bytes before the body.
const HEADER: usize = 28;

/// The bytes of a snapshot with its step replaced, and a checksum that fits.
fn with_tick(snapshot: &Snapshot, scene: &Scene, tick: u64) -> Vec<u8> {
    let mut body = snapshot.to_bytes().split_off(HEADER);
    // Length and text of the scene, number and entries of the world's size.
    let at = 8 + scene.to_toml().len() + 8 + 2 * 4;
    assert_eq!(body[at..at + 8], snapshot.tick().to_le_bytes());
    body[at..at + 8].copy_from_slice(&tick.to_le_bytes());
    sealed(&body)
}

#[test]
fn steps_are_counted_up_to_2_to_the_62() {
    const LAST: u64 = 1 << 62;
    let mut crowd = Scene::named("flock").unwrap().build().unwrap();
    crowd.run(3).unwrap();
    let snapshot = crowd.snapshot();
    let last = with_tick(&snapshot, crowd.scene(), LAST);
    let mut late = Snapshot::from_bytes(&last).unwrap().build().unwrap();
    late.run(2).unwrap();
    assert_eq!(late.tick(), LAST + 2);
    let error = Snapshot::from_bytes(&with_tick(&snapshot, crowd.scene(), LAST + 1)).unwrap_err();
    let words = "step 4611686018427387905: must be at most 4611686018427387904";
    assert!(error.to_string().contains(words), "{error}");
}
