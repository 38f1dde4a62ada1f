//! The behaviors that need no one else reach their purpose, and so do the flocking rules.

mod common;

use common::{ids, place};
use flockwork::{
    Alignment, Arrive, Behavior, Cohesion, Deceleration, Error, Flee, Scene, Seek, Separation,
    Simulation, Species, Wander, World,
};

const TARGET: [f32; 2] = [500.0, 400.0];

fn alone(behavior: impl Into<Behavior>) -> (Simulation, flockwork::AgentId) {
    let species = Species::new("agent", 0).steer(behavior);
    let mut simulation = Scene::new(World::torus(1000.0, 800.0)).species(species).build().unwrap();
    let id = place(&mut simulation, [200.0, 200.0]);
    (simulation, id)
}

fn distance_to(simulation: &Simulation, id: flockwork::AgentId, [x, y]: [f32; 2]) -> f32 {
    let [px, py] = simulation.agent(id).unwrap().position;
    (px - x).hypot(py - y)
}

#[test]
fn seek_reaches_its_target_and_overshoots() {
    let (mut simulation, id) = alone(Seek { weight: 200.0, target: TARGET.into() });
    let nearest = (0..600)
        .map(|_| {
            simulation.step().unwrap();
            distance_to(&simulation, id, TARGET)
        })
        .fold(f32::MAX, f32::min);
    assert!(nearest < 3.0, "{nearest}");
    let [vx, vy] = simulation.agent(id).unwrap().velocity;
    assert!(vx.hypot(vy) > 20.0, "seek does not stop");
}

#[test]
fn seek_takes_the_short_way_across_the_seam() {
    let (mut simulation, id) = alone(Seek { weight: 200.0, target: [990.0, 200.0].into() });
    simulation.run(60).unwrap();
    let [x, _] = simulation.agent(id).unwrap().position;
    assert!(!(200.0..=800.0).contains(&x), "turned back across the seam: {x}");
}

#[test]
fn arrive_stops_on_the_point_without_orbiting() {
    for deceleration in [Deceleration::Fast, Deceleration::Normal, Deceleration::Slow] {
        let (mut simulation, id) =
            alone(Arrive { weight: 1.0, target: TARGET.into(), deceleration });
        simulation.run(3_000).unwrap();
        assert!(distance_to(&simulation, id, TARGET) < 0.1, "{deceleration:?}");
        let [vx, vy] = simulation.agent(id).unwrap().velocity;
        assert!(vx.hypot(vy) < 0.1, "{deceleration:?}");
    }
}

#[test]
fn flee_stops_caring_at_the_panic_distance() {
    let danger = [230.0, 210.0];
    let (mut simulation, id) =
        alone(Flee { weight: 200.0, target: danger.into(), panic_distance: Some(150.0) });
    let start = simulation.agent(id).unwrap().velocity;
    simulation.step().unwrap();
    assert_ne!(simulation.agent(id).unwrap().velocity, start, "it steers while it is near");
    let calm = (0..300).find(|_| {
        simulation.step().unwrap();
        distance_to(&simulation, id, danger) > 150.0
    });
    assert!(calm.is_some(), "it gets away");
    for _ in 0..10 {
        assert_eq!(simulation.forces(), [[0.0, 0.0]], "no force out there");
        simulation.step().unwrap();
    }
}

#[test]
fn alignment_aligns() {
    let species =
        Species::new("agent", 150).view_distance(150.0).steer(Alignment { weight: 200.0 });
    let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(species).build().unwrap();
    assert!(simulation.alignment_order() < 0.3);
    simulation.run(300).unwrap();
    assert!(simulation.alignment_order() > 0.95, "{}", simulation.alignment_order());
}

#[test]
fn the_flock_scene_aligns_and_stays_aligned() {
    let mut simulation = Scene::named("flock").unwrap().build().unwrap();
    assert!(simulation.alignment_order() < 0.2);
    simulation.run(900).unwrap();
    for _ in 0..10 {
        simulation.run(30).unwrap();
        assert!(simulation.alignment_order() > 0.7, "{}", simulation.alignment_order());
    }
}

