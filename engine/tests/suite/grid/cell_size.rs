use std::collections::BTreeSet;

use flockwork::behaviors::Separation;
use flockwork::{AgentId, ErrorKind, Method, Partition, Scene, Snapshot, Species, World};

use crate::common::agents::ids;
use crate::common::scenes::variety;
use crate::common::variants::hash_after;

const SIZES: [f32; 6] = [0.25, 0.4, 1.0, 2.5, 8.0, 16.0];

#[test]
fn cells_of_any_size_and_all_pairs_give_the_same_bits() {
    for (name, scene) in variety(250) {
        for size in SIZES {
            let scene = Scene { cell_size: Some(size), ..scene.clone() };
            let all_pairs = hash_after(&scene, 12, |simulation| {
                simulation
                    .set_execution(simulation.execution().partition(Partition::AllPairs))
                    .unwrap();
            });
            for method in Method::ALL {
                let hash = hash_after(&scene, 12, |simulation| {
                    simulation.set_execution(simulation.execution().method(method)).unwrap();
                });
                assert_eq!(hash, all_pairs, "{name}: {method:?}, cells of {size}");
            }
        }
    }
}

#[test]
fn every_agent_has_the_same_neighbors_at_any_size() {
    for (name, scene) in variety(200) {
        let neighbors = |cell_size| -> Vec<BTreeSet<AgentId>> {
            let simulation = Scene { cell_size, ..scene.clone() }.build().unwrap();
            let mut all = ids(&simulation);
            all.sort_unstable();
            all.into_iter()
                .map(|id| simulation.neighbors(id).unwrap().into_iter().collect())
                .collect()
        };
        let usual = neighbors(None);
        for size in SIZES {
            assert_eq!(neighbors(Some(size)), usual, "{name}: cells of {size}");
        }
    }
}

#[test]
fn more_threads_and_small_cells_give_the_same_bits() {
    let stress = Scene::named("stress").unwrap().agents(20_000);
    for size in SIZES {
        let scene = Scene { cell_size: Some(size), ..stress.clone() };
        let [one, many] = [1, 7].map(|threads| {
            hash_after(&scene, 3, |s| s.set_execution(s.execution().threads(threads)).unwrap())
        });
        assert_eq!(one, many, "cells of {size}");
    }
}

#[test]
fn small_cells_test_fewer_pairs() {
    let pairs = |size| {
        let stress = Scene::named("stress").unwrap().agents(5_000);
        let mut simulation = Scene { cell_size: Some(size), ..stress }.build().unwrap();
        simulation.set_execution(simulation.execution().method(Method::Scalar)).unwrap();
        simulation.neighbor_counts().pairs_per_agent
    };
    let pairs = SIZES.map(pairs);
    assert!(pairs.is_sorted() && pairs[0] * 10.0 < pairs[5], "{pairs:?}");
}

#[test]
fn usual_cells_test_few_pairs_where_a_third_of_the_agents_see_farther() {
    let kind = |name, agents, distance| {
        Species::new(name, agents).view_distance(distance).behavior(Separation::default())
    };
    for world in [World::torus(500.0, 500.0), World::torus(100.0, 100.0).depth(100.0)] {
        let scene =
            Scene::new(world).species(kind("near", 8_000, 10.0)).species(kind("far", 4_000, 30.0));
        let pairs = |cell_size| {
            let scene = Scene { cell_size, ..scene.clone() };
            scene.build().unwrap().neighbor_counts().pairs_per_agent
        };
        let usual = pairs(None);
        for size in [0.25, 0.5, 2.0, 4.0] {
            let other = pairs(Some(size));
            assert!(usual < 1.3 * other, "{usual}, {other} in cells of {size}");
        }
    }
}

#[test]
fn empty_scenes_with_small_cells_run() {
    for world in [World::torus(100.0, 100.0), World::bounded(1.0e7, 1.0), World::open(1.0, 1.0)] {
        let scene = Scene { cell_size: Some(0.25), ..Scene::new(world) };
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        assert!(simulation.is_empty());
    }
}

#[test]
fn scene_files_and_snapshots_keep_the_size() {
    let scene = Scene::parse("cell_size = 0.5\nworld = { width = 90, height = 90 }", "s").unwrap();
    assert_eq!(scene.cell_size, Some(0.5));
    assert_eq!(Scene::parse(&scene.to_toml(), "again").unwrap(), scene);
    let stress = Scene::named("stress").unwrap().agents(500);
    assert!(!stress.to_toml().contains("cell_size"), "unless it was given");
    let mut simulation = Scene { cell_size: Some(0.5), ..stress }.build().unwrap();
    let mut other =
        Snapshot::from_bytes(&simulation.snapshot().to_bytes()).unwrap().build().unwrap();
    assert_eq!(other.scene().cell_size, Some(0.5));
    simulation.run(5).unwrap();
    other.run(5).unwrap();
    assert_eq!(simulation.state_hash(), other.state_hash());
}

#[test]
fn a_size_out_of_range_is_refused_with_its_line() {
    let refused = Scene::parse("seed = 3\ncell_size = 0.1", "low.toml").unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::OutOfRange { field, .. } if field == "cell_size"));
    assert_eq!(
        refused.to_string(),
        "low.toml:2: cell_size = 0.1: must be from 0.25 to 16 view distances"
    );
}
