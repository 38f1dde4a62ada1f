//! Kernels give the same bits at every level, with the scalar method, and with any partition.

use flockwork::behaviors::{Arrive, Deceleration, FlockRules, Seek, Separation, Wander};
use flockwork::cpu::Level;
use flockwork::{Method, Partition, Scene, Species, World};
use proptest::prelude::*;

use crate::common::agents::{ids, set_outliers};
use crate::common::refusals::assert_no_panic;
use crate::common::scenes::{flock, variety};
use crate::common::variants::{Variant, assert_agree, hash_after, hash_by_reference, hashes};
use crate::common::{arbitrary, extremes};

/// Fails if `FLOCKWORK_REQUIRE_AVX` is set and the processor lacks a level: tests skip that level.
#[test]
fn tests_run_at_every_level() {
    let missing: Vec<_> = Level::ALL.into_iter().filter(|level| !level.is_available()).collect();
    if !missing.is_empty() {
        let message = format!("skipped: tests at levels that this processor lacks, {missing:?}");
        assert!(std::env::var_os("FLOCKWORK_REQUIRE_AVX").is_none(), "{message}");
        eprintln!("{message}");
    }
}

#[test]
fn state_hash_is_independent_of_method_level_and_partition() {
    for (name, scene) in variety(400) {
        let partitions = [Partition::Auto, Partition::Cells, Partition::AllPairs];
        assert_agree(&scene, 25, Variant::all(), &partitions, name);
    }
}

#[test]
fn every_small_number_of_agents_steps_alike_by_every_method() {
    for agents in 0..=4 * 16 + 3 {
        let scene = Scene::named("flock").unwrap().agents(agents);
        let partitions = [Partition::Auto, Partition::Cells];
        assert_agree(&scene, 10, Variant::vectors(), &partitions, &format!("{agents} agents"));
    }
}

#[test]
fn settings_can_change_between_steps_without_changing_the_result() {
    for (name, scene) in variety(300) {
        let plain = hash_after(&scene, 12, |_| {});
        let mut simulation = scene.build().unwrap();
        for step in 0..12 {
            Variant::nth_vector(step).set(&mut simulation);
            let partitions = [Partition::Auto, Partition::Cells, Partition::AllPairs];
            simulation
                .set_execution(
                    simulation
                        .execution()
                        .partition(partitions[step / 2 % 3])
                        .threads(1 + step % 4),
                )
                .unwrap();
            simulation.step().unwrap();
            if let Some(slot) = (step % 5 == 0 && !simulation.is_empty()).then_some(0) {
                simulation.neighbors(simulation.agents().id(slot)).unwrap();
                simulation.neighbor_counts();
            }
        }
        assert_eq!(simulation.state_hash(), plain, "{name}");
    }
}

#[test]
fn odd_crowds_step_alike_by_kernels_and_reference() {
    let scene = |species| Scene::new(World::torus(100.0, 100.0)).species(species);
    let target = [50.0, 50.0];
    let arrive = Arrive {
        weight: 1.0,
        target: target.into(),
        deceleration: Deceleration::Fast,
        ..Arrive::default()
    };
    let scenes = [
        ("empty", scene(flock(0))),
        ("one", scene(flock(1))),
        ("no species", Scene::new(World::torus(10.0, 10.0))),
        ("no behavior", scene(Species::new("s", 50))),
        ("view beyond the world", scene(flock(60).view_distance(1.0e6))),
        ("view of nearly nothing", scene(flock(60).view_distance(1.0e-3))),
        (
            "huge world, tiny view",
            Scene::new(World::torus(1.0e7, 1.0e7)).species(flock(99).view_distance(0.01)),
        ),
        (
            "huge open world",
            Scene::new(World::open(1.0e6, 1.0e6)).species(flock(200).view_distance(1.0e5)),
        ),
        ("sliver", Scene::new(World::torus(1.0e6, 2.6)).species(flock(200))),
        ("blind spot everywhere", scene(flock(80).field_of_view(0.0))),
        ("no force", scene(flock(50).max_force(0.0))),
        (
            "extreme weights",
            scene(
                Species::new("s", 80)
                    .behavior(Separation { weight: 1.0e6, ..Separation::default() }),
            ),
        ),
        (
            "target on the edge",
            scene(Species::new("s", 9).behavior(Seek { weight: 1.0, target: [100.0, 0.0].into() })),
        ),
        ("on target", scene(Species::new("s", 40).behavior(arrive))),
    ];
    for (name, scene) in scenes {
        let kernels = hash_after(&scene, 20, |_| {});
        let reference = hash_after(&scene, 20, |s| {
            s.set_execution(s.execution().method(Method::Scalar)).unwrap();
        });
        assert_eq!(kernels, reference, "{name}");
        let mut simulation = scene.build().unwrap();
        simulation.run(20).unwrap();
        for id in ids(&simulation) {
            let state = simulation.agent(id).unwrap();
            assert!(state.position.iter().all(|value| value.is_finite()), "{name}: {state:?}");
        }
        simulation.neighbor_counts();
    }
}

