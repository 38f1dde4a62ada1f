//! The promise: the same bits however a step is computed.

mod common;

use common::{hash_after, variety};
use flockwork::{LaneWidth, Method, Partition, Scene};

const WIDTHS: [Method; 3] = [
    Method::Kernels(LaneWidth::Four),
    Method::Kernels(LaneWidth::Eight),
    Method::Kernels(LaneWidth::Sixteen),
];

#[test]
fn state_hash_is_independent_of_method_lane_width_and_partition() {
    for (name, scene) in variety(400) {
        let reference = hash_after(&scene, 25, |simulation| {
            simulation.set_method(Method::Reference);
            simulation.set_partition(Partition::AllPairs);
        });
        for method in WIDTHS.into_iter().chain([Method::Reference]) {
            for partition in [Partition::Cells, Partition::AllPairs] {
                let hash = hash_after(&scene, 25, |simulation| {
                    simulation.set_method(method);
                    simulation.set_partition(partition);
                });
                assert_eq!(hash, reference, "{name}: {method:?}, {partition:?}");
            }
        }
    }
}

#[test]
fn state_hash_is_independent_of_thread_count() {
    let crowds = variety(20_000).into_iter().filter(|(_, scene)| scene.agent_count() > 10_000);
    for (name, scene) in crowds {
        let one = hash_after(&scene, 4, |simulation| simulation.set_threads(1).unwrap());
        for threads in [2, 3, 5, 16, 64] {
            let hash = hash_after(&scene, 4, |s| s.set_threads(threads).unwrap());
            assert_eq!(hash, one, "{name}: {threads} threads");
        }
    }
}

#[test]
fn state_hash_is_independent_of_every_thread_count_up_to_sixteen() {
    let scene = Scene::named("stress").unwrap().agents(30_000).unwrap();
    let one = hash_after(&scene, 5, |simulation| simulation.set_threads(1).unwrap());
    for threads in (2..=16).chain([24, 32, 64]) {
        let hash = hash_after(&scene, 5, |s| s.set_threads(threads).unwrap());
        assert_eq!(hash, one, "{threads} threads");
    }
}

#[test]
fn every_small_number_of_agents_steps_alike_in_every_way() {
    for agents in 0..=4 * 16 + 3 {
        let scene = Scene::named("flock").unwrap().agents(agents).unwrap();
        let reference = hash_after(&scene, 10, |s| s.set_method(Method::Reference));
        for method in WIDTHS {
            assert_eq!(hash_after(&scene, 10, |s| s.set_method(method)), reference, "{agents}");
        }
    }
}

#[test]
fn settings_can_change_between_steps_without_changing_the_result() {
    for (name, scene) in variety(300) {
        let plain = hash_after(&scene, 12, |_| {});
        let mut simulation = scene.build().unwrap();
        for step in 0..12 {
            simulation.set_method(WIDTHS[step % 3]);
            let partitions = [Partition::Cells, Partition::AllPairs];
            simulation.set_partition(partitions[step / 2 % 2]);
            simulation.set_threads(1 + step % 4).unwrap();
            simulation.step().unwrap();
            if let Some(slot) = (step % 5 == 0 && !simulation.is_empty()).then_some(0) {
                // Looking must not change anything either.
                simulation.neighbors(simulation.id_at(slot)).unwrap();
                simulation.census();
            }
        }
        assert_eq!(simulation.state_hash(), plain, "{name}");
    }
}

#[test]
fn a_restored_state_goes_on_as_before() {
    for (name, scene) in variety(300) {
        let mut simulation = scene.build().unwrap();
        simulation.run(7).unwrap();
        let kept = simulation.snapshot();
        let at_snapshot = simulation.state_hash();
        simulation.run(9).unwrap();
        let after = simulation.state_hash();
        simulation.restore(&kept);
        assert_eq!(simulation.state_hash(), at_snapshot, "{name}");
        simulation.run(9).unwrap();
        assert_eq!(simulation.state_hash(), after, "{name}");

        let mut other = Scene::named("birds").unwrap().build().unwrap();
        other.restore(&kept);
        other.run(9).unwrap();
        assert_eq!(other.state_hash(), after, "{name}, in another simulation");
    }
}

#[test]
fn the_hash_tells_states_apart() {
    let scene = Scene::named("flock").unwrap();
    let hash = |seed| hash_after(&scene.clone().seed(seed), 0, |_| {});
    assert_ne!(hash(1), hash(2));
    let mut simulation = scene.build().unwrap();
    let mut seen = std::collections::HashSet::from([simulation.state_hash()]);
    for _ in 0..50 {
        simulation.step().unwrap();
        assert!(seen.insert(simulation.state_hash()));
    }
}
