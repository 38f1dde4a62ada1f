//! A crowd whose species grow and shrink is sorted like a crowd that started at the same sizes.

use flockwork::behaviors::Separation;
use flockwork::inspect::Cells;
use flockwork::{Scene, Simulation, Snapshot, Spawn, Species, World};

use crate::common::agents::ids;

fn crowd(fish: usize, sharks: usize) -> Simulation {
    let species = |name, agents, distance| {
        Species::new(name, agents).view_distance(distance).behavior(Separation::default())
    };
    Scene::new(World::torus(2_000.0, 2_000.0))
        .species(species("fish", fish, 30.0))
        .species(species("shark", sharks, 300.0))
        .build()
        .unwrap()
}

fn cells(fish: usize, sharks: usize) -> Vec<Cells> {
    crowd(fish, sharks).grid_cells()
}

#[test]
fn fish_that_become_sharks_are_sorted_like_sharks() {
    let mut crowd = crowd(600, 4);
    let before = crowd.grid_cells();
    let fish = ids(&crowd)[..300].to_vec();
    crowd.change_species(&fish, "shark").unwrap();
    assert_ne!(crowd.grid_cells(), before);
    assert_eq!(crowd.grid_cells(), cells(300, 304));
    crowd.change_species(&fish, "fish").unwrap();
    assert_eq!(crowd.grid_cells(), before);
}

#[test]
fn sharks_that_come_and_go_are_sorted_like_those_of_the_start() {
    let mut crowd = crowd(600, 4);
    let before = crowd.grid_cells();
    let places = [[9.0, 9.0]; 296];
    let sharks = crowd.spawn_many("shark", &Spawn::at(&places)).unwrap();
    assert_eq!(crowd.grid_cells(), cells(600, 300));
    crowd.remove_many(&sharks).unwrap();
    assert_eq!(crowd.grid_cells(), before);
}

#[test]
fn a_restored_crowd_is_sorted_like_the_one_that_was_saved() {
    let mut crowd = crowd(600, 4);
    let fish = ids(&crowd)[..300].to_vec();
    crowd.change_species(&fish, "shark").unwrap();
    crowd.run(3).unwrap();
    let saved = Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap();
    let mut restored = saved.build().unwrap();
    assert_eq!(restored.grid_cells(), crowd.grid_cells());
    crowd.run(5).unwrap();
    restored.run(5).unwrap();
    assert_eq!(restored.state_hash(), crowd.state_hash());
}
