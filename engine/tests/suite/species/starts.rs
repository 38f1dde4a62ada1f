//! Agents are spread evenly over the area that they start in.

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use flockwork::{Scene, Species, Start, World};

use crate::common::agents::position;
use crate::common::measures::assert_even;

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
