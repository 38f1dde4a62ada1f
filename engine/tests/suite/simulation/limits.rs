use flockwork::behaviors::{Interpose, Pursuit};
use flockwork::slab::Slab;
use flockwork::{
    AgentOrder, Error, Number, Scene, Simulation, Snapshot, Species, Target, Vector, World,
};
use proptest::prelude::*;

use crate::common::agents::id;
use crate::common::refusals::field_and_allowed;
use crate::common::scenes::{variety, with_agents};
use crate::common::snapshots::{BODY, sealed, with_scene};

#[test]
fn up_to_1024_threads_are_accepted() {
    let mut crowd = Scene::named("flock").unwrap().build().unwrap();
    for threads in [0, 1_025, usize::MAX] {
        let (field, allowed) = field_and_allowed(
            &crowd.set_execution(crowd.execution().threads(threads)).unwrap_err(),
        );
        assert_eq!((field.as_str(), allowed.as_str()), ("threads", "from 1 to 1024"));
    }
    crowd.set_execution(crowd.execution().threads(1)).unwrap();
}

#[test]
fn an_error_is_as_small_as_a_pointer() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}

#[test]
fn a_crowd_needs_96_kib_of_stack() {
    let small = std::thread::Builder::new().stack_size(96 << 10);
    let run = || {
        let scenes = Scene::names().map(|name| Scene::named(name).unwrap());
        for scene in scenes.chain(variety(150).into_iter().map(|(_, scene)| scene)) {
            let scene = with_agents(scene, 150);
            let mut crowd = scene.build().unwrap();
            crowd.set_execution(crowd.execution().threads(1)).unwrap();
            crowd.run(20).unwrap();
            let first = crowd.agents().id(0);
            crowd.explain(first).unwrap();
            let bytes = crowd.snapshot().to_bytes();
            Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
        }
    };
    small.spawn(run).unwrap().join().unwrap();
}

/// A torus of 100 × 100 units with an agent that has a maximum speed of its own.
fn with_a_fast_one(speed: f32) -> Simulation {
    let species = Species::new("agent", 3).max_speed(10.0);
    let mut crowd = Scene::new(World::torus(100.0, 100.0)).species(species).build().unwrap();
    crowd.set(Number::MaxSpeed, id(1), speed).unwrap();
    crowd
}

/// Checks used to consider only the speeds in the scene, and to treat an empty list as a written
/// maximum speed of 0, which is out of range.
#[test]
fn an_empty_list_of_maximum_speeds_can_be_written() {
    let mut crowd = with_a_fast_one(20.0);
    crowd.set_many(Number::MaxSpeed, &[], &[]).unwrap();
    let mut none = Scene::named("flock").unwrap().build().unwrap();
    none.set_many(Number::MaxSpeed, &[], &[]).unwrap();
    none.edit(|scene| scene.steps_per_second = 120.0).unwrap();
}

#[test]
fn a_step_in_which_a_written_speed_crosses_the_torus_is_refused() {
    let mut crowd = with_a_fast_one(5_000.0);
    crowd.set(Vector::Velocity, id(1), [0.0, -3_020.0]).unwrap();
    let before = crowd.snapshot().to_bytes();
    let expected = "steps_per_second = 1: must be at least 50 1/s, so that no agent crosses the \
                    torus in a step; the largest max_speed override is 5000 units/s";
    assert_eq!(crowd.edit(|scene| scene.steps_per_second = 1.0).unwrap_err().to_string(), expected);
    let mut slab = Slab::from_snapshot(&crowd.snapshot(), 0, 2).unwrap();
    assert_eq!(slab.edit(|scene| scene.steps_per_second = 1.0).unwrap_err().to_string(), expected);
    assert_eq!(crowd.snapshot().to_bytes(), before);
    // The largest speed ever written counts, even after its agent is gone.
    crowd.remove(id(1)).unwrap();
    assert_eq!(crowd.edit(|scene| scene.steps_per_second = 1.0).unwrap_err().to_string(), expected);
    crowd.edit(|scene| scene.steps_per_second = 50.0).unwrap();
    crowd.step().unwrap();
    Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap();
}

