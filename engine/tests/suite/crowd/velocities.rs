//! Crowds whose agents all have constant speed store no velocities; this changes no result.

use flockwork::behaviors::{CollisionAvoidance, Evade, Pursuit, VelocityMatching};
use flockwork::{Locomotion, Scene, Simulation, Snapshot, Species, Target, World};

use crate::common::agents::{id, ids, speed};
use crate::common::scenes::flock;
use crate::common::variants::Variant;

fn of_constant_speed(species: Species) -> Species {
    Species { locomotion: Locomotion::ConstantSpeed, ..species }
}

/// A crowd with behaviors that read the velocity of another agent.
fn scene() -> Scene {
    let first = Target::Member { species: "flock".into(), number: 0 };
    let species = of_constant_speed(flock(333))
        .max_speed([30.0, 90.0])
        .behavior(Pursuit { evader: first.clone(), ..Pursuit::default() })
        .behavior(Evade { weight: 0.5, pursuer: first, threat_range: Some(50.0) });
    Scene::new(World::torus(400.0, 300.0)).species(species)
}

#[test]
fn velocities_that_are_not_stored_equal_those_that_would_be() {
    for variant in Variant::all() {
        // A species of point masses, even without agents, makes the crowd store velocities.
        let point_masses = Species { name: "point masses".into(), ..flock(0) };
        let mut stored = scene().species(point_masses).build().unwrap();
        let mut derived = scene().build().unwrap();
        variant.set(&mut derived);
        assert!(derived.bytes() < stored.bytes());
        for _ in 0..20 {
            assert_eq!(derived.state_hash(), stored.state_hash(), "{variant:?}");
            for id in ids(&derived) {
                assert_eq!(derived.agent(id).unwrap().velocity, stored.agent(id).unwrap().velocity);
            }
            derived.step().unwrap();
            stored.step().unwrap();
        }
    }
}

#[test]
fn a_species_that_becomes_point_masses_keeps_its_velocities() {
    let mut simulation = scene().build().unwrap();
    simulation.run(3).unwrap();
    let velocities = |simulation: &Simulation| -> Vec<[f32; 3]> {
        (0..333).map(|k| simulation.agent(id(k)).unwrap().velocity).collect()
    };
    let before = velocities(&simulation);
    let constant = simulation.scene().species[0].clone();
    let point_mass = Species { locomotion: Locomotion::PointMass, ..constant.clone() };
    simulation.set_species(&point_mass).unwrap();
    assert_eq!(velocities(&simulation), before);
    simulation.run(3).unwrap();
    simulation.set_species(&constant).unwrap();
    let [x, y, _] = before[7];
    let own = speed(&simulation, 7);
    assert!((own - x.hypot(y)).abs() < 1.0e-3, "its own maximum speed again");
    simulation.run(3).unwrap();
}

#[test]
fn a_slower_start_works_at_constant_speed_too() {
    let mut scene = scene();
    scene.species[0].start.speed = Some(0.5);
    scene.species[0] = scene.species[0].clone().max_speed(80.0);
    let mut simulation = scene.build().unwrap();
    assert!((speed(&simulation, 0) - 40.0).abs() < 1.0e-3);
    simulation.step().unwrap();
    assert!((speed(&simulation, 0) - 80.0).abs() < 1.0e-3);
}

#[test]
fn behaviors_that_read_velocities_of_neighbors_can_be_added_and_removed() {
    let mut simulation = scene().build().unwrap();
    simulation.run(3).unwrap();
    let bytes = simulation.bytes();
    let without = simulation.scene().species[0].clone();
    let with = without.clone().behavior(CollisionAvoidance::default());
    let with = with.behavior(VelocityMatching::default());
    for species in [&with, &without, &with] {
        simulation.set_species(species).unwrap();
        simulation.run(3).unwrap();
    }
    assert!(simulation.bytes() > bytes, "now they are stored");
}

#[test]
fn snapshot_files_work_without_stored_velocities() {
    let mut simulation = scene().build().unwrap();
    simulation.run(5).unwrap();
    let file = simulation.snapshot().to_bytes();
    let mut restored = Scene::new(World::torus(50.0, 50.0)).species(flock(3)).build().unwrap();
    restored.restore(&Snapshot::from_bytes(&file).unwrap());
    assert_eq!(restored.state_hash(), simulation.state_hash());
    simulation.run(5).unwrap();
    restored.run(5).unwrap();
    assert_eq!(restored.state_hash(), simulation.state_hash());
}
