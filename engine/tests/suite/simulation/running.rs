use flockwork::behaviors::{Feelers, WallAvoidance, Wander};
use flockwork::{Error, Scene, Simulation, Snapshot, Wall};

use crate::common::agents::{force, id, ids, resting};
use crate::common::measures::distance;
use crate::common::scenes::open;
use crate::common::variants::hash_after;

#[test]
fn defect_10_runs_repeat() {
    for name in Scene::names() {
        let scene = Scene::named(name).map(|scene| scene.agents(500)).unwrap();
        assert_eq!(hash_after(&scene, 40, |_| {}), hash_after(&scene, 40, |_| {}), "{name}");
    }
}

#[test]
fn running_in_one_call_or_step_by_step_is_the_same() {
    let scene = Scene::named("birds").unwrap();
    let at_once = hash_after(&scene, 30, |_| {});
    let mut simulation = scene.build().unwrap();
    for _ in 0..30 {
        simulation.step().unwrap();
        simulation.run(0).unwrap();
    }
    assert_eq!(simulation.state_hash(), at_once);
    assert_eq!(simulation.tick(), 30);
    assert!((simulation.time() - 0.5).abs() < 1.0e-6);
}

/// Time used to jump back: to 0.5 s, after 60 steps at each of the two rates.
#[test]
fn time_runs_on_when_the_rate_of_steps_changes() {
    let scene = Scene::named("flock").unwrap().agents(20);
    let mut crowd = scene.build().unwrap();
    crowd.run(60).unwrap();
    let mut unchanged = scene.build().unwrap();
    unchanged.run(60).unwrap();
    crowd.edit(|scene| scene.steps_per_second = 240.0).unwrap();
    assert!((crowd.time() - 1.0).abs() < 1.0e-6, "{}", crowd.time());
    assert_ne!(crowd.state_hash(), unchanged.state_hash(), "the base is part of the state");
    crowd.run(60).unwrap();
    assert!((crowd.time() - 1.25).abs() < 1.0e-6, "{}", crowd.time());
    let bytes = crowd.snapshot().to_bytes();
    let mut restored = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!((restored.time(), restored.state_hash()), (crowd.time(), crowd.state_hash()));
    assert_eq!(restored.snapshot().to_bytes(), bytes);
    restored.step().unwrap();
    assert!((restored.time() - crowd.time() - 1.0 / 240.0).abs() < 1.0e-6);

    // Changing the rate and changing it back at once has no effect.
    let before = unchanged.state_hash();
    unchanged.edit(|scene| scene.steps_per_second = 240.0).unwrap();
    unchanged.edit(|scene| scene.steps_per_second = 60.0).unwrap();
    assert_eq!(unchanged.state_hash(), before);
    assert!(unchanged.edit(|scene| scene.steps_per_second = 0.5).is_err());
    assert!((unchanged.time() - 1.0).abs() < 1.0e-6, "a refused rate changes nothing");
}

#[test]
fn noise_and_sweeping_feelers_go_on_when_the_rate_of_steps_changes() {
    let wander = Wander { weight: 1.0, noise: Some(2.0), ..Wander::default() };
    let sweeping = Feelers::Sweeping;
    let walls =
        WallAvoidance { feelers: sweeping, feeler_length: 50.0, ..WallAvoidance::default() };
    let agent = resting("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(walls).behavior(wander);
    let wall = Wall::new([[30.0, -500.0], [30.0, 500.0]]).two_sided();
    let mut crowd = open([agent.max_speed(1.0e-3)]).wall(wall).build().unwrap();
    crowd.run(1_234).unwrap();
    let before = force(&crowd, id(0));
    crowd.edit(|scene| scene.steps_per_second = 240.0).unwrap();
    let after = force(&crowd, id(0));
    assert!(distance(before, after) < 1.0e-3 * before[0].hypot(before[1]), "{before:?} {after:?}");
}

#[test]
fn crowds_and_errors_can_cross_threads() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<Simulation>();
    crosses::<Snapshot>();
    crosses::<Scene>();
    crosses::<Error>();
    let mut simulation = Scene::named("flock").unwrap().build().unwrap();
    simulation.run(3).unwrap();
    let here = hash_after(&Scene::named("flock").unwrap(), 6, |_| {});
    let there = std::thread::spawn(move || {
        simulation.run(3).unwrap();
        simulation.state_hash()
    });
    assert_eq!(there.join().unwrap(), here);
}

#[test]
fn many_threads_can_read_agents_at_once() {
    let scene = Scene::named("flock").unwrap();
    let mut simulation = scene.build().unwrap();
    simulation.run(2).unwrap();
    let simulation = &simulation;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                for id in ids(simulation) {
                    let slot = simulation.slot_of(id).unwrap();
                    assert_eq!(simulation.agents().id(slot), id);
                }
            });
        }
    });
}
