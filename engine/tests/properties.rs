//! What holds for every crowd.

mod common;

use std::collections::HashMap;

use common::{ids, variety};
use flockwork::{
    AgentId, Cohesion, Scene, Separation, Simulation, Species, Topology, Wander, World,
};
use proptest::prelude::*;

fn length(v: [f32; 2]) -> f32 {
    v[0].hypot(v[1])
}

#[test]
fn speed_heading_and_position_keep_within_their_bounds() {
    for (name, scene) in variety(200) {
        let mut simulation = scene.build().unwrap();
        let [width, height] = simulation.world_size();
        for _ in 0..40 {
            simulation.step().unwrap();
            for id in ids(&simulation) {
                let state = simulation.agent(id).unwrap();
                let species = &scene.species[state.species];
                let max_speed = match species.max_speed {
                    flockwork::Value::Shared(value) => value,
                    flockwork::Value::Between([_, to]) => to,
                };
                assert!(length(state.velocity) <= max_speed * 1.000_001, "{name} {state:?}");
                assert!((length(state.heading) - 1.0).abs() < 1.0e-5, "{name} {state:?}");
                let [x, y] = state.position;
                match simulation.topology() {
                    Topology::Torus => {
                        assert!((0.0..width).contains(&x) && (0.0..height).contains(&y), "{name}");
                    }
                    Topology::Bounded => {
                        assert!(
                            (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
                            "{name}"
                        );
                    }
                    Topology::Open => assert!(x.is_finite() && y.is_finite()),
                }
            }
        }
    }
}

#[test]
fn force_never_exceeds_the_maximum() {
    for (name, scene) in variety(150) {
        let mut simulation = scene.build().unwrap();
        simulation.run(10).unwrap();
        for id in ids(&simulation) {
            let kind = simulation.agent(id).unwrap().species;
            let max_force = match scene.species[kind].max_force {
                flockwork::Value::Shared(value) => value,
                flockwork::Value::Between([_, to]) => to,
            };
            let [x, y] = simulation.oracle_step(id).unwrap().force;
            assert!(x.hypot(y) <= f64::from(max_force) * (1.0 + 1.0e-9), "{name}");
        }
        // The engine's own force, from the change of velocity of a unit mass that is free.
        let slow = Species::new("slow", 200)
            .max_speed(1.0e4)
            .max_force(50.0)
            .steer(Separation { weight: 1.0e6 })
            .steer(Wander { weight: 1.0e6, ..Wander::default() });
        let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(slow).build().unwrap();
        let before: HashMap<AgentId, [f32; 2]> = ids(&simulation)
            .into_iter()
            .map(|id| (id, simulation.agent(id).unwrap().velocity))
            .collect();
        simulation.step().unwrap();
        for (id, old) in before {
            let new = simulation.agent(id).unwrap().velocity;
            let change = length([new[0] - old[0], new[1] - old[1]]);
            // At a speed of 1e4 a rounding is about 1e-3.
            assert!(change <= 50.0 / 60.0 + 4.0e-3, "{change}");
        }
    }
}

#[test]
fn the_sort_keeps_every_agent_with_all_it_has() {
    for (name, scene) in variety(300) {
        let mut simulation = scene.build().unwrap();
        let kinds: HashMap<AgentId, usize> = ids(&simulation)
            .into_iter()
            .map(|id| (id, simulation.agent(id).unwrap().species))
            .collect();
        simulation.run(20).unwrap();
        let after = ids(&simulation);
        assert_eq!(after.len(), kinds.len(), "{name}");
        for (slot, id) in after.into_iter().enumerate() {
            assert_eq!(simulation.slot_of(id).unwrap(), slot, "{name}");
            assert_eq!(simulation.agent(id).unwrap().species, kinds[&id], "{name}");
        }
    }
}

#[test]
fn the_turn_rate_is_never_exceeded() {
    let species = common::flock(200).max_turn_rate(2.0);
    let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(species).build().unwrap();
    for _ in 0..30 {
        let before: HashMap<AgentId, [f32; 2]> = ids(&simulation)
            .into_iter()
            .map(|id| (id, simulation.agent(id).unwrap().heading))
            .collect();
        simulation.step().unwrap();
        for (id, old) in before {
            let new = simulation.agent(id).unwrap().heading;
            let angle =
                (old[0] * new[1] - old[1] * new[0]).atan2(old[0] * new[0] + old[1] * new[1]);
            assert!(angle.abs() <= 2.0 / 60.0 + 1.0e-4, "{angle}");
        }
    }
}

#[test]
fn separation_pushes_a_pair_apart_with_equal_and_opposite_forces() {
    let species = Species::new("pair", 0).steer(Separation { weight: 100.0 });
    let scene = Scene::new(World::torus(200.0, 200.0)).species(species.clone());
    let mut simulation = scene.build().unwrap();
    let pair = [[98.0, 100.0], [105.0, 103.0]].map(|at| common::place(&mut simulation, at));
    let [a, b] = pair.map(|id| simulation.oracle_step(id).unwrap().force);
    assert!(a[0] < 0.0 && a[1] < 0.0, "away from the other: {a:?}");
    assert_eq!([a[0] + b[0], a[1] + b[1]], [0.0, 0.0]);
    // Agents start at their maximum speed; it must not cut what the force adds.
    simulation.set_species(&species.max_speed(1.0e4)).unwrap();
    let before = pair.map(|id| simulation.agent(id).unwrap().velocity);
    simulation.step().unwrap();
    let after = pair.map(|id| simulation.agent(id).unwrap().velocity);
    let change = |k: usize| [0, 1].map(|axis| after[k][axis] - before[k][axis]);
    let [first, second] = [change(0), change(1)];
    assert!((first[0] + second[0]).abs() < 3.0e-5 && (first[1] + second[1]).abs() < 3.0e-5);
}

/// What a test does to a crowd.
#[derive(Clone, Debug)]
enum Action {
    Spawn(f32, f32),
    Remove(usize),
    Step,
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        (0.0_f32..=100.0, 0.0_f32..=80.0).prop_map(|(x, y)| Action::Spawn(x, y)),
        any::<usize>().prop_map(Action::Remove),
        Just(Action::Step),
    ]
}

