//! Forces that the caller sets.

use flockwork::kernel::External;
use flockwork::{AgentId, Number, Order, Scene, Separation, Species, World};

use crate::common::methods::Way;

fn drones(agents: usize) -> Scene {
    let drone = Species::new("drone", agents).mass(2.0).max_force(100.0);
    Scene::new(World::torus(500.0, 500.0)).species(drone.steer(External::default()))
}

#[test]
fn an_agent_accelerates_as_told_until_told_otherwise() {
    for way in Way::all() {
        let mut crowd = drones(20).build().unwrap();
        way.set(&mut crowd);
        let id = crowd.id_at(4);
        let before = crowd.agent(id).unwrap().velocity;
        let slow = |velocity: [f32; 2]| velocity.map(|v| v * 0.5);
        assert_ne!(slow(before), before);
        crowd.set(Number::Column(External::X), id, -12.0).unwrap();
        let push = [-12.0, 0.0];
        let force = crowd.explain(id).unwrap().force;
        assert_eq!(force, push.map(|a| a * 2.0), "acceleration times mass");
        crowd.run(2).unwrap();
        assert_eq!(crowd.explain(id).unwrap().force, force);
        crowd.set(Number::Column(External::X), id, 0.0).unwrap();
        assert_eq!(crowd.explain(id).unwrap().force, [0.0, 0.0]);
    }
}

#[test]
fn all_agents_can_be_told_at_once_and_force_is_limited() {
    let mut crowd = drones(50).build().unwrap();
    crowd.set_all(Number::Column(External::Y), Order::Id, &[1.0e6; 50]).unwrap();
    let ids: Vec<AgentId> = crowd.ids().collect();
    for id in ids {
        assert_eq!(crowd.explain(id).unwrap().force, [0.0, 100.0]);
    }
}

#[test]
fn a_force_from_outside_takes_its_place_in_the_order() {
    let force_with = |first: bool| {
        let (told, apart) = (External::default(), Separation { weight: 1.0e6 });
        let species = Species::new("drone", 2).max_force(50.0);
        let species =
            if first { species.steer(told).steer(apart) } else { species.steer(apart).steer(told) };
        let mut crowd = Scene::new(World::torus(30.0, 30.0)).species(species).build().unwrap();
        let id = crowd.id_at(0);
        crowd.set(Number::Column(External::X), id, 60.0).unwrap();
        crowd.explain(id).unwrap()
    };
    let first = force_with(true);
    assert_eq!(first.force, [50.0, 0.0]);
    assert_eq!(first.unreached, [(1, "separation")]);
    let last = force_with(false);
    assert_ne!(last.force, [50.0, 0.0]);
    assert_eq!(last.unreached, [(1, "external")]);
}
