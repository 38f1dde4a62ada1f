//! The algorithms of Buckland's book reach the engine's state of the `stress` scene, bit for bit.

use flockwork::behaviors::Wander;
use flockwork::{Behavior, Scene, Simulation, World};
use flockwork_bench::rungs::Rung;

fn crowd(agents: usize, mean_neighbors: f32, seed: u64) -> Simulation {
    let mut scene = Scene::named("stress").unwrap().agents(agents).seed(seed);
    scene.world.mean_neighbors = Some(mean_neighbors);
    scene.build().unwrap()
}

fn agree_for(steps: u64, mut crowd: Simulation, what: &str) {
    let mut flocks = Rung::ALL.map(|rung| (rung, rung.flock(&crowd).unwrap()));
    for step in 0..=steps {
        for (rung, flock) in &mut flocks {
            let at = format!("{}, {what}, step {step}", rung.id());
            assert_eq!(flock.state_hash(), crowd.state_hash(), "{at}");
            flock.step();
        }
        crowd.step().unwrap();
    }
}

#[test]
fn rungs_end_in_the_engines_state_whatever_the_size() {
    for agents in [0, 1, 2, 3, 17, 60, 100, 333, 1_000, 1_500] {
        for seed in [1, 2] {
            agree_for(3, crowd(agents, 16.0, seed), &format!("{agents} agents, seed {seed}"));
        }
    }
}

#[test]
fn rungs_end_in_the_engines_state_whatever_the_density() {
    for neighbors in [0.5, 4.0, 64.0, 200.0] {
        agree_for(3, crowd(700, neighbors, 3), &format!("{neighbors} neighbors"));
    }
}

#[test]
fn rungs_end_in_the_engines_state_in_worlds_and_cells_of_any_shape() {
    for (width, height) in [(900.0, 900.0), (2_000.0, 70.0), (60.0, 1_500.0), (150.0, 101.0)] {
        for cell_size in [None, Some(0.5), Some(3.0)] {
            let scene = Scene::named("stress").unwrap().agents(300);
            let scene = Scene { world: World::torus(width, height), cell_size, ..scene };
            agree_for(3, scene.build().unwrap(), &format!("{width} × {height}, {cell_size:?}"));
        }
    }
}

#[test]
fn rungs_agree_with_a_crowd_that_has_drawn_together() {
    let mut crowd = crowd(600, 16.0, 5);
    crowd.run(500).unwrap();
    agree_for(40, crowd, "after 500 steps");
}

#[test]
fn a_difference_in_one_bit_changes_the_state_of_a_rung() {
    let mut crowd = crowd(100, 16.0, 1);
    let mut flock = Rung::BookPairs.flock(&crowd).unwrap();
    let mut species = crowd.scene().species[0].clone();
    let Behavior::Separation(separation) = &mut species.behaviors[0] else { unreachable!() };
    separation.weight = separation.weight.next_up();
    crowd.set_species(&species).unwrap();
    crowd.step().unwrap();
    flock.step();
    assert_ne!(flock.state_hash(), crowd.state_hash());
}

#[test]
fn a_crowd_that_does_more_than_scene_w_has_no_rungs() {
    let mut wandering = Scene::named("stress").unwrap().agents(10);
    wandering.species[0].behaviors.push(Wander::default().into());
    let mut slow = Scene::named("stress").unwrap().agents(10);
    slow.species[0].field_of_view = 90.0;
    let mut thinned = crowd(10, 16.0, 1);
    thinned.remove(thinned.agents().id(3)).unwrap();
    for crowd in [wandering.build().unwrap(), slow.build().unwrap(), thinned] {
        assert!(Rung::ALL.iter().all(|rung| rung.flock(&crowd).is_none()));
    }
}
