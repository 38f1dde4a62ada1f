use flockwork::cpu::Level;
use flockwork::inspect::NeighborRows;
use flockwork::{Scene, Simulation, Spawn, World};
use proptest::prelude::*;

use crate::common::scenes::{flock, variety};

fn one_by_one(crowd: &Simulation) -> Vec<Vec<u32>> {
    let slot = |id| crowd.slot_of(id).unwrap() as u32;
    crowd
        .agents()
        .ids()
        .map(|id| crowd.neighbors(id).unwrap().into_iter().map(slot).collect())
        .collect()
}

fn listed(rows: &NeighborRows) -> Vec<Vec<u32>> {
    (0..rows.offsets.len() - 1).map(|slot| rows.row(slot).to_vec()).collect()
}

fn distances(crowd: &Simulation) -> Vec<Vec<f32>> {
    let agents = crowd.agents();
    let at: Vec<[f32; 2]> = agents.x.iter().zip(agents.y).map(|(&x, &y)| [x, y]).collect();
    let distance = |from: [f32; 2], to: [f32; 2]| {
        let [x, y, _] = crowd.displacement(from, to);
        flockwork::internal::mul_add(x, x, y * y).sqrt()
    };
    at.iter().map(|&from| at.iter().map(|&to| distance(from, to)).collect()).collect()
}

fn assert_within(crowd: &Simulation, rows: &NeighborRows, distance: f32, context: &str) {
    for (slot, distances) in distances(crowd).iter().enumerate() {
        let mut found = rows.row(slot).to_vec();
        found.sort_unstable();
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{context}: none twice");
        for (other, &is) in distances.iter().enumerate() {
            let there = found.binary_search(&(other as u32)).is_ok();
            // If rounding decides, either answer is right.
            let sure = (is - distance).abs() > 1.0e-3 || is == distance;
            let expected = other != slot && is <= distance;
            assert!(!sure || there == expected, "{context}: {slot} and {other} at {is}");
        }
    }
}

#[test]
fn rows_of_any_scene_are_the_neighbors_of_each_agent_in_the_same_order() {
    for agents in [1, 5, 150] {
        for (name, scene) in variety(agents) {
            let mut crowd = scene.build().unwrap();
            for steps in [0, 1, 7] {
                crowd.run(steps).unwrap();
                let rows = crowd.neighbor_rows(None).unwrap();
                assert_eq!(listed(&rows), one_by_one(&crowd), "{name}, {agents} agents");
                assert_eq!(rows.offsets.last(), Some(&(rows.indices.len() as u64)));
            }
        }
    }
}

#[test]
fn seen_neighbors_are_those_that_a_search_of_all_pairs_finds() {
    let scene = Scene::new(World::torus(200.0, 130.0)).species(flock(300));
    let mut crowd = scene.build().unwrap();
    crowd.run(5).unwrap();
    let rows = crowd.neighbor_rows(None).unwrap();
    assert_within(&crowd, &rows, 40.0, "view distance");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn rows_within_a_distance_are_those_of_a_search_of_all_pairs(
        topology in 0..3_usize,
        agents in 0..150_usize,
        steps in 0..3_u64,
        size in (3.0_f32..400.0, 3.0_f32..400.0),
        distance in prop_oneof![Just(0.0_f32), 0.0_f32..600.0, 0.0_f32..20.0, Just(4.0e7_f32)],
    ) {
        let world = [World::torus, World::bounded, World::open][topology](size.0, size.1);
        let species = flock(agents).max_speed(100.0);
        let mut crowd = Scene::new(world).species(species).build().unwrap();
        crowd.run(steps).unwrap();
        let rows = crowd.neighbor_rows(Some(distance)).unwrap();
        assert_within(&crowd, &rows, distance, "within");
    }
}

#[test]
fn an_empty_crowd_has_no_rows() {
    let crowd = Scene::new(World::open(90.0, 90.0)).species(flock(0)).build().unwrap();
    for rows in [crowd.neighbor_rows(None).unwrap(), crowd.neighbor_rows(Some(9.0)).unwrap()] {
        assert_eq!((rows.offsets, rows.indices), (vec![0], vec![]));
    }
}

#[test]
fn agents_in_one_place_are_within_any_distance_of_each_other() {
    let mut crowd = Scene::new(World::torus(90.0, 90.0)).species(flock(0)).build().unwrap();
    crowd.spawn_many("flock", &Spawn::at(&[[89.5, 0.5]; 20]).headings(&[[1.0, 0.0]; 20])).unwrap();
    for rows in [crowd.neighbor_rows(Some(0.0)).unwrap(), crowd.neighbor_rows(None).unwrap()] {
        assert!(listed(&rows).iter().all(|row| row.len() == 19));
    }
}

#[test]
fn rows_are_the_same_for_any_threads_and_level() {
    let scene = Scene::named("stress").unwrap().agents(20_000);
    let mut crowd = scene.build().unwrap();
    crowd.set_execution(crowd.execution().threads(1)).unwrap();
    crowd.run(2).unwrap();
    let seen = crowd.neighbor_rows(None).unwrap();
    let near = crowd.neighbor_rows(Some(3.0)).unwrap();
    for threads in [1, 3] {
        crowd.set_execution(crowd.execution().threads(threads)).unwrap();
        for level in Level::available() {
            crowd.set_execution(crowd.execution().level(level)).unwrap();
            assert_eq!(crowd.neighbor_rows(None).unwrap(), seen, "{threads} threads, {level:?}");
            assert_eq!(crowd.neighbor_rows(Some(3.0)).unwrap(), near, "{threads}, {level:?}");
        }
    }
}

#[test]
fn rows_change_nothing_and_impossible_distances_are_refused() {
    let mut crowd = Scene::named("sharks").unwrap().agents(300).build().unwrap();
    crowd.run(3).unwrap();
    let before = crowd.state_hash();
    crowd.neighbor_rows(None).unwrap();
    crowd.neighbor_rows(Some(50.0)).unwrap();
    assert_eq!(crowd.state_hash(), before);
    for distance in [-1.0, f32::NAN, f32::INFINITY, 5.0e7] {
        let error = crowd.neighbor_rows(Some(distance)).unwrap_err();
        assert!(error.to_string().starts_with("distance = "), "{error}");
    }
}
