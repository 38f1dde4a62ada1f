//! Changing a crowd while it runs: parameters, newcomers, removals, and looking at it.

mod common;

use common::{flock, ids, place};
use flockwork::{
    AgentId, FlockRules, Locomotion, Method, Partition, Scene, Seek, Separation, Simulation,
    Snapshot, Species, Wander, World,
};
use proptest::prelude::*;

fn speed(simulation: &Simulation, id: AgentId) -> f32 {
    let [x, y] = simulation.agent(id).unwrap().velocity;
    x.hypot(y)
}

fn of_species(simulation: &Simulation, kind: usize) -> Vec<AgentId> {
    let all = ids(simulation);
    all.into_iter().filter(|&id| simulation.agent(id).unwrap().species == kind).collect()
}

#[test]
fn steps_can_become_shorter_and_longer() {
    // Its turns are limited per step, its jitter and moves go by the second.
    let species = || flock(40).max_turn_rate(2.0);
    let scene = || Scene::new(World::torus(200.0, 150.0)).species(species());
    let mut simulation = scene().steps_per_second(60.0).build().unwrap();
    simulation.run(3).unwrap();
    let before = simulation.state_hash();
    simulation.set_steps_per_second(240.0).unwrap();
    assert_eq!(simulation.state_hash(), before, "the state stays as it is");
    assert_eq!(simulation.scene().steps_per_second, 240.0);
    assert_eq!(simulation.time(), 3.0 * f64::from(1.0_f32 / 240.0));

    let at_start = scene().steps_per_second(60.0).build().unwrap();
    let mut short = scene().steps_per_second(240.0).build().unwrap();
    let mut changed = scene().steps_per_second(60.0).build().unwrap();
    assert_eq!(changed.state_hash(), at_start.state_hash());
    changed.set_steps_per_second(240.0).unwrap();
    changed.run(20).unwrap();
    short.run(20).unwrap();
    assert_eq!(changed.state_hash(), short.state_hash(), "as if it had always been so");
    let mut kept = Snapshot::from_bytes(&changed.snapshot().to_bytes()).unwrap().build().unwrap();
    assert_eq!(kept.scene().steps_per_second, 240.0);
    kept.run(5).unwrap();
    changed.run(5).unwrap();
    assert_eq!(kept.state_hash(), changed.state_hash());
}

#[test]
fn step_lengths_out_of_range_change_nothing() {
    // 150 units/s across 100 units is one and a half steps' way per second.
    for (world, allowed) in [
        (World::torus(100.0, 100.0), &[1.5_f32, 60.0, 1.0e5][..]),
        (World::bounded(100.0, 100.0), &[1.0, 1.5, 60.0, 1.0e5]),
    ] {
        let scene = Scene::new(world).species(flock(20));
        let (mut simulation, mut untouched) = (scene.build().unwrap(), scene.build().unwrap());
        let too_long = if allowed[0] > 1.0 { vec![1.0, 1.4] } else { vec![] };
        for refused in [0.0, -60.0, 0.99, 1.1e5, f32::NAN, f32::INFINITY].iter().chain(&too_long) {
            let error = simulation.set_steps_per_second(*refused).unwrap_err().to_string();
            assert!(error.contains("steps_per_second"), "{error}");
            assert!(!too_long.contains(refused) || error.contains("at least 1.5 1/s"), "{error}");
            assert_eq!(simulation.scene(), untouched.scene());
        }
        simulation.run(5).unwrap();
        untouched.run(5).unwrap();
        assert_eq!(simulation.state_hash(), untouched.state_hash());
        for &steps in allowed {
            simulation.set_steps_per_second(steps).unwrap();
            simulation.scene().check().unwrap();
            simulation.run(3).unwrap();
        }
    }
}

#[test]
fn agents_can_be_added_after_the_last_wander_is_taken_away() {
    let mut simulation = Scene::new(World::torus(200.0, 200.0)).species(flock(20)).build().unwrap();
    let calm = Species::new("flock", 20).steer(Separation { weight: 10.0 });
    simulation.set_species(&calm).unwrap();
    let newcomer = place(&mut simulation, [10.0, 10.0]);
    simulation.run(3).unwrap();
    assert!(simulation.agent(newcomer).is_ok());
    assert_eq!(simulation.len(), 21);
    simulation.set_species(&flock(20)).unwrap();
    simulation.run(3).unwrap();
    simulation.remove(newcomer).unwrap();
    simulation.run(3).unwrap();
}