#[test]
fn a_snapshot_in_which_a_written_speed_crosses_the_torus_is_refused() {
    let snapshot = with_a_fast_one(5_000.0).snapshot();
    let slow = |scene: &mut Scene| scene.steps_per_second = 1.0;
    let error = with_scene(&snapshot, slow).unwrap_err().to_string();
    let expected = "not a valid snapshot: the largest max_speed override = 5000.0: must be from \
                    0.001 to 100 units/s: at most the shorter side of the torus per step";
    assert_eq!(error, expected);
    with_scene(&snapshot, |scene| scene.steps_per_second = 50.0).unwrap().build().unwrap();
}

/// The largest speed and radius overrides determine the reach of searches.
#[test]
fn a_snapshot_with_the_largest_overrides_out_of_range_is_refused() {
    let body = with_a_fast_one(5_000.0).snapshot().to_bytes().split_off(BODY);
    for (at, name) in [(8, "max_speed"), (4, "radius")] {
        for wrong in [f32::INFINITY, f32::NAN, -1.0, 2.0e5] {
            let mut body = body.clone();
            let end = body.len();
            body[end - at..][..4].copy_from_slice(&wrong.to_le_bytes());
            let error = Snapshot::from_bytes(&sealed(&body)).unwrap_err().to_string();
            assert!(error.contains(&format!("the largest {name} override")), "{error}");
        }
    }
}

