use std::collections::HashSet;

use flockwork::{
    AgentId, Hide, PathFollowing, Scene, Snapshot, Species, Wander, WaypointPath, World,
};

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
            Scene::new(World::torus(100.0, 100.0)).species(Species::new("s", 5).steer(wander));
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
    let path = WaypointPath {
        name: "route".into(),
        points: vec![[10.0, 10.0], [50.0, 50.0]],
        closed: true,
    };
    let species = Species::new("s", 5)
        .steer(Wander::default())
        .steer(PathFollowing { path: "route".into(), ..PathFollowing::default() })
        .steer(Hide { hunter: [9.0, 9.0].into(), memory: Some(2.0), ..Hide::default() });
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
