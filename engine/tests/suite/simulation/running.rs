//! Runs repeat, in one call or step by step, and on any thread.

use flockwork::{Error, Scene, Simulation, Snapshot};

use crate::common::agents::ids;
use crate::common::methods::hash_after;

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
                    assert_eq!(simulation.id_at(slot), id);
                }
            });
        }
    });
}
