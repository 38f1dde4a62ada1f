//! Agents are spread evenly over the area that they start in.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use flockwork::{Scene, Species, Start, Wander, World};

use crate::common::agents::position;
use crate::common::measures::assert_even;
use crate::common::snapshots::column;

const AGENTS: u32 = 2_000;

fn positions(start: Start) -> Vec<[f32; 2]> {
    let species = Species::new("s", AGENTS as usize).start(start);
    let simulation = Scene::new(World::torus(500.0, 400.0)).species(species).build().unwrap();
    (0..AGENTS).map(|index| position(&simulation, index)).collect()
}

#[test]
fn starts_in_a_circle_are_spread_evenly_over_its_area() {
    let from_center: Vec<[f32; 2]> = positions(Start::in_circle([250.0, 200.0], 100.0))
        .into_iter()
        .map(|[x, y]| [(x - 250.0) / 100.0, (y - 200.0) / 100.0])
        .collect();
    // Rings of equal area, and sectors.
    let areas: Vec<f32> = from_center.iter().map(|[x, y]| x * x + y * y).collect();
    assert_even("area within the distance", &areas);
    let turns: Vec<f32> = from_center.iter().map(|[x, y]| y.atan2(*x) / TAU + 0.5).collect();
    assert_even("direction", &turns);
}

#[test]
fn starts_in_clusters_are_spread_evenly_over_as_many_as_asked() {
    let mut clusters = BTreeMap::<[u32; 2], u32>::new();
    // Of clusters without size, only the centers are left.
    for position in positions(Start::in_clusters(20, 0.0)) {
        *clusters.entry(position.map(f32::to_bits)).or_default() += 1;
    }
    assert_eq!(clusters.len(), 20);
    assert!(clusters.values().all(|agents| (50..=150).contains(agents)), "{clusters:?}");
}

#[test]
fn starts_in_a_box_are_spread_evenly_over_its_area() {
    let positions = positions(Start::in_box([100.0, 50.0], [300.0, 150.0]));
    let shares = positions.iter().map(|[x, y]| [(x - 100.0) / 200.0, (y - 50.0) / 100.0]);
    let (x, y): (Vec<f32>, Vec<f32>) = shares.map(<(f32, f32)>::from).unzip();
    assert_even("x", &x);
    assert_even("y", &y);
    // Only if x and y are independent.
    let differences: Vec<f32> = x.iter().zip(&y).map(|(x, y)| (x - y).rem_euclid(1.0)).collect();
    assert_even("x - y", &differences);
}

#[test]
fn wander_targets_start_evenly_on_their_circle() {
    let species = Species::new("s", AGENTS as usize).steer(Wander::default());
    let scene = Scene::new(World::torus(500.0, 400.0)).species(species);
    let snapshot = scene.build().unwrap().snapshot();
    let [x, y] = ["wander_x", "wander_y"].map(|memory| column(&snapshot, memory));
    let on_circle = |(x, y): (&f32, &f32)| (x.hypot(*y) - 1.2).abs() < 1.0e-5;
    assert!(x.iter().zip(&y).all(on_circle), "of radius 1.2");
    let turns: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y.atan2(*x) / TAU + 0.5).collect();
    assert_even("direction", &turns);
}