#[test]
fn wander_that_comes_back_wanders_again_for_agents_added_meanwhile() {
    let wanderers = |wanders: bool| {
        let species = Species::new("agent", 2);
        if wanders { species.steer(Wander::default()) } else { species }
    };
    let scene = Scene::new(World::torus(200.0, 200.0)).species(wanderers(true));
    let mut simulation = scene.build().unwrap();
    simulation.set_species(&wanderers(false)).unwrap();
    let newcomer = place(&mut simulation, [10.0, 10.0]);
    simulation.set_species(&wanderers(true)).unwrap();
    let before = simulation.agent(newcomer).unwrap().heading;
    simulation.run(120).unwrap();
    assert_ne!(simulation.agent(newcomer).unwrap().heading, before);
}

#[test]
fn a_shared_parameter_changes_for_all_even_if_another_species_draws_it() {
    let ranged = Species::new("ranged", 5).max_speed([10.0, 20.0]);
    let shared = Species::new("shared", 5).max_speed(100.0);
    let scene = Scene::new(World::torus(500.0, 500.0)).species(ranged).species(shared.clone());
    let mut simulation = scene.build().unwrap();
    match simulation.set_species(&shared.max_speed(40.0)) {
        // Refusing it would do as well.
        Err(_) => return,
        Ok(()) => simulation.run(3).unwrap(),
    }
    for id in of_species(&simulation, 1) {
        assert!(speed(&simulation, id) <= 40.01, "{} units/s", speed(&simulation, id));
    }
}

#[test]
fn a_changed_radius_changes_who_is_seen_alike_by_cells_and_all_pairs() {
    let sighted = |name: &str, radius: f32| {
        Species { view_includes_radius: true, ..flock(150).view_distance(20.0).radius(radius) }
            .named(name)
    };
    let build = |radius: f32| {
        Scene::new(World::torus(400.0, 400.0))
            .species(sighted("small", 2.0))
            .species(sighted("large", radius))
            .build()
            .unwrap()
    };
    let mut changed = build(30.0);
    if changed.set_species(&sighted("large", 4.0)).is_err() {
        return;
    }
    let mut fresh = build(4.0);
    for id in ids(&fresh) {
        let mut sets = [Partition::Cells, Partition::AllPairs].map(|partition| {
            changed.set_partition(partition);
            changed.neighbors(id).unwrap()
        });
        sets.iter_mut().for_each(|seen| seen.sort_unstable());
        assert!(
            sets[0] == sets[1],
            "{id}: cells find {}, all pairs {}",
            sets[0].len(),
            sets[1].len()
        );
        let mut expected = fresh.neighbors(id).unwrap();
        expected.sort_unstable();
        assert!(sets[0] == expected, "{id}: {} instead of {}", sets[0].len(), expected.len());
    }
}

trait Named {
    fn named(self, name: &str) -> Self;
}

impl Named for Species {
    fn named(self, name: &str) -> Self {
        Self { name: name.into(), ..self }
    }
}

#[test]
fn the_view_distance_of_a_world_sized_by_neighbors_can_change() {
    // The world was sized at the start and keeps its size.
    let species = |view: f32| flock(400).view_distance(view);
    let scene = Scene::new(World::with_mean_neighbors(16.0)).species(species(50.0));
    let mut simulation = scene.build().unwrap();
    let size = simulation.world_size();
    for view in [0.1, 1.0, 200.0, 1.0e6] {
        simulation.set_species(&species(view)).unwrap();
        assert_eq!(simulation.world_size(), size);
        simulation.run(2).unwrap();
    }
}

#[test]
fn a_speed_that_crosses_the_torus_in_a_step_is_refused_while_running() {
    let species = |view: f32, speed: f32| {
        Species::new("s", 10).view_distance(view).max_speed(speed).max_force(1.0e9).mass(1.0e-3)
    };
    // 22 units wide at the start; a longer view would now make it wider.
    let scene = Scene::new(World::with_mean_neighbors(16.0)).species(species(10.0, 10.0));
    let mut simulation = scene.build().unwrap();
    assert!(simulation.world_size()[0] < 30.0);
    assert!(simulation.set_species(&species(10.0, 9.0e4)).is_err());
    assert!(simulation.set_species(&species(1.0e5, 9.0e4)).is_err());
}

