use flockwork::behaviors::{Separation, Wander};
use flockwork::slab::Slab;
use flockwork::{AgentId, Partition, Scene, Simulation, Snapshot, Species, SpeciesValue, World};

use crate::common::agents::{ids, place};
use crate::common::refusals::NONSENSE;
use crate::common::scenes::flock;

fn speed(simulation: &Simulation, id: AgentId) -> f32 {
    let [x, y, _] = simulation.agent(id).unwrap().velocity;
    x.hypot(y)
}

fn of_species(simulation: &Simulation, kind: usize) -> Vec<AgentId> {
    let all = ids(simulation);
    all.into_iter().filter(|&id| simulation.agent(id).unwrap().species == kind).collect()
}

#[test]
fn steps_can_become_shorter_and_longer() {
    // Turns are limited per step; jitter and motion are per second.
    let species = || flock(40).max_turn_rate(2.0);
    let scene = || Scene::new(World::torus(200.0, 150.0)).species(species());
    let mut simulation = scene().steps_per_second(60.0).build().unwrap();
    simulation.run(3).unwrap();
    let states = |simulation: &Simulation| -> Vec<_> {
        ids(simulation).into_iter().map(|id| simulation.agent(id).unwrap()).collect()
    };
    let before = (states(&simulation), simulation.time());
    simulation.edit(|scene| scene.steps_per_second = 240.0).unwrap();
    assert_eq!(
        (states(&simulation), simulation.time()),
        before,
        "agents and time stay as they are"
    );
    assert_eq!(simulation.scene().steps_per_second, 240.0);

    let at_start = scene().steps_per_second(60.0).build().unwrap();
    let mut short = scene().steps_per_second(240.0).build().unwrap();
    let mut changed = scene().steps_per_second(60.0).build().unwrap();
    assert_eq!(changed.state_hash(), at_start.state_hash());
    changed.edit(|scene| scene.steps_per_second = 240.0).unwrap();
    changed.run(20).unwrap();
    short.run(20).unwrap();
    assert_eq!(changed.state_hash(), short.state_hash(), "as if it had been so from the start");
    let mut kept = Snapshot::from_bytes(&changed.snapshot().to_bytes()).unwrap().build().unwrap();
    assert_eq!(kept.scene().steps_per_second, 240.0);
    kept.run(5).unwrap();
    changed.run(5).unwrap();
    assert_eq!(kept.state_hash(), changed.state_hash());
}

#[test]
fn step_lengths_out_of_range_change_nothing() {
    // At 150 units/s, agents cross 100 units in 2/3 s, which requires at least 1.5 steps/s.
    for (world, allowed) in [
        (World::torus(100.0, 100.0), &[1.5_f32, 60.0, 1.0e5][..]),
        (World::bounded(100.0, 100.0), &[1.0, 1.5, 60.0, 1.0e5]),
    ] {
        let scene = Scene::new(world).species(flock(20));
        let (mut simulation, mut untouched) = (scene.build().unwrap(), scene.build().unwrap());
        let too_long = if allowed[0] > 1.0 { vec![1.0, 1.4] } else { vec![] };
        for refused in [0.0, -60.0, 0.99, 1.1e5, f32::NAN, f32::INFINITY].iter().chain(&too_long) {
            let error =
                simulation.edit(|scene| scene.steps_per_second = *refused).unwrap_err().to_string();
            assert!(error.contains("steps_per_second"), "{error}");
            assert!(!too_long.contains(refused) || error.contains("at least 1.5 1/s"), "{error}");
            assert_eq!(simulation.scene(), untouched.scene());
        }
        simulation.run(5).unwrap();
        untouched.run(5).unwrap();
        assert_eq!(simulation.state_hash(), untouched.state_hash());
        for &steps in allowed {
            simulation.edit(|scene| scene.steps_per_second = steps).unwrap();
            simulation.scene().check().unwrap();
            simulation.run(3).unwrap();
        }
    }
}

