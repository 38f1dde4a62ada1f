use std::collections::HashMap;

use flockwork::behaviors::Seek;
use flockwork::{AgentId, ErrorKind, Scene, Simulation, Snapshot, Species, Target, World};
use proptest::prelude::*;

use crate::common::agents::{flat, ids, place};
use crate::common::scenes::{flock, variety};
use crate::common::snapshots::{BODY, list, sealed};

fn length(v: [f32; 2]) -> f32 {
    v[0].hypot(v[1])
}

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
    // Without forces and at the lowest speed, agents stay in place.
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
            .map(|id| (id, flat(simulation.agent(id).unwrap().position)))
            .collect();
        let mut dead: Vec<AgentId> = Vec::new();
        for action in actions {
            match action {
                Action::Spawn(x, y) => {
                    let id = simulation.spawn("still", [x, y], [0.0, 2.0]).unwrap();
                    prop_assert!(!dead.contains(&id), "no id is given out twice");
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
}

#[test]
fn removing_an_agent_does_not_change_the_others() {
    let mut simulation =
        Scene::new(World::torus(300.0, 200.0)).species(flock(100)).build().unwrap();
    simulation.run(5).unwrap();
    while !simulation.is_empty() {
        let before: Vec<_> =
            ids(&simulation).into_iter().map(|id| (id, simulation.agent(id).unwrap())).collect();
        let (gone, _) = before[before.len() / 3];
        simulation.remove(gone).unwrap();
        for (id, state) in before.into_iter().filter(|(id, _)| *id != gone) {
            assert_eq!(simulation.agent(id).unwrap(), state);
        }
    }
    simulation.run(2).unwrap();
    let reused = place(&mut simulation, [1.0, 1.0]);
    assert!(reused.generation > 0);
    simulation.run(2).unwrap();
}

#[test]
fn an_index_at_its_last_generation_is_never_given_out_again() {
    let species = flock(3).behavior(Seek { weight: 1.0, target: Target::Own });
    let crowd = Scene::new(World::torus(100.0, 100.0)).species(species).build().unwrap();
    let mut body = crowd.snapshot().to_bytes().split_off(BODY);
    let (at, count) = list(&body, "generations");
    assert_eq!(count, 3);
    body[at + 4..at + 8].copy_from_slice(&(u32::MAX - 2).to_le_bytes());
    let mut crowd = Snapshot::from_bytes(&sealed(&body)).unwrap().build().unwrap();

    let last_but_one = AgentId { index: 1, generation: u32::MAX - 2 };
    crowd.remove(last_but_one).unwrap();
    let last = place(&mut crowd, [1.0, 1.0]);
    assert_eq!(last, AgentId { index: 1, generation: u32::MAX - 1 });
    crowd.remove(last).unwrap();
    let newcomer = place(&mut crowd, [1.0, 1.0]);
    assert_eq!(newcomer, AgentId { index: 3, generation: 0 }, "a new index");
    // Regression: an index without further generations remained a valid target.
    for generation in [u32::MAX - 1, u32::MAX] {
        let gone = AgentId { index: 1, generation };
        assert!(crowd.agent(gone).is_err());
        let error = crowd.set_own_target(newcomer, gone).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::NoSuchAgent { id: gone });
    }

    let mut resumed = Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
    resumed.remove(newcomer).unwrap();
    assert_eq!(place(&mut resumed, [2.0, 2.0]), AgentId { index: 3, generation: 1 });
}

#[test]
fn the_sort_keeps_every_agent_with_its_state() {
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
