use flockwork::behaviors::{FlockRules, OffsetPursuit, Seek, Separation};
use flockwork::{
    AgentId, Locomotion, Method, Partition, Scene, Simulation, Spawn, Species, Target, Vector,
    World,
};
use proptest::prelude::*;

use crate::common::agents::{ids, set_property};
use crate::common::scenes::flock;
use crate::common::space::{place_in, point_in, set_vectors, spawn_in, vector_in};
use crate::common::variants::Variant;

#[derive(Clone, Debug)]
enum Change {
    Spawn(u8, f32, f32, f32),
    Remove(usize),
    Step(u8),
    Species(u8, f32, f32, u8),
    Snapshot,
    Restore,
    Method(u8),
    Set(u8, usize, f32),
    Velocity(usize, f32, f32),
    Many(usize, f32),
    Look(usize),
    Convert(usize, u8),
    Aim(usize, f32),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (0..2_u8, 0.0_f32..=120.0, 0.0_f32..=90.0, 0.0_f32..6.3)
            .prop_map(|(kind, x, y, angle)| Change::Spawn(kind, x, y, angle)),
        3 => any::<usize>().prop_map(Change::Remove),
        4 => (0..4_u8).prop_map(Change::Step),
        2 => (0..2_u8, 1.0_f32..80.0, 0.0_f32..9.0, 0..8_u8)
            .prop_map(|(kind, view, radius, bits)| Change::Species(kind, view, radius, bits)),
        1 => Just(Change::Snapshot),
        1 => Just(Change::Restore),
        2 => (0..8_u8).prop_map(Change::Method),
        4 => (0..8_u8, any::<usize>(), 0.0_f32..1.0)
            .prop_map(|(which, pick, share)| Change::Set(which, pick, share)),
        1 => (any::<usize>(), -80.0_f32..80.0, -80.0_f32..80.0)
            .prop_map(|(pick, x, y)| Change::Velocity(pick, x, y)),
        1 => (0..6_usize, 0.0_f32..1.0).prop_map(|(count, share)| Change::Many(count, share)),
        2 => any::<usize>().prop_map(Change::Look),
        3 => (any::<usize>(), 0..2_u8).prop_map(|(pick, kind)| Change::Convert(pick, kind)),
        3 => (any::<usize>(), 0.0_f32..=1.0).prop_map(|(pick, share)| Change::Aim(pick, share)),
    ]
}

fn kind(world: &World, name: &str, agents: usize, view: f32, radius: f32, bits: u8) -> Species {
    let species = Species {
        view_includes_radius: bits & 1 != 0,
        immovable: bits & 6 == 4,
        locomotion: if bits & 2 != 0 { Locomotion::ConstantSpeed } else { Locomotion::PointMass },
        ..flock(agents).view_distance(view).radius(radius)
    };
    let species = Species { name: name.into(), ..species };
    if bits & 4 != 0 {
        let target =
            if bits & 2 != 0 { Target::Own } else { point_in(world, [20.0, 30.0, 10.0]).into() };
        let seek = Seek { weight: 1.0, target };
        species.behavior(FlockRules::default()).behavior(seek)
    } else if bits & 2 != 0 {
        let leader = point_in(world, [60.0, 45.0, 30.0]).into();
        species.behavior(OffsetPursuit { leader, abreast: 2, ..OffsetPursuit::default() })
    } else {
        species
    }
}

