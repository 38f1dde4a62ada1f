use flockwork::{Scene, Start, World};
use proptest::prelude::*;

use crate::common::agents::place;
use crate::common::arbitrary::scene;
use crate::common::scenes::{flock, variety};
use crate::common::variants::{hash_after, hashes};

#[test]
fn state_hash_is_independent_of_thread_count() {
    let crowds = variety(20_000).into_iter().filter(|(_, scene)| scene.agents_at_start() > 10_000);
    for (name, scene) in crowds {
        let one = hash_after(&scene, 4, |simulation| {
            simulation.set_execution(simulation.execution().threads(1)).unwrap();
        });
        for threads in [2, 3, 5, 16, 64] {
            let hash =
                hash_after(&scene, 4, |s| s.set_execution(s.execution().threads(threads)).unwrap());
            assert_eq!(hash, one, "{name}: {threads} threads");
        }
    }
}

#[test]
fn state_hash_is_independent_of_every_thread_count_up_to_sixteen() {
    let scene = Scene::named("stress").unwrap().agents(30_000);
    let one = hash_after(&scene, 5, |simulation| {
        simulation.set_execution(simulation.execution().threads(1)).unwrap();
    });
    for threads in (2..=16).chain([24, 32, 64]) {
        let hash =
            hash_after(&scene, 5, |s| s.set_execution(s.execution().threads(threads)).unwrap());
        assert_eq!(hash, one, "{threads} threads");
    }
}

#[test]
fn crowds_near_the_smallest_size_for_threads_step_alike() {
    for agents in [16_383, 16_384, 16_385, 16_399, 16_401] {
        let scene = Scene::named("stress").unwrap().agents(agents);
        let one = hash_after(&scene, 3, |s| s.set_execution(s.execution().threads(1)).unwrap());
        for threads in [2, 7] {
            let many =
                hash_after(&scene, 3, |s| s.set_execution(s.execution().threads(threads)).unwrap());
            assert_eq!(one, many, "{agents} agents, {threads} threads");
        }
    }
}

#[test]
fn threads_share_a_crowd_in_a_few_cells() {
    // Nearly all work is in a few cells, so threads get the most uneven shares.
    let run = |threads: usize| {
        let species = flock(16_000).view_distance(5.0);
        let scene = Scene::new(World::torus(4_000.0, 4_000.0)).species(species);
        let mut simulation = scene.build().unwrap();
        for k in 0..1_500 {
            place(&mut simulation, [10.0 + (k % 3) as f32, 3_999.0]);
        }
        simulation.set_execution(simulation.execution().threads(threads)).unwrap();
        simulation.run(3).unwrap();
        simulation.state_hash()
    };
    let one = run(1);
    for threads in [2, 16] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20) })]

    #[test]
    fn any_large_scene_steps_alike_on_any_number_of_threads(
        scene in scene(),
        threads in 2_usize..20,
    ) {
        let factor = 18_000 / scene.agents_at_start().max(1) + 1;
        let mut large = scene.clone();
        for species in &mut large.species {
            species.agents *= factor;
            species.view_distance = species.view_distance.min(30.0);
            species.start = Start::default();
        }
        large.world.depth = scene.world.depth.map(|depth| depth.min(30.0));
        let area = 18_000.0 * 60.0_f32;
        let (width, height) = (scene.world.width.unwrap(), scene.world.height.unwrap());
        let aspect = (width / height).clamp(0.01, 100.0).sqrt();
        large.world.width = Some(area.sqrt() * aspect);
        large.world.height = Some(area.sqrt() / aspect);
        if large.agents_at_start() > 0 && large.check().is_ok() {
            let run = |threads| hashes(&large, 4, |simulation| simulation.set_execution(simulation.execution().threads(threads)).unwrap());
            let one = run(1);
            prop_assert_eq!(one, run(threads));
        }
    }
}