#[test]
fn cohesion_gathers_and_separation_spreads() {
    let crowd = |behavior: Behavior| {
        let species = Species::new("agent", 80).view_distance(120.0).steer(behavior);
        let scene = Scene::new(World::torus(240.0, 240.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(400).unwrap();
        nearest_neighbors(&simulation)
    };
    let gathered = crowd(Cohesion { weight: 200.0, normalized: true }.into());
    let spread = crowd(Separation { weight: 2_000.0 }.into());
    assert!(spread > 2.0 * gathered, "{spread} against {gathered}");
}

/// The mean distance to the nearest other agent, on a torus.
fn nearest_neighbors(simulation: &Simulation) -> f32 {
    let positions: Vec<[f32; 2]> =
        ids(simulation).iter().map(|&id| simulation.agent(id).unwrap().position).collect();
    let size = simulation.world_size();
    let distance = |a: [f32; 2], b: [f32; 2]| {
        let way = [0, 1].map(|axis| {
            let way = (a[axis] - b[axis]).abs();
            way.min(size[axis] - way)
        });
        way[0].hypot(way[1])
    };
    let nearest = |k: usize| {
        let others = positions.iter().enumerate().filter(|(other, _)| *other != k);
        others.map(|(_, &other)| distance(positions[k], other)).fold(f32::MAX, f32::min)
    };
    (0..positions.len()).map(nearest).sum::<f32>() / positions.len() as f32
}

#[test]
fn wander_turns_without_losing_speed() {
    let (mut simulation, id) = alone(Wander::default());
    let start = simulation.agent(id).unwrap().heading;
    let mut largest_turn = 0.0_f32;
    for _ in 0..600 {
        simulation.step().unwrap();
        let heading = simulation.agent(id).unwrap().heading;
        largest_turn = largest_turn.max(1.0 - (start[0] * heading[0] + start[1] * heading[1]));
    }
    let [vx, vy] = simulation.agent(id).unwrap().velocity;
    assert!(largest_turn > 0.5, "it wanders off: {largest_turn}");
    assert!(vx.hypot(vy) > 100.0, "it keeps going");
}

#[test]
fn a_more_important_behavior_that_takes_all_force_leaves_none_for_wander() {
    let seek = || Seek { weight: 1.0e6, target: TARGET.into() };
    let run = |species: Species| {
        let scene = Scene::new(World::torus(1000.0, 800.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(1).unwrap();
        let at = |id| simulation.agent(id).unwrap().velocity;
        (0..20).map(|index| at(flockwork::AgentId { index, generation: 0 })).collect::<Vec<_>>()
    };
    let alone = run(Species::new("a", 20).steer(seek()));
    let with_wander = run(Species::new("a", 20).steer(seek()).steer(Wander::default()));
    let wander_first = run(Species::new("a", 20).steer(Wander::default()).steer(seek()));
    assert_eq!(alone, with_wander);
    assert_ne!(alone, wander_first);
}

#[test]
fn an_agent_that_runs_off_is_refused_and_the_last_state_kept() {
    let species = Species::new("agent", 0).max_speed(1.0e5);
    let mut simulation = Scene::new(World::open(100.0, 100.0)).species(species).build().unwrap();
    let edge = flockwork::COORDINATE_LIMIT;
    let calm = simulation.spawn("agent", [0.0, 0.0], [1.0, 0.0]).unwrap();
    let doomed = simulation.spawn("agent", [edge, 0.0], [1.0, 0.0]).unwrap();
    let before = simulation.state_hash();
    let Err(Error::Runaway { id, tick: 0, .. }) = simulation.step() else {
        panic!("the step has to be refused")
    };
    assert_eq!(id, doomed.to_string());
    assert_eq!(simulation.state_hash(), before);
    assert_eq!(simulation.tick(), 0);
    simulation.remove(doomed).unwrap();
    simulation.run(5).unwrap();
    assert!(simulation.agent(calm).is_ok());
}