fn picked(crowd: &Simulation, pick: usize) -> AgentId {
    let mut all = ids(crowd);
    all.sort_unstable();
    let last = AgentId { index: 1_000_000, generation: 0 };
    all.get(pick % (all.len() + 1)).copied().unwrap_or(last)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(200)
    })]

    /// One simulation uses the grid and SIMD of changing width; the other uses the scalar method
    /// and all pairs.
    #[test]
    fn any_sequence_of_calls_gives_the_same_state_by_every_method(
        changes in prop::collection::vec(change(), 1..60),
        topology in 0..3,
        depth in prop::sample::select(vec![None, Some(60.0)]),
        ranged in any::<bool>(),
        first in prop::sample::select(vec![0_usize, 0, 1, 20]),
    ) {
        let world = match topology {
            0 => World::torus(120.0, 90.0),
            1 => World::bounded(120.0, 90.0),
            _ => World::open(120.0, 90.0),
        };
        let world = World { depth, ..world };
        let speed = |species: Species| {
            if ranged { species.max_speed([20.0, 60.0]) } else { species }
        };
        let scene = Scene::new(world)
            .species(speed(kind(&world, "a", first, 20.0, 3.0, 0)))
            .species(kind(&world, "b", first / 2, 30.0, 5.0, 1));
        let mut tested = scene.build().unwrap();
        let mut simple = scene.build().unwrap();
        simple.set_execution(simple.execution().method(Method::Scalar).partition(Partition::AllPairs)).unwrap();
        let mut kept = (tested.snapshot(), simple.snapshot());
        for change in changes {
            match change {
                Change::Spawn(kind, x, y, angle) => {
                    let name = ["a", "b"][usize::from(kind)];
                    let heading = [angle.cos(), angle.sin()];
                    let velocity = [vector_in(&world, heading.map(|part| part * angle * 10.0))];
                    let (at, heading) = ([place_in(&world, [x, y])], [vector_in(&world, heading)]);
                    let (headings, velocities) = match angle {
                        ..1.0 => (None, None),
                        ..2.0 => (None, Some(&velocity[..])),
                        _ => (Some(&heading[..]), None),
                    };
                    let spawn = Spawn { headings, velocities, ..Spawn::at(&at) };
                    prop_assert_eq!(
                        spawn_in!(&mut tested, world, name, &spawn),
                        spawn_in!(&mut simple, world, name, &spawn)
                    );
                }
                Change::Remove(pick) if !tested.is_empty() => {
                    let mut all = ids(&tested);
                    all.sort_unstable();
                    let id = all[pick % all.len()];
                    tested.remove(id).unwrap();
                    simple.remove(id).unwrap();
                }
                Change::Remove(_) => {}
                Change::Step(steps) => {
                    tested.run(u64::from(steps)).unwrap();
                    simple.run(u64::from(steps)).unwrap();
                }
                Change::Species(which, view, radius, bits) => {
                    let changed = match which {
                        0 => speed(kind(&world, "a", first, view, radius, bits)),
                        _ => kind(&world, "b", first / 2, view, radius, bits),
                    };
                    let changed = Species {
                        behaviors: match bits {
                            7 => vec![Separation { weight: 50.0, ..Separation::default() }.into()],
                            _ => changed.behaviors,
                        },
                        radius: match bits {
                            5 => [radius * 0.5, radius].into(),
                            _ => changed.radius,
                        },
                        mass: if bits == 3 { [1.0, 2.0].into() } else { changed.mass },
                        ..changed
                    };
                    let outcome = tested.set_species(&changed);
                    prop_assert_eq!(&outcome, &simple.set_species(&changed));
                }
                Change::Snapshot => kept = (tested.snapshot(), simple.snapshot()),
                Change::Restore => {
                    tested.restore(&kept.0);
                    simple.restore(&kept.1);
                }
                Change::Method(bits) => {
                    Variant::nth_vector(usize::from(bits) % 3).set(&mut tested);
                    let partitions = [Partition::Cells, Partition::AllPairs];
                    tested.set_execution(tested.execution().partition(partitions[usize::from(bits / 4)])).unwrap();
                }
                Change::Set(which, pick, share) => {
                    let ids = &[picked(&tested, pick)][..];
                    prop_assert_eq!(
                        set_property!(&mut tested, which, ids, share),
                        set_property!(&mut simple, which, ids, share)
                    );
                }
                Change::Velocity(pick, x, y) => {
                    let (ids, velocity) = ([picked(&tested, pick)], [vector_in(&world, [x, y])]);
                    prop_assert_eq!(
                        set_vectors!(&mut tested, Vector::Velocity, &ids, &velocity),
                        set_vectors!(&mut simple, Vector::Velocity, &ids, &velocity)
                    );
                }
                Change::Many(count, share) => {
                    let at: Vec<[f32; 3]> = (0..count)
                        .map(|k| place_in(&world, [share * 120.0, k as f32 * 9.0]))
                        .collect();
                    let spawn = Spawn::at(&at).headings(&at);
                    let added = spawn_in!(&mut tested, world, "a", &spawn).unwrap_or_default();
                    for at in at.iter().filter(|_| !added.is_empty()) {
                        let at = point_in(&world, *at);
                        simple.spawn("a", at, at).unwrap();
                    }
                    let mut all = ids(&tested);
                    all.sort_unstable();
                    all.truncate(count / 2);
                    tested.remove_many(&all).unwrap();
                    all.iter().for_each(|&id| simple.remove(id).unwrap());
                }
                Change::Convert(pick, kind) => {
                    let ids: Vec<AgentId> = (0..pick % 4).map(|k| picked(&tested, pick / 4 + k)).collect();
                    let name = ["a", "b"][usize::from(kind)];
                    let outcome = tested.change_species(&ids, name);
                    prop_assert_eq!(&outcome, &simple.change_species(&ids, name));
                }
                // Own targets are refused unless a behavior reads them.
                Change::Aim(pick, share) => {
                    let ids: Vec<AgentId> = (0..pick % 4).map(|k| picked(&tested, pick / 4 + k)).collect();
                    let points: Vec<[f32; 3]> = (0..ids.len())
                        .map(|k| vector_in(&world, [share * 200.0, k as f32 * 40.0]))
                        .collect();
                    let outcome = set_vectors!(&mut tested, Vector::OwnTarget, &ids, &points);
                    prop_assert_eq!(&outcome, &set_vectors!(&mut simple, Vector::OwnTarget, &ids, &points));
                    let (from, to) = (picked(&tested, pick), picked(&tested, pick / 7));
                    let outcome = tested.set_own_target(from, to);
                    prop_assert_eq!(&outcome, &simple.set_own_target(from, to));
                }
                // The query sorts one of the two simulations, which must not change the state.
                Change::Look(pick) => {
                    let id = picked(&tested, pick);
                    prop_assert_eq!(tested.neighbors(id).is_ok(), simple.agent(id).is_ok());
                }
            }
            prop_assert_eq!(tested.len(), simple.len());
            prop_assert_eq!(tested.state_hash(), simple.state_hash());
            if !tested.is_empty() {
                let id = tested.agents().id(tested.len() / 2);
                let reference = tested.reference_step(id).unwrap();
                if reference.margin > 1.0e-5 {
                    prop_assert_eq!(tested.neighbors(id).unwrap().len(), reference.neighbors);
                }
            }
        }
    }
}
