//! Agents given a far larger radius or maximum speed than all others are sorted apart.

use flockwork::behaviors::{FlockRules, Neighborhood, Separation};
use flockwork::{Number, Partition, Scene, Simulation, Snapshot, Species, World};

use crate::common::agents::ids;
use crate::slab::slabs::Slabs;

fn scene() -> Scene {
    let species = |name| {
        let rims = Species { view_includes_radius: true, ..Species::new(name, 700) };
        rims.view_distance(20.0).radius(2.0).max_speed(60.0).behavior(FlockRules::default())
    };
    let apart = Separation { neighborhood: Neighborhood::of(["left"]), ..Separation::default() };
    let right = species("right").view_distance(30.0).behavior(apart);
    let scene = Scene::new(World::torus(600.0, 500.0)).species(species("left")).species(right);
    Scene { non_penetration: 2, ..scene }
}

/// A crowd in which one agent has 40 times the usual radius, and another 30 times the speed.
fn crowd() -> Simulation {
    let mut crowd = scene().build().unwrap();
    let agents = ids(&crowd);
    crowd.set(Number::Radius, agents[5], 80.0).unwrap();
    crowd.set(Number::MaxSpeed, agents[1_100], 1_800.0).unwrap();
    crowd
}

#[test]
fn agents_far_beyond_their_species_are_a_group_of_their_own() {
    let usual = scene().build().unwrap().grid_cells().len();
    assert_eq!(crowd().grid_cells().len(), usual + 1);
    // Agents up to four times as large or as fast as their species are not outliers.
    let mut mild = scene().build().unwrap();
    let agents = ids(&mild);
    mild.set(Number::Radius, agents[5], 7.0).unwrap();
    mild.set(Number::MaxSpeed, agents[6], 240.0).unwrap();
    assert_eq!(mild.grid_cells().len(), usual);
    // Usual values stay usual when other agents get smaller ones.
    mild.set(Number::Radius, agents[7], 3.0).unwrap();
    mild.set(Number::MaxSpeed, agents[8], 90.0).unwrap();
    assert_eq!(mild.grid_cells().len(), usual);
}

#[test]
fn what_many_agents_get_at_once_is_usual() {
    let mut crowd = scene().build().unwrap();
    let usual = crowd.grid_cells().len();
    let agents = ids(&crowd)[..400].to_vec();
    crowd.set_many(Number::Radius, &agents, &[12.0; 400]).unwrap();
    assert_eq!(crowd.grid_cells().len(), usual);
    crowd.set(Number::Radius, agents[0], 90.0).unwrap();
    assert_eq!(crowd.grid_cells().len(), usual + 1);
}

/// With all pairs, every slot is a candidate, so no agent is missed.
#[test]
fn everyone_sees_and_touches_outliers_and_they_everyone() {
    let (mut crowd, mut simple) = (crowd(), crowd());
    simple.set_execution(simple.execution().partition(Partition::AllPairs)).unwrap();
    for step in 0..30 {
        let giant = ids(&crowd)[if step % 2 == 0 { 5 } else { 700 }];
        for crowd in [&mut crowd, &mut simple] {
            let radius = if step % 3 == 0 { 50.0 } else { 3.0 };
            crowd.set(Number::Radius, giant, radius).unwrap();
            crowd.step().unwrap();
        }
        assert_eq!(crowd.state_hash(), simple.state_hash(), "step {step}");
    }
}

#[test]
fn a_new_outlier_is_seen_before_the_next_step() {
    let (mut crowd, mut simple) = (crowd(), crowd());
    simple.set_execution(simple.execution().partition(Partition::AllPairs)).unwrap();
    let agents = ids(&crowd);
    for crowd in [&mut crowd, &mut simple] {
        // The query sorts the crowd; the new radius does not exceed the crowd's largest radius.
        assert!(!crowd.neighbors(agents[5]).unwrap().is_empty());
        crowd.set(Number::Radius, agents[9], 50.0).unwrap();
    }
    for &agent in &agents {
        let [seen, all] = [&crowd, &simple].map(|crowd| {
            let mut neighbors = crowd.neighbors(agent).unwrap();
            neighbors.sort_unstable();
            neighbors
        });
        assert_eq!(seen, all, "{agent}");
    }
}

#[test]
fn a_restored_crowd_has_the_same_outliers() {
    let mut crowd = crowd();
    let agents = ids(&crowd);
    crowd.run(3).unwrap();
    let saved = crowd.snapshot().to_bytes();
    let mut restored = Snapshot::from_bytes(&saved).unwrap().build().unwrap();
    assert_eq!(restored.grid_cells(), crowd.grid_cells());
    for crowd in [&mut crowd, &mut restored] {
        crowd.set(Number::Radius, agents[9], 6.0).unwrap();
        crowd.run(5).unwrap();
    }
    assert_eq!(restored.grid_cells(), crowd.grid_cells());
    assert_eq!(restored.state_hash(), crowd.state_hash());
    assert_eq!(restored.snapshot().to_bytes(), crowd.snapshot().to_bytes());
}

#[test]
fn outliers_in_slabs_are_those_of_one_host() {
    let start = crowd().snapshot();
    let (mut whole, mut parts) = (start.build().unwrap(), Slabs::of_snapshot(&start, 3));
    let agents = ids(&whole);
    for step in 0..20 {
        if step % 5 == 4 {
            let (agent, radius) = (agents[70 * step], 20.0 + step as f32);
            let expected = whole.set(Number::Radius, agent, radius);
            parts.each_slab(|slab| slab.set(Number::Radius, agent, radius), &expected);
        }
        whole.step().unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
}