#[test]
fn looking_changes_nothing_whatever_is_done_next() {
    let scene = Scene::new(World::torus(300.0, 200.0)).species(flock(300));
    let run = |look: bool, change: fn(&mut Simulation)| {
        let mut simulation = scene.build().unwrap();
        for _ in 0..10 {
            simulation.run(3).unwrap();
            if look {
                simulation.census();
            }
            change(&mut simulation);
        }
        simulation.run(30).unwrap();
        simulation.state_hash()
    };
    type Change = fn(&mut Simulation);
    let changes: [(&str, Change); 4] = [
        ("nothing", |_| ()),
        ("spawn", |s| {
            place(s, [30.0, 40.0]);
        }),
        ("remove", |s| {
            let id = *ids(s).iter().min().unwrap();
            s.remove(id).unwrap();
        }),
        ("set_species", |s| {
            let view = if s.tick() % 2 == 0 { 35.0 } else { 40.0 };
            s.set_species(&flock(300).view_distance(view)).unwrap();
        }),
    ];
    for (name, change) in changes {
        assert_eq!(run(false, change), run(true, change), "{name}");
    }
}

#[test]
fn the_slot_an_agent_is_removed_from_does_not_matter_to_others() {
    // Everyone keeps their state but the one that is gone.
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
    let reborn = place(&mut simulation, [1.0, 1.0]);
    assert!(reborn.generation > 0);
    simulation.run(2).unwrap();
}

#[test]
fn a_crowd_that_starts_empty_behaves_like_one_that_does_not() {
    let sighted = |name: &str, agents: usize, radius: f32| {
        let species = Species { view_includes_radius: true, ..flock(agents) };
        species.view_distance(10.0).radius(radius).named(name)
    };
    let scene = |agents: usize| {
        Scene::new(World::torus(400.0, 400.0))
            .species(sighted("small", agents, 2.0))
            .species(sighted("large", agents, 40.0))
    };
    let mut empty = scene(0).build().unwrap();
    let mut other = scene(1).build().unwrap();
    for id in ids(&other) {
        other.remove(id).unwrap();
    }
    for simulation in [&mut empty, &mut other] {
        let small = simulation.spawn("small", [100.0, 100.0], [1.0, 0.0]).unwrap();
        let large = simulation.spawn("large", [130.0, 100.0], [1.0, 0.0]).unwrap();
        assert_eq!(simulation.neighbors(small).unwrap(), [large], "10 + 40 units");
        assert_eq!(simulation.neighbors(large).unwrap(), [], "10 + 2 units");
        assert_eq!(simulation.oracle_step(small).unwrap().neighbors, 1);
        assert_eq!(simulation.oracle_step(large).unwrap().neighbors, 0);
    }
}

#[test]
fn a_crowd_restored_to_nobody_and_filled_again_behaves_as_before() {
    let species = |name: &str, radius: f32| {
        let species = Species { view_includes_radius: true, ..flock(0) };
        species.view_distance(10.0).radius(radius).named(name)
    };
    let scene = Scene::new(World::torus(400.0, 400.0))
        .species(species("small", 2.0))
        .species(species("large", 40.0));
    let fill = |simulation: &mut Simulation| {
        for k in 0..40 {
            let name = ["small", "large"][k % 2];
            let at = [(k * 37 % 400) as f32, (k * 91 % 400) as f32];
            simulation.spawn(name, at, [1.0, 0.0]).unwrap();
        }
        simulation.run(20).unwrap();
        simulation.state_hash()
    };
    let mut simulation = scene.build().unwrap();
    let nobody = simulation.snapshot();
    let first = fill(&mut simulation);
    simulation.restore(&nobody);
    assert_eq!(fill(&mut simulation), first);
}