#[test]
fn behaviors_that_look_too_many_worlds_away_at_a_written_speed_are_refused() {
    let species = || Species::new("agent", 9).max_speed(1.0);
    let scene = Scene::new(World::torus(0.02, 0.05)).steps_per_second(1.0e5);
    let pursuit = Pursuit { evader: Target::member("agent", 0), turnaround: 100.0, weight: 1.0 };
    let pursuing = species().behavior(pursuit);
    let expected =
        "a reach of 4000.0269 world units for the largest max_speed override, 20: must be";
    let mut crowd = scene.clone().species(species()).build().unwrap();
    crowd.set(Number::MaxSpeed, id(0), 20.0).unwrap();
    let error = crowd.set_species(&pursuing).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    let mut slab = Slab::from_snapshot(&crowd.snapshot(), 0, 2).unwrap();
    assert_eq!(
        slab.edit(|scene| scene.species[0] = pursuing.clone()).unwrap_err().to_string(),
        error
    );
    // Now the speed is written after the behavior is set.
    let mut crowd = scene.species(pursuing).build().unwrap();
    let error = crowd.set(Number::MaxSpeed, id(0), 20.0).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// Regression: a slow agent of any species was refused, unless `interpose` was set after its speed.
#[test]
fn agents_of_any_speed_interpose_and_predict_at_most_100_000_worlds() {
    let guard = |speed| {
        let [a, b] = [0, 1].map(|number| Target::member("boulder", number));
        let between = Interpose { a, b, weight: 1.0 };
        Species::new("guard", 1).max_speed(speed).max_force(1.0e6).behavior(between)
    };
    let scene = Scene::new(World::torus(100.0, 100.0)).species(guard(150.0));
    let mut crowd = scene.species(Species::new("boulder", 2)).build().unwrap();
    crowd.set(Number::MaxSpeed, id(2), 1.0e-3).unwrap();
    crowd.set(Number::MaxSpeed, id(0), 1.0e-3).unwrap();
    crowd.set_species(&Species::new("guard", 1)).unwrap();
    crowd.set_species(&guard(150.0)).unwrap();
    crowd.set_all(Vector::Position, AgentOrder::Id, &[[48.0; 2], [0.0; 2], [0.0; 2]]).unwrap();
    let velocities = [[0.0; 2], [0.3, 0.0], [0.0; 2]];
    crowd.set_all(Vector::Velocity, AgentOrder::Id, &velocities).unwrap();
    // An agent with the largest speed, 150, moves 1e7 units in 66,667 s. In this time, the moving
    // boulder returns to where it is, but not in the 67,882 s that the guard needs.
    let exact = crowd.reference_step(id(0)).unwrap().force;
    for [x, y] in [exact.map(|along| along as f32), crowd.forces()[0]].map(|[x, y, _]| [x, y]) {
        assert!(x < 0.0 && (x / y - 1.0).abs() < 1.0e-2, "{x} {y}");
    }
    crowd.run(9).unwrap();
}

/// The refusal used to name the species instead of the agent, and a range from 0.
#[test]
fn a_refused_value_names_its_agent_and_the_whole_range() {
    let mut crowd = with_a_fast_one(10.0);
    let all: Vec<_> = crowd.ids_ascending().collect();
    let expected = "max_speed of agent #2.0 = 6001.0: must be from 0.001 to 6000 units/s: at most \
                    the shorter side of the torus per step";
    let values = [1.0, 2.0, 6_001.0];
    let mut slab = Slab::from_snapshot(&crowd.snapshot(), 0, 2).unwrap();
    for refusal in [
        crowd.set(Number::MaxSpeed, id(2), 6_001.0),
        crowd.set_many(Number::MaxSpeed, &all, &values),
        crowd.set_all(Number::MaxSpeed, AgentOrder::Id, &values),
        slab.set_many(Number::MaxSpeed, &all, &values),
    ] {
        assert_eq!(refusal.unwrap_err().to_string(), expected);
    }
    let said = |refusal: Result<(), Error>| refusal.unwrap_err().to_string();
    let slow = crowd.set(Number::MaxSpeed, id(2), 0.0);
    assert!(said(slow).starts_with("max_speed of agent #2.0 = 0.0: must be from 0.001 to 6000"));
    let outside = crowd.set(Vector::Position, id(1), [101.0, 0.0]);
    assert!(said(outside).starts_with("position.x of agent #1.0 = 101.0: must be from 0 to 100"));
    // In an open world, the parameter's own range applies.
    let species = Species::new("agent", 1).max_speed(10.0);
    let mut open = Scene::new(World::open(100.0, 100.0)).species(species.clone()).build().unwrap();
    let refusal = said(open.set(Number::MaxSpeed, id(0), 2.0e5));
    assert_eq!(refusal, "max_speed of agent #0.0 = 200000.0: must be from 0.001 to 100000 units/s");
    let scene = Scene::new(World::torus(100.0, 100.0)).species(species.max_speed(6_001.0));
    let refusal = scene.check().unwrap_err().to_string();
    assert!(refusal.starts_with("species[0].max_speed = 6001.0: must be from 0.001 to 6000"));
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(200)
    })]

    #[test]
    fn the_smallest_number_of_steps_that_a_refusal_names_is_accepted(
        side in (-1.0_f32..4.0).prop_map(|exponent| 10.0_f32.powf(exponent)),
        share in 1.0e-3_f32..=1.0,
        is_overridden: bool,
    ) {
        // All speeds are valid at 1e5 steps per second.
        let speed = (side * 1.0e5 * share).clamp(1.0e-3, 1.0e5);
        let slow = Species::new("agent", 1).max_speed(if is_overridden { 1.0e-3 } else { speed });
        let scene = Scene::new(World::torus(side, side)).steps_per_second(1.0e5).species(slow);
        let mut crowd = scene.build().unwrap();
        if is_overridden {
            crowd.set(Number::MaxSpeed, id(0), speed).unwrap();
        }
        prop_assume!(speed > side);
        let (_, allowed) = field_and_allowed(&crowd.edit(|scene| scene.steps_per_second = 1.0).unwrap_err());
        let least = allowed.split_whitespace().nth(2).unwrap().parse().unwrap();
        prop_assert!(crowd.edit(|scene| scene.steps_per_second = least).is_ok(), "{allowed}");
        prop_assert!(crowd.edit(|scene| scene.steps_per_second = least * 0.99 - 1.0e-3).is_err(), "{allowed}");
    }
}

/// Regression: each value above all earlier ones fitted the columns of all agents again.
#[test]
fn limits_raised_agent_by_agent_are_those_written_at_once() {
    let scene = variety(500).remove(0).1;
    let (mut one_by_one, mut at_once) = (scene.build().unwrap(), scene.build().unwrap());
    let ids: Vec<_> = at_once.ids_ascending().collect();
    for (number, base) in [(Number::MaxSpeed, 50.0), (Number::Radius, 1.0)] {
        let values: Vec<f32> = (0..ids.len()).map(|k| base + k as f32 * 1.0e-4).collect();
        at_once.set_many(number, &ids, &values).unwrap();
        for (&id, &value) in ids.iter().zip(&values) {
            one_by_one.set(number, id, value).unwrap();
        }
    }
    assert!(one_by_one.snapshot().to_bytes() == at_once.snapshot().to_bytes());
}
