use std::collections::HashMap;

use flockwork::behaviors::{Alignment, Arrive, Deceleration, Seek};
use flockwork::{AgentId, Locomotion, Method, Scene, Simulation, Species, World};

use crate::common::agents::{CALM, flat, id, ids, one, place, position, resting};
use crate::common::measures::distance;
use crate::common::scenes::{flock, open};
use crate::common::variants::Variant;

fn angle(from: [f32; 2], to: [f32; 2]) -> f64 {
    let ([a, b], [c, d]) = (from.map(f64::from), to.map(f64::from));
    (a * d - b * c).atan2(a * c + b * d)
}

fn alone(species: Species, steps_per_second: f32) -> (Simulation, AgentId) {
    let scene = Scene::new(World::open(1.0e3, 1.0e3)).species(species);
    let mut simulation = scene.steps_per_second(steps_per_second).build().unwrap();
    let id = place(&mut simulation, [0.0, 0.0]);
    (simulation, id)
}

#[test]
fn the_turn_rate_is_kept_at_any_rate_and_step() {
    for method in Method::ALL {
        for locomotion in [Locomotion::PointMass, Locomotion::ConstantSpeed] {
            for (rate, steps_per_second) in [
                (0.0, 60.0),
                (1.0e-3, 60.0),
                (0.01, 60.0),
                (0.1, 60.0),
                (1.0, 60.0),
                (std::f32::consts::PI, 60.0),
                (20.0, 60.0),
                (100.0, 60.0),
                (1.6, 1.0),
                (3.1, 1.0),
                (1.0, 1.0e3),
                (3.0, 1.0e4),
                (3.0, 1.0e5),
            ] {
                // Distant targets behind and to the side keep the desired turn constant.
                for target in [[-1.0e6, 1.0e3], [0.0, 1.0e6], [1.0e6, -1.0e5]] {
                    for max_force in [3.0, 400.0, 1.0e6] {
                        let species = Species { locomotion, ..Species::new("agent", 0) }
                            .max_turn_rate(rate)
                            .max_force(max_force)
                            .behavior(Seek { weight: 1.0e4, target: target.into() });
                        let (mut simulation, id) = alone(species, steps_per_second);
                        simulation.set_execution(simulation.execution().method(method)).unwrap();
                        let start = simulation.agent(id).unwrap().heading;
                        let limit = f64::from(rate) / f64::from(steps_per_second);
                        for step in 1..=20 {
                            let old = simulation.agent(id).unwrap().heading;
                            simulation.step().unwrap();
                            let new = simulation.agent(id).unwrap().heading;
                            // Rounding changes a heading by about 1e-7.
                            let turned = angle(flat(old), flat(new)).abs();
                            assert!(
                                turned <= limit * 1.000_01 + 2.5e-7,
                                "{turned} rad, at most {limit} allowed; step {step}, {rate} rad/s, \
                                 {steps_per_second} steps/s, {locomotion:?}, {method:?}"
                            );
                        }
                        let end = simulation.agent(id).unwrap().heading;
                        let turned = angle(flat(start), flat(end)).abs();
                        if limit * 20.0 < 3.0 {
                            assert!(turned <= limit * 20.0 + 5.0e-6, "{turned} in 20 × {limit}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_turn_rate_is_never_exceeded() {
    let species = flock(200).max_turn_rate(2.0);
    let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(species).build().unwrap();
    for _ in 0..30 {
        let before: HashMap<AgentId, [f32; 3]> = ids(&simulation)
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
fn a_turn_limit_that_is_reached_is_used_in_full() {
    for (rate, steps_per_second) in [(1.0_f32, 60.0_f32), (0.05, 60.0), (3.0, 1.0e3), (3.0, 1.0e4)]
    {
        let species = Species { locomotion: Locomotion::ConstantSpeed, ..Species::new("agent", 0) }
            .max_turn_rate(rate)
            .max_force(1.0e7)
            .behavior(Seek { weight: 1.0e6, target: [0.0, 1.0e6].into() });
        let (mut simulation, id) = alone(species, steps_per_second);
        simulation.run(10).unwrap();
        let turned = angle([1.0, 0.0], flat(simulation.agent(id).unwrap().heading));
        let wanted = 10.0 * f64::from(rate / steps_per_second);
        assert!((turned / wanted - 1.0).abs() < 1.0e-2, "{turned} of {wanted} rad, {rate} rad/s");
    }
}

#[test]
fn an_agent_steered_straight_back_turns_left() {
    for variant in Variant::all() {
        // Off the axes, rounding puts the backward direction on either side.
        for degrees in (0..360_u16).step_by(7) {
            let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
            let species = Species::new("agent", 0)
                .max_turn_rate(3.0)
                .max_force(1.0e7)
                .behavior(Seek { weight: 1.0e6, target: [-1.0e6 * cos, -1.0e6 * sin].into() });
            let mut simulation = open([species]).steps_per_second(60.0).build().unwrap();
            variant.set(&mut simulation);
            let id = simulation.spawn("agent", [0.0, 0.0], [cos, sin]).unwrap();
            let before = flat(simulation.agent(id).unwrap().heading);
            simulation.step().unwrap();
            let turned = angle(before, flat(simulation.agent(id).unwrap().heading));
            assert!((turned - 0.05).abs() < 1.0e-6, "{turned} rad from {degrees}° by {variant:?}");
        }
    }
}

/// At 10 steps/s, the agent used to leave its target at 40 units/s in the first step.
#[test]
fn where_the_turn_rate_binds_braking_drives_no_agent_ahead() {
    for variant in Variant::all() {
        let target = [-1.0e5, 0.0].into();
        let seek = Seek { target, ..Seek::default() };
        let resting = resting("agent", [0.0, 0.0], 0.0).max_turn_rate(0.1).behavior(seek);
        let mut crowd = open([resting.clone()]).steps_per_second(10.0).build().unwrap();
        variant.set(&mut crowd);
        crowd.run(10).unwrap();
        let state = crowd.agent(id(0)).unwrap();
        assert_eq!((state.velocity, state.position), ([0.0; 3], [0.0; 3]), "it turns on the spot");
        assert!((angle([1.0, 0.0], flat(state.heading)) - 0.1).abs() < 1.0e-5, "{state:?}");

        // Braking that leaves some forward speed reduces it by 400 / 10, as without a turn limit.
        let Species { start, .. } = one("agent", [0.0, 0.0], 0.0);
        let mut crowd =
            open([Species { start, ..resting }]).steps_per_second(10.0).build().unwrap();
        variant.set(&mut crowd);
        crowd.step().unwrap();
        let [vx, vy, _] = crowd.agent(id(0)).unwrap().velocity;
        assert!((vx - 110.0).abs() < 1.0e-3 && vy.abs() < 1.0e-3, "{vx}, {vy}");
    }
}

/// A step's force would give the agent 600 units/s to the left, but it turns by only 0.1 rad.
#[test]
fn the_highest_speed_limits_an_agent_after_its_turn() {
    for variant in Variant::all() {
        let seek = Seek { weight: 240.0, target: [0.5e6, 0.9e6].into() };
        let agent = resting("agent", [0.0, 0.0], 0.0).max_turn_rate(6.0).max_force(1.0e6);
        let mut crowd = open([agent.behavior(seek)]).build().unwrap();
        variant.set(&mut crowd);
        crowd.step().unwrap();
        let [vx, vy, _] = crowd.agent(id(0)).unwrap().velocity;
        let off = distance([vx, vy], [150.0 * 0.1_f32.cos(), 150.0 * 0.1_f32.sin()]);
        assert!(off < 1.0e-3, "({vx}, {vy}) by {variant:?}");
    }
}

#[test]
fn constant_speed_stays_constant_under_any_force() {
    for max_force in [0.0, 1.0, 400.0, 1.0e9] {
        let species = Species { locomotion: Locomotion::ConstantSpeed, ..flock(300) }
            .max_force(max_force)
            .max_speed(80.0);
        let scene = Scene::new(World::torus(400.0, 300.0)).species(species);
        let mut simulation = scene.build().unwrap();
        for _ in 0..60 {
            simulation.step().unwrap();
            for [vx, vy, _] in simulation.agents().velocities() {
                assert!((vx.hypot(vy) / 80.0 - 1.0).abs() < 1.0e-6);
            }
        }
    }
}

#[test]
fn an_agent_at_rest_keeps_its_heading() {
    let at_rest = Arrive {
        weight: 1.0,
        target: [0.0, 0.0].into(),
        deceleration: Deceleration::Fast,
        ..Arrive::default()
    };
    let (mut simulation, id) =
        alone(Species::new("agent", 0).max_force(1.0e9).behavior(at_rest), 1.0);
    for _ in 0..3_000 {
        simulation.step().unwrap();
        let state = simulation.agent(id).unwrap();
        assert!((state.heading[0].hypot(state.heading[1]) - 1.0).abs() < 1.0e-6, "{state:?}");
    }
    let species = Species::new("agent", 0)
        .max_speed(1.0e-3)
        .behavior(Alignment { weight: 0.0, ..Alignment::default() });
    let mut simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
    let pair = [[0.0, 0.0], [1.0, 0.0]].map(|at| place(&mut simulation, at));
    simulation.run(100).unwrap();
    for id in pair {
        assert_eq!(simulation.agent(id).unwrap().heading, [1.0, 0.0, 0.0]);
    }
}

#[test]
fn slow_agents_head_where_they_move_down_to_the_speed_of_rest() {
    // One step pushes an agent, at rest and headed right, toward (3, 4) up to `speed`.
    let heading_at = |speed: f32, method| {
        let target = [3.0e6, 4.0e6].into();
        let agent = resting("agent", [0.0, 0.0], 0.0).max_speed(1.0);
        let scene = open([agent.behavior(Seek { weight: speed * 60.0, target })]);
        let mut simulation = scene.build().unwrap();
        simulation.set_execution(simulation.execution().method(method)).unwrap();
        let expected = simulation.reference_step(id(0)).unwrap();
        simulation.step().unwrap();
        let state = simulation.agent(id(0)).unwrap();
        let reached = state.velocity[0].hypot(state.velocity[1]);
        assert!((reached / speed - 1.0).abs() < 1.0e-5, "{reached} instead of {speed}");
        for axis in 0..2 {
            let off = f64::from(state.heading[axis]) - expected.heading[axis];
            assert!(off.abs() < 2.0e-7, "the reference has {:?} at {speed}", expected.heading);
        }
        for axis in 0..2 {
            let off = f64::from(state.heading[axis]) - expected.heading[axis];
            assert!(off.abs() < 2.0e-7, "the reference has {:?} at {speed}", expected.heading);
        }
        state.heading
    };
    for method in Method::ALL {
        for speed in [1.0e-5, 5.0e-5, 9.0e-5, 9.99e-5] {
            assert_eq!(heading_at(speed, method), [1.0, 0.0, 0.0], "{speed} is at rest");
        }
        for speed in [1.001e-4, 1.1e-4, 1.5e-4, 2.0e-4, 5.0e-4, 1.0e-3, 3.0e-3, 1.0e-2, 0.03, 0.1] {
            let [x, y, _] = heading_at(speed, method);
            let off = (x - 0.6).hypot(y - 0.8);
            assert!(off < 2.0e-7, "{x}, {y} at {speed} units/s by {method:?}");
        }
    }
}

#[test]
fn force_over_mass_changes_the_velocity_and_that_the_position() {
    let after = |weight: f32, steps: u64| {
        let seek = Seek { weight, target: [0.0, 1.0e6].into() };
        let agent = resting("agent", [0.0, 0.0], 0.0).max_speed(100.0).max_force(1.0e6).mass(2.0);
        let mut simulation = open([agent.behavior(seek)]).steps_per_second(4.0).build().unwrap();
        simulation.run(steps).unwrap();
        simulation.agent(id(0)).unwrap()
    };
    // Force 400, acceleration 200, velocity 50; then force 200, velocity 75. The last velocity is
    // clamped to 100.
    for (weight, steps, speed, y) in
        [(4.0, 1, 50.0, 12.5), (4.0, 2, 75.0, 31.25), (16.0, 1, 100.0, 25.0)]
    {
        let state = after(weight, steps);
        assert!(distance(flat(state.velocity), [0.0, speed]) < 1.0e-3, "{state:?}");
        assert!(distance(flat(state.position), [0.0, y]) < 1.0e-3, "the new velocity: {state:?}");
        assert!(
            distance(flat(state.heading), [0.0, 1.0]) < 1.0e-6,
            "along the velocity: {state:?}"
        );
    }
}

#[test]
fn the_same_steering_drives_any_locomotion() {
    let car = Locomotion::CarLike { throttle: 80.0, brake: 80.0, steering: 120.0 };
    for locomotion in [Locomotion::PointMass, Locomotion::ConstantSpeed, car] {
        for max_turn_rate in [None, Some(2.0)] {
            let seek = Seek { weight: CALM, target: [-300.0, 200.0].into() };
            let agent = one("agent", [0.0, 0.0], 0.0).max_speed(80.0).behavior(seek);
            let agent = Species { locomotion, max_turn_rate, ..agent };
            let mut simulation = open([agent]).build().unwrap();
            let gets_there = (0..1_200).any(|_| {
                simulation.step().unwrap();
                distance(position(&simulation, 0), [-300.0, 200.0]) < 10.0
            });
            assert!(gets_there, "{locomotion:?}, {max_turn_rate:?}");
        }
    }
}

#[test]
fn motion_per_second_does_not_depend_on_the_length_of_a_step() {
    let after_two_seconds = |steps_per_second: u16| {
        let seek = Seek { weight: 2.0, target: [200.0, 300.0].into() };
        let agent = one("agent", [0.0, 0.0], 0.0).behavior(seek);
        let scene = open([agent]).steps_per_second(f32::from(steps_per_second));
        let mut simulation = scene.build().unwrap();
        simulation.run(2 * u64::from(steps_per_second)).unwrap();
        position(&simulation, 0)
    };
    let usual = after_two_seconds(60);
    assert!(distance(usual, [0.0, 0.0]) > 100.0, "{usual:?}");
    for steps_per_second in [30, 120, 240] {
        let other = after_two_seconds(steps_per_second);
        // Tolerance: part of a step at up to 150 units/s.
        assert!(distance(usual, other) < 5.0, "{other:?}, not {usual:?}");
    }
}