fn still_crowd() -> Simulation {
    // Without a force and at the lowest speed agents stay where they are put.
    let species = Species::new("still", 5).max_speed(1.0e-3).view_distance(20.0);
    Scene::new(World::bounded(100.0, 80.0)).species(species).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn spawning_and_removing_agree_with_a_map(actions in prop::collection::vec(action(), 0..80)) {
        let mut simulation = still_crowd();
        let mut alive: HashMap<AgentId, [f32; 2]> = ids(&simulation)
            .into_iter()
            .map(|id| (id, simulation.agent(id).unwrap().position))
            .collect();
        let mut dead: Vec<AgentId> = Vec::new();
        for action in actions {
            match action {
                Action::Spawn(x, y) => {
                    let id = simulation.spawn("still", [x, y], [0.0, 2.0]).unwrap();
                    prop_assert!(!dead.contains(&id), "ids are never given out twice");
                    prop_assert_eq!(alive.insert(id, [x, y]), None);
                }
                Action::Remove(pick) if !alive.is_empty() => {
                    let mut candidates: Vec<AgentId> = alive.keys().copied().collect();
                    candidates.sort_unstable();
                    let id = candidates[pick % candidates.len()];
                    simulation.remove(id).unwrap();
                    alive.remove(&id);
                    dead.push(id);
                }
                Action::Remove(_) | Action::Step => simulation.step().unwrap(),
            }
            prop_assert_eq!(simulation.len(), alive.len());
            for (&id, position) in &alive {
                let now = simulation.agent(id).unwrap().position;
                prop_assert!(length([now[0] - position[0], now[1] - position[1]]) < 0.01);
            }
            for &id in &dead {
                prop_assert!(simulation.agent(id).is_err());
                prop_assert!(simulation.remove(id).is_err());
                prop_assert!(simulation.neighbors(id).is_err());
            }
        }
    }

    #[test]
    fn scenes_survive_the_way_through_toml(
        agents in 0_usize..1000,
        view in 1.0_f32..1000.0,
        fov in 0.0_f32..=360.0,
        speeds in (1.0_f32..10.0, 10.0_f32..100.0),
        seed in 0..i64::MAX as u64,
        weight in 0.0_f32..1.0e6,
    ) {
        let species = Species::new("s", agents)
            .view_distance(view)
            .field_of_view(fov)
            .max_speed([speeds.0, speeds.1])
            .steer(Cohesion { weight, normalized: false })
            .steer(Wander { jitter: weight, ..Wander::default() });
        let scene = Scene::new(World::bounded(10.0, 20.0)).species(species).seed(seed);
        let text = scene.to_toml();
        prop_assert_eq!(Scene::parse(&text, "round trip").unwrap(), scene, "{}", text);
    }
}
