use std::collections::HashSet;

use flockwork::behaviors::{Hide, PathFollowing, Seek, Wander};
use flockwork::{
    AgentId, Number, Scene, Simulation, Snapshot, Species, Start, Target, Vector, WaypointPath,
    World,
};

use crate::common::agents::{id, position};
use crate::common::snapshots::with_columns;
use crate::common::variants::hash_after;

#[test]
fn the_hash_distinguishes_states() {
    let scene = Scene::named("flock").unwrap();
    let hash = |seed| hash_after(&scene.clone().seed(seed), 0, |_| {});
    assert_ne!(hash(1), hash(2));
    let mut simulation = scene.build().unwrap();
    let mut seen = HashSet::from([simulation.state_hash()]);
    for _ in 0..50 {
        simulation.step().unwrap();
        assert!(seen.insert(simulation.state_hash()));
    }
}

#[test]
fn the_hash_distinguishes_crowds_that_differ_only_in_wander_targets() {
    // At a weight of zero, the wander target moves but the agent does not.
    let run = |jitter: f32| {
        let wander = Wander { weight: 0.0, jitter, ..Wander::default() };
        let scene =
            Scene::new(World::torus(100.0, 100.0)).species(Species::new("s", 5).behavior(wander));
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        let positions: Vec<_> = (0..5)
            .map(|index| simulation.agent(AgentId { index, generation: 0 }).unwrap().position)
            .collect();
        (positions, simulation.state_hash())
    };
    let (still, wandering) = (run(0.0), run(80.0));
    assert_eq!(still.0, wandering.0);
    assert_ne!(still.1, wandering.1);
}

#[test]
fn the_hash_distinguishes_crowds_that_differ_in_one_memory_of_one_agent() {
    let path = WaypointPath::new("route", [[10.0, 10.0], [50.0, 50.0]]).closed();
    let species = Species::new("s", 5)
        .behavior(Wander::default())
        .behavior(PathFollowing { path: "route".into(), ..PathFollowing::default() })
        .behavior(Hide { hunter: [9.0, 9.0].into(), memory: Some(2.0), ..Hide::default() });
    let scene = Scene::new(World::torus(100.0, 100.0)).path(path).species(species);
    let snapshot = scene.build().unwrap().snapshot();
    let hash = |snapshot: &Snapshot| snapshot.build().unwrap().state_hash();
    let mut seen = HashSet::from([hash(&snapshot)]);
    for memory in ["wander_x", "wander_y", "waypoint", "alert"] {
        let mut entry = 0;
        let changed = with_columns(&snapshot, |column, value| {
            entry += usize::from(column == memory);
            if column == memory && entry == 3 { 1.0 - value } else { value }
        });
        assert!(seen.insert(hash(&changed)), "{memory} is not hashed");
    }
}

#[test]
fn the_hash_distinguishes_crowds_that_differ_in_any_one_thing() {
    type Change = (&'static str, fn(&mut Simulation));
    // Agents at rest without forces; the species differ only in their names.
    let twin = |name: &str| {
        let start = Start { heading: Some(0.0), ..Start::default() }.speed(0.0);
        let seek = Seek { weight: 0.0, target: Target::Own };
        Species::new(name, 5).start(start).column("hunger", 1.0).behavior(seek)
    };
    let scene = Scene::new(World::torus(100.0, 100.0)).species(twin("a")).species(twin("b"));
    let changes: [Change; 18] = [
        ("nothing", |_| {}),
        ("position", |crowd| crowd.set(Vector::Position, id(1), [1.0, 1.0]).unwrap()),
        ("velocity", |crowd| crowd.set(Vector::Velocity, id(1), [1.0, 0.0]).unwrap()),
        ("heading", |crowd| crowd.set(Vector::Heading, id(1), [0.0, 1.0]).unwrap()),
        ("column", |crowd| crowd.set(Number::Column("hunger"), id(1), 2.0).unwrap()),
        ("target", |crowd| crowd.set_own_target(id(1), id(2)).unwrap()),
        ("another target", |crowd| crowd.set_own_target(id(1), id(3)).unwrap()),
        ("point", |crowd| crowd.set_own_target(id(1), [1.0, 2.0]).unwrap()),
        ("another point", |crowd| crowd.set_own_target(id(1), [2.0, 1.0]).unwrap()),
        ("limit", |crowd| crowd.set(Number::Mass, id(1), 2.0).unwrap()),
        ("another limit", |crowd| crowd.set(Number::Radius, id(1), 2.0).unwrap()),
        ("species", |crowd| crowd.change_species(&[id(1)], "b").unwrap()),
        ("another agent's species", |crowd| crowd.change_species(&[id(2)], "b").unwrap()),
        ("generation", |crowd| {
            let position = position(crowd, 1);
            crowd.remove(id(1)).unwrap();
            crowd.spawn("a", position, [1.0, 0.0]).unwrap();
        }),
        ("order of free indices", |crowd| crowd.remove_many(&[id(1), id(2)]).unwrap()),
        ("another order", |crowd| crowd.remove_many(&[id(2), id(1)]).unwrap()),
        ("step", |crowd| crowd.step().unwrap()),
        ("time", |crowd| {
            crowd.step().unwrap();
            crowd.edit(|scene| scene.steps_per_second = 30.0).unwrap();
        }),
    ];
    let mut seen = HashSet::new();
    for (what, change) in changes {
        let mut crowd = scene.build().unwrap();
        change(&mut crowd);
        assert!(seen.insert(crowd.state_hash()), "{what} is not hashed");
    }
}