#[test]
fn agents_can_be_added_after_the_last_wander_is_taken_away() {
    let mut simulation = Scene::new(World::torus(200.0, 200.0)).species(flock(20)).build().unwrap();
    let calm =
        Species::new("flock", 20).behavior(Separation { weight: 10.0, ..Separation::default() });
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
fn restored_wander_also_moves_agents_added_in_the_meantime() {
    let wanderers = |wanders: bool| {
        let species = Species::new("agent", 2);
        if wanders { species.behavior(Wander::default()) } else { species }
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
fn a_shared_parameter_changes_for_all_although_another_species_draws_it() {
    let ranged = Species::new("ranged", 5).max_speed([10.0, 20.0]);
    let shared = Species::new("shared", 5).max_speed(100.0);
    let scene = Scene::new(World::torus(500.0, 500.0)).species(ranged).species(shared.clone());
    let mut simulation = scene.build().unwrap();
    simulation.set_species(&shared.max_speed(40.0)).unwrap();
    simulation.run(3).unwrap();
    for id in of_species(&simulation, 1) {
        assert!(speed(&simulation, id) <= 40.01, "{} units/s", speed(&simulation, id));
    }
}

#[test]
fn a_changed_radius_changes_neighbors_by_cells_and_all_pairs_alike() {
    let species = |name: &str, radius: f32| {
        let species = Species { name: name.into(), view_includes_radius: true, ..flock(150) };
        species.view_distance(20.0).radius(radius)
    };
    let build = |radius: f32| {
        Scene::new(World::torus(400.0, 400.0))
            .species(species("small", 2.0))
            .species(species("large", radius))
            .build()
            .unwrap()
    };
    let mut changed = build(30.0);
    changed.set_species(&species("large", 4.0)).unwrap();
    let fresh = build(4.0);
    for id in ids(&fresh) {
        let mut sets = [Partition::Cells, Partition::AllPairs].map(|partition| {
            changed.set_execution(changed.execution().partition(partition)).unwrap();
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

#[test]
fn the_view_distance_of_a_world_sized_by_neighbors_can_change() {
    // The world keeps its initial size.
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
fn a_crowd_that_starts_empty_behaves_like_one_that_was_emptied() {
    let species = |name: &str, agents: usize, radius: f32| {
        let species = Species { name: name.into(), view_includes_radius: true, ..flock(agents) };
        species.view_distance(10.0).radius(radius)
    };
    let scene = |agents: usize| {
        Scene::new(World::torus(400.0, 400.0))
            .species(species("small", agents, 2.0))
            .species(species("large", agents, 40.0))
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
        assert_eq!(simulation.reference_step(small).unwrap().neighbors, 1);
        assert_eq!(simulation.reference_step(large).unwrap().neighbors, 0);
    }
}

#[test]
fn bad_agents_settings_and_ids_are_refused_while_running() {
    let scene = Scene::new(World::torus(100.0, 100.0)).species(Species::new("fish", 3));
    let mut simulation = scene.build().unwrap();
    let before = simulation.state_hash();
    for bad in NONSENSE {
        assert!(simulation.spawn("fish", [bad, 5.0], [1.0, 0.0]).is_err());
        assert!(simulation.spawn("fish", [5.0, 5.0], [bad, 0.0]).is_err());
    }
    assert!(simulation.spawn("fish", [-0.1, 5.0], [1.0, 0.0]).is_err());
    assert!(simulation.spawn("fish", [5.0, 5.0], [0.0, 0.0]).is_err());
    let error = simulation.spawn("fihs", [5.0, 5.0], [1.0, 0.0]).unwrap_err().to_string();
    assert!(error.contains("did you mean `fish`"), "{error}");
    assert!(simulation.set_execution(simulation.execution().threads(0)).is_err());
    assert!(simulation.set_execution(simulation.execution().threads(100_000)).is_err());
    let mut changed = Species::new("fish", 3);
    changed.max_force = SpeciesValue::Shared(-1.0);
    assert!(simulation.set_species(&changed).is_err());
    assert!(simulation.set_species(&Species::new("shark", 3)).is_err());
    let missing = AgentId { index: 77, generation: 0 };
    assert_eq!(simulation.agent(missing).unwrap_err().code(), "no_such_agent");
    assert_eq!(simulation.state_hash(), before, "a refusal changes nothing");
    simulation.run(3).unwrap();
}

#[test]
fn a_very_short_or_long_heading_is_refused_or_made_a_unit_vector() {
    let scene = Scene::new(World::open(1.0e3, 1.0e3)).species(Species::new("agent", 0));
    let mut simulation = scene.build().unwrap();
    for exponent in -45..=38 {
        for direction in [[1.0, 0.0], [0.6, -0.8], [-0.3, 0.1]] {
            let heading = direction.map(|component: f32| component * 10.0_f32.powi(exponent));
            match simulation.spawn("agent", [1.0, 1.0], heading) {
                Ok(id) => {
                    let [x, y, _] = simulation.agent(id).unwrap().heading.map(f64::from);
                    assert!((x.hypot(y) - 1.0).abs() < 1.0e-6, "{heading:?} became [{x}, {y}]");
                }
                Err(_) => assert!(!(-14..=14).contains(&exponent), "{heading:?} refused"),
            }
        }
    }
}

#[test]
fn more_columns_than_a_scene_may_have_are_refused_while_it_runs() {
    let species = |name: &str, columns: usize| {
        let numbers = (0..columns).map(|number| format!("{name}_{number}"));
        numbers.fold(Species::new(name, 20), |species, column| species.column(column, 1.0))
    };
    let scene = Scene::new(World::torus(500.0, 500.0));
    let scene = scene.species(species("a", 9)).species(species("b", 7));
    let mut simulation = scene.build().unwrap();
    let mut slabs = [0, 1].map(|number| Slab::new(&scene, number, 2).unwrap());
    let before = (simulation.snapshot().to_bytes(), slabs.each_ref().map(|s| s.part().to_bytes()));
    let expected = scene.species(species("c", 1)).check().unwrap_err();
    assert!(expected.to_string().contains("number of columns = 17: must be at most 16"));
    assert_eq!(simulation.set_species(&species("b", 8)).unwrap_err(), expected);
    for slab in &mut slabs {
        assert_eq!(slab.edit(|scene| scene.species[1] = species("b", 8)).unwrap_err(), expected);
    }
    let after = (simulation.snapshot().to_bytes(), slabs.each_ref().map(|s| s.part().to_bytes()));
    assert!(after == before, "nothing changed");
    simulation.set_species(&species("a", 8)).unwrap();
    simulation.set_species(&species("b", 8)).unwrap();
    simulation.run(2).unwrap();
    let id = simulation.agents().id(0);
    simulation.explain(id).unwrap();
    Snapshot::from_bytes(&simulation.snapshot().to_bytes()).unwrap();
}
