use flockwork::behaviors::Wander;
use flockwork::{Scene, Snapshot, Species, World};

use crate::common::snapshots::with_tick;

const LAST: u64 = 1 << 62;

#[test]
fn steps_are_counted_up_to_2_to_the_62() {
    let mut crowd = Scene::named("flock").unwrap().build().unwrap();
    crowd.run(3).unwrap();
    let snapshot = crowd.snapshot();
    let last = with_tick(&snapshot, LAST);
    let mut late = Snapshot::from_bytes(&last).unwrap().build().unwrap();
    late.run(2).unwrap();
    assert_eq!(late.tick(), LAST + 2);
    let error = Snapshot::from_bytes(&with_tick(&snapshot, LAST + 1)).unwrap_err();
    let words = "step 4611686018427387905: must be at most 4611686018427387904";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn noise_goes_on_after_more_points_than_can_be_counted() {
    let wander = Wander { noise: Some(10.0), ..Wander::default() };
    let fish = Species::new("fish", 5).behavior(wander);
    let scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(fish).steps_per_second(1.0);
    let late = with_tick(&scene.build().unwrap().snapshot(), 1 << 61);
    Snapshot::from_bytes(&late).unwrap().build().unwrap().run(2).unwrap();
}

#[test]
fn late_steps_are_saved_in_full() {
    let snapshot = Scene::named("flock").unwrap().agents(5).build().unwrap().snapshot();
    for tick in [u64::from(u32::MAX) + 1, LAST - 1, LAST] {
        let late = Snapshot::from_bytes(&with_tick(&snapshot, tick)).unwrap();
        assert_eq!(Snapshot::from_bytes(&late.to_bytes()).unwrap().tick(), tick);
    }
}
