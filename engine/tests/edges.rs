//! Agents at the limit of the plane: only those who would leave it are refused.

mod common;

use common::place;
use flockwork::{
    COORDINATE_LIMIT, Error, LaneWidth, Locomotion, Method, Scene, Seek, Species, World,
};

const METHODS: [Method; 4] = [
    Method::Kernels(LaneWidth::Four),
    Method::Kernels(LaneWidth::Eight),
    Method::Kernels(LaneWidth::Sixteen),
    Method::Reference,
];

#[test]
fn an_agent_that_is_turned_back_at_the_limit_is_not_refused() {
    // Lanes past the end of the crowd repeat its last agent, but have no force to turn back.
    for method in METHODS {
        let species = Species::new("agent", 0)
            .max_force(1.0e9)
            .steer(Seek { weight: 1.0e6, target: [0.0, 0.0].into() });
        let scene = Scene::new(World::open(100.0, 100.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.set_method(method);
        let id = place(&mut simulation, [COORDINATE_LIMIT, 0.0]);
        simulation.step().unwrap();
        assert!(simulation.agent(id).unwrap().position[0] < COORDINATE_LIMIT, "{method:?}");
    }
}

#[test]
fn a_slow_agent_near_the_limit_is_not_refused_for_the_speed_of_another_species() {
    for method in METHODS {
        let fast = Species {
            locomotion: Locomotion::ConstantSpeed,
            ..Species::new("fast", 0).max_speed(1.0e5)
        };
        let slow = Species::new("slow", 0).max_speed(1.0);
        let scene = Scene::new(World::open(100.0, 100.0)).species(fast).species(slow);
        let mut simulation = scene.build().unwrap();
        simulation.set_method(method);
        simulation.spawn("fast", [1.0e6, -1.0e6], [-1.0, 0.0]).unwrap();
        for y in [0.0, 1.0e6, COORDINATE_LIMIT] {
            simulation.spawn("slow", [COORDINATE_LIMIT - 10.0, y], [1.0, 0.0]).unwrap();
        }
        simulation.run(2).unwrap();
    }
}

#[test]
fn the_refused_agent_is_named_whatever_the_method() {
    for method in METHODS {
        for agents in 0..20 {
            let species = Species::new("agent", agents).max_speed(1.0e5);
            let scene = Scene::new(World::open(100.0, 100.0)).species(species);
            let mut simulation = scene.build().unwrap();
            simulation.set_method(method);
            let doomed = simulation.spawn("agent", [0.0, -COORDINATE_LIMIT], [0.0, -1.0]).unwrap();
            let before = simulation.state_hash();
            match simulation.run(5).unwrap_err() {
                Error::Runaway { id, tick, y, .. } => {
                    assert_eq!((id, tick), (doomed.to_string(), 0));
                    assert!(y < -COORDINATE_LIMIT);
                }
                other => panic!("{other}"),
            }
            assert_eq!(simulation.state_hash(), before);
            // And again: nothing is worn out by a refusal.
            assert!(simulation.step().is_err());
            assert_eq!(simulation.state_hash(), before);
            simulation.neighbors(doomed).unwrap();
            simulation.remove(doomed).unwrap();
            simulation.run(2).unwrap();
        }
    }
}

#[test]
fn steps_before_a_refused_one_are_taken() {
    let species = Species::new("agent", 0).max_speed(6.0e4);
    let mut simulation = Scene::new(World::open(100.0, 100.0)).species(species).build().unwrap();
    place(&mut simulation, [COORDINATE_LIMIT - 2_500.0, 0.0]);
    let Error::Runaway { tick, .. } = simulation.run(100).unwrap_err() else { panic!() };
    assert_eq!(tick, 2);
    assert_eq!(simulation.tick(), 2);
}

#[test]
fn positions_just_below_zero_wrap_into_the_torus() {
    // x = −ε: adding the width rounds to the width itself, which is 0.
    for width in [100.0_f32, 33.3, 1.0e7, 1.0e-3] {
        let speed = width.min(60.0) * 1.0e-3_f32.max(1.0e-3 / width);
        let species = Species::new("agent", 0).max_speed(speed.max(1.0e-3)).view_distance(1.0e-3);
        let scene = Scene::new(World::torus(width, width)).species(species);
        let mut simulation = scene.build().unwrap();
        for start in [0.0, f32::MIN_POSITIVE, width / 2.0, width] {
            simulation.spawn("agent", [start, start], [-1.0, -1.0e-7]).unwrap();
        }
        for _ in 0..50 {
            simulation.step().unwrap();
            for (&x, &y) in simulation.agents().x.iter().zip(simulation.agents().y) {
                assert!((0.0..width).contains(&x) && (0.0..width).contains(&y), "{x} {y} {width}");
            }
        }
    }
}

#[test]
fn agents_stop_at_the_walls_of_a_bounded_world_and_can_leave_them() {
    for locomotion in [Locomotion::PointMass, Locomotion::ConstantSpeed] {
        let species = Species { locomotion, ..Species::new("agent", 0) };
        let seek =
            |target: [f32; 2]| species.clone().steer(Seek { weight: 10.0, target: target.into() });
        let scene = Scene::new(World::bounded(100.0, 80.0)).species(seek([500.0, 40.0]));
        let mut simulation = scene.build().unwrap();
        let id = place(&mut simulation, [50.0, 40.0]);
        simulation.run(200).unwrap();
        assert_eq!(simulation.agent(id).unwrap().position[0], 100.0);
        simulation.set_species(&seek([10.0, 40.0])).unwrap();
        simulation.run(100).unwrap();
        assert!(simulation.agent(id).unwrap().position[0] < 60.0, "{locomotion:?}");
    }
}