#[test]
fn a_species_may_have_any_number_of_behaviors_even_the_same_twice() {
    let many = (0..60).fold(Species::new("s", 70), |species, k| match k % 4 {
        0 => species.behavior(Wander { weight: 1.0, ..Wander::default() }),
        1 => species.behavior(Separation { weight: 1.0, ..Separation::default() }),
        2 => species.behavior(Seek { weight: 0.1, target: [k as f32, 3.0].into() }),
        _ => species.behavior(FlockRules { weight: 1.0, ..FlockRules::default() }),
    });
    let scene = Scene::new(World::torus(200.0, 200.0)).species(many);
    let kernels = hash_after(&scene, 10, |_| {});
    assert_eq!(
        kernels,
        hash_after(&scene, 10, |s| s.set_execution(s.execution().method(Method::Scalar)).unwrap())
    );
}

#[test]
fn a_push_that_underflows_is_zero_by_every_method() {
    let species = Species::new("agent", 0)
        .view_distance(1.0e6)
        .behavior(Separation { weight: 1.0, ..Separation::default() });
    let scene = Scene::new(World::open(10.0, 10.0)).species(species);
    let state = |variant: Variant, partition| {
        let mut simulation = scene.build().unwrap();
        variant.set(&mut simulation);
        simulation.set_execution(simulation.execution().partition(partition)).unwrap();
        // The second agent's push on the first underflows to -0 along y. The third, out of view,
        // must not make it +0, which would show in the first agent's velocity of -0 along y.
        for at in [[0.0, 0.0], [5.0e5, -1.0e-40], [2.0e6, 0.0]] {
            simulation.spawn("agent", at, [1.0, -0.0]).unwrap();
        }
        simulation.step().unwrap();
        simulation.state_hash()
    };
    let expected = state(Variant::scalar(), Partition::AllPairs);
    for variant in Variant::all() {
        for partition in [Partition::Auto, Partition::Cells, Partition::AllPairs] {
            assert_eq!(state(variant, partition), expected, "{variant:?}, {partition:?}");
        }
    }
}

#[test]
fn long_runs_by_kernels_and_reference_end_alike() {
    for name in Scene::names() {
        let scene = Scene::named(name).map(|scene| scene.agents(70)).unwrap();
        let kernels = hash_after(&scene, 2_000, |_| {});
        let reference = hash_by_reference(&scene, 2_000);
        assert_eq!(kernels, reference, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn any_scene_steps_alike_by_every_method(scene in arbitrary::scene(), outliers in 0..4_usize) {
        let run = |variant: Variant, partition| {
            hashes(&scene, 8, |simulation| {
                variant.set(simulation);
                simulation.set_execution(simulation.execution().partition(partition).threads(1)).unwrap();
                let few = ids(simulation)[..outliers.min(simulation.len())].to_vec();
                let _refused = set_outliers!(simulation, &few, outliers == 3);
            })
        };
        let reference = run(Variant::scalar(), Partition::AllPairs);
        for variant in Variant::all() {
            prop_assert_eq!(run(variant, Partition::Cells), &reference[..], "{:?}, cells", variant);
        }
        let kernels = run(Variant::nth_vector(2), Partition::AllPairs);
        prop_assert_eq!(kernels, reference, "kernels, all pairs");
    }

    #[test]
    fn scenes_from_all_of_the_allowed_ranges_step_alike_by_every_method(
        scene in extremes::scene().prop_filter("refused", |scene| scene.build().is_ok())
    ) {
        // State after each step up to the first refused step, with the reason for the refusal.
        let run = |variant: Variant, partition| {
            let mut simulation = scene.build().unwrap();
            variant.set(&mut simulation);
            simulation.set_execution(simulation.execution().partition(partition).threads(1)).unwrap();
            let mut states = Vec::new();
            for _ in 0..5 {
                let stepped = simulation.step();
                assert_no_panic(&stepped);
                states.push((simulation.state_hash(), stepped.map_err(|error| error.to_string())));
                if states.last().unwrap().1.is_err() {
                    break;
                }
            }
            states
        };
        let reference = run(Variant::scalar(), Partition::AllPairs);
        for variant in Variant::all() {
            prop_assert_eq!(run(variant, Partition::Cells), &reference[..], "{:?}, cells", variant);
        }
        let kernels = run(Variant::nth_vector(2), Partition::AllPairs);
        prop_assert_eq!(kernels, reference, "kernels, all pairs");
    }
}
