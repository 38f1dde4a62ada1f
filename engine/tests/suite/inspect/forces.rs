use flockwork::behaviors::Seek;
use flockwork::{Error, Method, Partition, Scene, Simulation, Species, World};

use crate::common::agents::{ids, place, resting};
use crate::common::scenes::variety;

fn scenes() -> Vec<(&'static str, Scene)> {
    let named = |name| Ok((name, Scene::named(name)?.agents(150)));
    let named: Result<Vec<_>, Error> = Scene::names().map(named).collect();
    variety(200).into_iter().chain(named.unwrap()).collect()
}

fn bits(forces: &[[f32; 3]]) -> Vec<[u32; 3]> {
    forces.iter().map(|force| force.map(f32::to_bits)).collect()
}

fn explained(simulation: &Simulation) -> Vec<[f32; 3]> {
    ids(simulation).into_iter().map(|id| simulation.explain(id).unwrap().force).collect()
}

#[test]
fn each_force_equals_that_of_the_explanation() {
    for (name, scene) in scenes() {
        let mut simulation = scene.build().unwrap();
        for steps in [0, 1, 9] {
            simulation.run(steps).unwrap();
            let forces = simulation.forces();
            assert_eq!(bits(&forces), bits(&explained(&simulation)), "{name} {steps}");
        }
        assert!(simulation.forces().iter().any(|force| *force != [0.0; 3]), "{name}");
    }
}

#[test]
fn new_and_moved_agents_have_their_own_force() {
    let mut simulation = Scene::named("flock").unwrap().agents(90).build().unwrap();
    simulation.run(3).unwrap();
    for id in ids(&simulation).into_iter().step_by(7) {
        simulation.remove(id).unwrap();
    }
    place(&mut simulation, [20.0, 30.0]);
    place(&mut simulation, [400.0, 5.0]);
    let forces = simulation.forces();
    assert_eq!(bits(&forces), bits(&explained(&simulation)));
}

#[test]
fn a_crowd_shared_between_threads_has_the_same_forces() {
    let mut simulation = Scene::named("heavy").unwrap().agents(18_000).build().unwrap();
    simulation.set_execution(simulation.execution().threads(1)).unwrap();
    simulation.run(2).unwrap();
    let one = bits(&simulation.forces());
    assert_eq!(one, bits(&explained(&simulation)));
    for threads in [2, 5] {
        simulation.set_execution(simulation.execution().threads(threads)).unwrap();
        assert_eq!(bits(&simulation.forces()), one, "{threads} threads");
    }
    simulation.set_execution(simulation.execution().partition(Partition::AllPairs)).unwrap();
    assert_eq!(bits(&simulation.forces()), one, "all pairs");
}

#[test]
fn reading_forces_does_not_change_what_follows() {
    for (name, scene) in scenes() {
        for method in Method::ALL {
            let mut read = scene.build().unwrap();
            let mut untouched = scene.build().unwrap();
            read.set_execution(read.execution().method(method)).unwrap();
            untouched.set_execution(untouched.execution().method(method)).unwrap();
            for _ in 0..10 {
                let before = read.state_hash();
                read.forces();
                read.force_shares();
                assert_eq!(read.state_hash(), before, "{name}");
                read.step().unwrap();
                untouched.step().unwrap();
            }
            assert_eq!(read.state_hash(), untouched.state_hash(), "{name}");
        }
    }
}

#[test]
fn shares_are_relative_to_each_agents_own_maximum() {
    let seekers = |name: &str, most: f32, weight: f32| {
        let target = [50.0, 0.0].into();
        let mut species = resting(name, [0.0, 0.0], 0.0);
        species = species.max_speed(100.0).max_force(most).behavior(Seek { weight, target });
        species
    };
    let simulation = Scene::new(World::open(10.0, 10.0))
        .species(seekers("gentle", 400.0, 1.0))
        .species(seekers("eager", 400.0, 1.0e6))
        .species(seekers("idle", 400.0, 0.0))
        .species(seekers("powerless", 0.0, 1.0))
        .build()
        .unwrap();
    assert_eq!(simulation.force_shares(), [0.25, 1.0, 0.0, 0.0]);

    let ranges = Species { max_force: [100.0, 300.0].into(), ..seekers("varied", 0.0, 1.0) };
    let ranges = Scene::new(World::open(10.0, 10.0)).species(Species { agents: 50, ..ranges });
    let simulation = ranges.build().unwrap();
    let shares = simulation.force_shares();
    assert!(shares.iter().all(|share| (1.0 / 3.0..=1.0).contains(share)), "{shares:?}");
    assert!(shares.iter().any(|share| *share < 0.5), "{shares:?}");
    assert!(shares.iter().any(|share| *share > 0.8), "{shares:?}");

    for (name, scene) in scenes() {
        let mut simulation = scene.build().unwrap();
        simulation.run(5).unwrap();
        let shares = simulation.force_shares();
        assert_eq!(shares.len(), simulation.len());
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{name} {shares:?}");
    }
}