#[test]
fn a_refused_step_does_not_change_what_follows() {
    let run = |try_in_vain: bool| {
        let scene = Scene::new(World::open(300.0, 300.0)).species(flock(300));
        let mut simulation = scene.build().unwrap();
        simulation.run(30).unwrap();
        let limit = flockwork::COORDINATE_LIMIT;
        let doomed = simulation.spawn("flock", [limit, 0.0], [1.0, 0.0]).unwrap();
        if try_in_vain {
            simulation.step().unwrap_err();
            simulation.run(3).unwrap_err();
        }
        simulation.remove(doomed).unwrap();
        // Another grid: the order of sums comes from the order the agents were in before.
        simulation.set_species(&flock(300).view_distance(31.0)).unwrap();
        simulation.run(40).unwrap();
        simulation.state_hash()
    };
    assert_eq!(run(false), run(true));
}

#[derive(Clone, Debug)]
enum Change {
    Spawn(u8, f32, f32, f32),
    Remove(usize),
    Step(u8),
    Species(u8, f32, f32, u8),
    Snapshot,
    Restore,
    Method(u8),
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
    ]
}

fn kind(name: &str, agents: usize, view: f32, radius: f32, bits: u8) -> Species {
    let species = Species {
        view_includes_radius: bits & 1 != 0,
        locomotion: if bits & 2 != 0 { Locomotion::ConstantSpeed } else { Locomotion::PointMass },
        ..flock(agents).view_distance(view).radius(radius)
    };
    let species = Species { name: name.into(), ..species };
    if bits & 4 != 0 {
        let seek = Seek { weight: 1.0, target: [20.0, 30.0].into() };
        species.steer(FlockRules::default()).steer(seek)
    } else {
        species
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(200)
    })]

    /// Any sequence of calls gives the same state in two simulations of which one is computed
    /// by cells, kernels and lanes of changing width, the other by the reference, all pairs.
    #[test]
    fn any_sequence_of_calls_gives_the_same_state_however_it_is_computed(
        changes in prop::collection::vec(change(), 1..60),
        topology in 0..3,
        ranged in any::<bool>(),
        first in prop::sample::select(vec![0_usize, 0, 1, 20]),
    ) {
        let world = match topology {
            0 => World::torus(120.0, 90.0),
            1 => World::bounded(120.0, 90.0),
            _ => World::open(120.0, 90.0),
        };
        let speed = |species: Species| {
            if ranged { species.max_speed([20.0, 60.0]) } else { species }
        };
        let scene = Scene::new(world)
            .species(speed(kind("a", first, 20.0, 3.0, 0)))
            .species(kind("b", first / 2, 30.0, 5.0, 1));
        let mut tested = scene.build().unwrap();
        let mut simple = scene.build().unwrap();
        simple.set_method(Method::Reference);
        simple.set_partition(Partition::AllPairs);
        let mut kept = (tested.snapshot(), simple.snapshot());
        for change in changes {
            match change {
                Change::Spawn(kind, x, y, angle) => {
                    let name = ["a", "b"][usize::from(kind)];
                    let heading = [angle.cos(), angle.sin()];
                    prop_assert_eq!(
                        tested.spawn(name, [x, y], heading).unwrap(),
                        simple.spawn(name, [x, y], heading).unwrap()
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
                        0 => speed(kind("a", first, view, radius, bits)),
                        _ => kind("b", first / 2, view, radius, bits),
                    };
                    // Without wander, with a range where there was none, and back again.
                    let changed = Species {
                        behaviors: match bits {
                            7 => vec![Separation { weight: 50.0 }.into()],
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
                    let width = flockwork::LaneWidth::ALL[usize::from(bits) % 3];
                    tested.set_method(Method::Kernels(width));
                    let partitions = [Partition::Cells, Partition::AllPairs];
                    tested.set_partition(partitions[usize::from(bits / 4)]);
                }
            }
            prop_assert_eq!(tested.len(), simple.len());
            prop_assert_eq!(tested.state_hash(), simple.state_hash());
            if !tested.is_empty() {
                let id = tested.id_at(tested.len() / 2);
                let oracle = tested.oracle_step(id).unwrap();
                if oracle.margin > 1.0e-5 {
                    prop_assert_eq!(tested.neighbors(id).unwrap().len(), oracle.neighbors);
                }
            }
        }
    }
}
