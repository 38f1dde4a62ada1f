use flockwork::behaviors::Seek;
use flockwork::{AgentId, COORDINATE_LIMIT, ErrorKind, Locomotion, Scene, Species, World};

use crate::common::agents::place;
use crate::common::scenes::flock;
use crate::common::variants::Variant;

#[test]
fn a_runaway_is_refused_and_the_last_state_kept() {
    let species = Species::new("agent", 0).max_speed(1.0e5);
    let mut simulation = Scene::new(World::open(100.0, 100.0)).species(species).build().unwrap();
    let edge = COORDINATE_LIMIT;
    let calm = simulation.spawn("agent", [0.0, 0.0], [1.0, 0.0]).unwrap();
    let doomed = simulation.spawn("agent", [edge, 0.0], [1.0, 0.0]).unwrap();
    let before = simulation.state_hash();
    match simulation.step().unwrap_err().kind() {
        ErrorKind::Runaway { id, tick: 0, .. } => assert_eq!(*id, doomed),
        other => panic!("{other}"),
    }
    assert_eq!(simulation.state_hash(), before);
    assert_eq!(simulation.tick(), 0);
    simulation.remove(doomed).unwrap();
    simulation.run(5).unwrap();
    assert!(simulation.agent(calm).is_ok());
}

#[test]
fn the_refused_agent_is_named_by_every_method() {
    for variant in Variant::all() {
        for agents in 0..20 {
            let species = Species::new("agent", agents).max_speed(1.0e5);
            let scene = Scene::new(World::open(100.0, 100.0)).species(species);
            let mut simulation = scene.build().unwrap();
            variant.set(&mut simulation);
            let doomed = simulation.spawn("agent", [0.0, -COORDINATE_LIMIT], [0.0, -1.0]).unwrap();
            let before = simulation.state_hash();
            match simulation.run(5).unwrap_err().kind() {
                ErrorKind::Runaway { id, tick, at, .. } => {
                    assert_eq!((*id, *tick), (doomed, 0));
                    assert!(at[1] < -COORDINATE_LIMIT);
                }
                other => panic!("{other}"),
            }
            assert_eq!(simulation.state_hash(), before);
            // The second attempt shows that the refusal itself changes nothing.
            assert!(simulation.step().is_err());
            assert_eq!(simulation.state_hash(), before);
            simulation.neighbors(doomed).unwrap();
            simulation.remove(doomed).unwrap();
            simulation.run(2).unwrap();
        }
    }
}

#[test]
fn several_threads_refuse_the_same_runaway_as_one() {
    let species = Species::new("agent", 17_000).max_speed(10.0).view_distance(5.0);
    let scene = Scene::new(World::open(1.0e4, 1.0e4)).species(species);
    let mut simulation = scene.build().unwrap();
    simulation.set_execution(simulation.execution().threads(3)).unwrap();
    let limit = COORDINATE_LIMIT;
    let fast = Species::new("agent", 17_000).max_speed(1.0e4).view_distance(5.0);
    simulation.set_species(&fast).unwrap();
    let doomed: Vec<AgentId> = [[limit, 5.0], [-limit, 5.0], [7.0, limit]]
        .into_iter()
        .map(|at| simulation.spawn("agent", at, [at[0] - 7.0, at[1]]).unwrap())
        .collect();
    let before = simulation.state_hash();
    for runaway in doomed {
        match simulation.run(9).unwrap_err().kind() {
            ErrorKind::Runaway { id, .. } => assert_eq!(*id, runaway, "the first by id"),
            other => panic!("{other}"),
        }
        simulation.remove(runaway).unwrap();
    }
    assert_ne!(simulation.state_hash(), before);
    simulation.run(2).unwrap();
}

#[test]
fn steps_before_a_refused_one_are_taken() {
    let species = Species::new("agent", 0).max_speed(6.0e4);
    let mut simulation = Scene::new(World::open(100.0, 100.0)).species(species).build().unwrap();
    place(&mut simulation, [COORDINATE_LIMIT - 2_500.0, 0.0]);
    let error = simulation.run(100).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Runaway { tick: 2, .. }), "{error}");
    assert_eq!(simulation.tick(), 2);
}

#[test]
fn a_refused_step_does_not_change_what_follows() {
    let run = |try_to_step: bool| {
        let scene = Scene::new(World::open(300.0, 300.0)).species(flock(300));
        let mut simulation = scene.build().unwrap();
        simulation.run(30).unwrap();
        let limit = COORDINATE_LIMIT;
        let doomed = simulation.spawn("flock", [limit, 0.0], [1.0, 0.0]).unwrap();
        if try_to_step {
            simulation.step().unwrap_err();
            simulation.run(3).unwrap_err();
        }
        simulation.remove(doomed).unwrap();
        // Uses another grid, since the order of sums depends on the previous order of agents.
        simulation.set_species(&flock(300).view_distance(31.0)).unwrap();
        simulation.run(40).unwrap();
        simulation.state_hash()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn an_agent_that_is_turned_back_at_the_limit_is_not_refused() {
    // Lanes past the end of the crowd repeat its last agent, but without a force.
    for variant in Variant::all() {
        let species = Species::new("agent", 0)
            .max_force(1.0e9)
            .behavior(Seek { weight: 1.0e6, target: [0.0, 0.0].into() });
        let scene = Scene::new(World::open(100.0, 100.0)).species(species);
        let mut simulation = scene.build().unwrap();
        variant.set(&mut simulation);
        let id = place(&mut simulation, [COORDINATE_LIMIT, 0.0]);
        simulation.step().unwrap();
        assert!(simulation.agent(id).unwrap().position[0] < COORDINATE_LIMIT, "{variant:?}");
    }
}

#[test]
fn a_slow_agent_near_the_limit_is_not_refused_for_the_speed_of_another_species() {
    for variant in Variant::all() {
        let fast = Species {
            locomotion: Locomotion::ConstantSpeed,
            ..Species::new("fast", 0).max_speed(1.0e5)
        };
        let slow = Species::new("slow", 0).max_speed(1.0);
        let scene = Scene::new(World::open(100.0, 100.0)).species(fast).species(slow);
        let mut simulation = scene.build().unwrap();
        variant.set(&mut simulation);
        simulation.spawn("fast", [1.0e6, -1.0e6], [-1.0, 0.0]).unwrap();
        for y in [0.0, 1.0e6, COORDINATE_LIMIT] {
            simulation.spawn("slow", [COORDINATE_LIMIT - 10.0, y], [1.0, 0.0]).unwrap();
        }
        simulation.run(2).unwrap();
    }
}
