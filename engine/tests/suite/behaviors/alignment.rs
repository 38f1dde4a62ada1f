use flockwork::behaviors::{Alignment, Separation, Wander};
use flockwork::{Scene, Species, World};

use crate::common::agents::{force, id, one, strong};
use crate::common::measures::distance;
use crate::common::scenes::open;

#[test]
fn alignment_aligns() {
    let species = Species::new("agent", 150).view_distance(150.0).behavior(Alignment::default());
    let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(species).build().unwrap();
    assert!(simulation.alignment_order() < 0.3);
    simulation.run(300).unwrap();
    assert!(simulation.alignment_order() > 0.95, "{}", simulation.alignment_order());
}

#[test]
fn the_flock_scene_aligns_and_stays_aligned() {
    let mut simulation = Scene::named("flock").unwrap().build().unwrap();
    assert!(simulation.alignment_order() < 0.2);
    simulation.run(900).unwrap();
    for _ in 0..10 {
        simulation.run(30).unwrap();
        assert!(simulation.alignment_order() > 0.7, "{}", simulation.alignment_order());
    }
}

#[test]
fn alignment_rises_and_stays_in_a_flock_that_wanders_a_little() {
    let species = Species::new("birds", 200)
        .view_distance(80.0)
        .behavior(Separation { weight: 100.0, ..Separation::default() })
        .behavior(Alignment::default())
        .behavior(Wander { weight: 5.0, ..Wander::default() });
    let mut simulation = Scene::new(World::torus(500.0, 500.0)).species(species).build().unwrap();
    assert!(simulation.alignment_order() < 0.3);
    simulation.run(1_200).unwrap();
    for _ in 0..20 {
        simulation.run(30).unwrap();
        assert!(simulation.alignment_order() > 0.9, "{}", simulation.alignment_order());
    }
}

#[test]
fn alignment_is_the_mean_heading_of_the_neighbors_less_its_own() {
    let agent = strong(Alignment { weight: 1.0, ..Alignment::default() }).view_distance(60.0);
    let of = |neighbors: &[([f32; 2], f32)]| {
        let names = ["a", "b", "c", "d"];
        let others = names.iter().zip(neighbors).map(|(name, (at, to))| one(name, *at, *to));
        force(&open([agent.clone()].into_iter().chain(others)).build().unwrap(), id(0))
    };
    assert_eq!(of(&[]), [0.0, 0.0], "without neighbors");
    // Two neighbors head up and one heads right like the agent; the fourth is too far away.
    let near = [([10.0, 0.0], 90.0), ([0.0, -40.0], 90.0), ([30.0, 30.0], 0.0)];
    let far = ([61.0, 0.0], 180.0);
    let force = of(&[near[0], near[1], near[2], far]);
    assert!(distance(force, [-2.0 / 3.0, 2.0 / 3.0]) < 1.0e-5, "{force:?}");
}
