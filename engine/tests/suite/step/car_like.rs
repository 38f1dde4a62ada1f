use flockwork::behaviors::{Arrive, Seek};
use flockwork::{Locomotion, Scene, Simulation, Species, World};

use crate::common::agents::{id, one, position, resting};
use crate::common::measures::distance;
use crate::common::scenes::flock;
use crate::common::variants::Variant;

const RATE: f32 = 60.0;

fn car(species: Species, [throttle, brake, steering]: [f32; 3]) -> Simulation {
    let locomotion = Locomotion::CarLike { throttle, brake, steering };
    let species = Species { locomotion, ..species }.max_force(1.0e5);
    Scene::new(World::open(1.0e3, 1.0e3)).species(species).build().unwrap()
}

fn seek(target: [f32; 2]) -> Seek {
    Seek { weight: 1.0e3, target: target.into() }
}

/// Change of velocity in a step, times mass / dt, along and across the old heading.
fn pushed(simulation: &mut Simulation, mass: f32) -> [f32; 2] {
    let before = simulation.agent(id(0)).unwrap();
    simulation.step().unwrap();
    let after = simulation.agent(id(0)).unwrap().velocity;
    let [x, y] = [0, 1].map(|axis| (after[axis] - before.velocity[axis]) * mass * RATE);
    let [hx, hy, _] = before.heading;
    [x * hx + y * hy, y * hx - x * hy]
}

/// Velocities near 100 are 8e-6 apart; times mass and rate, that is 1e-3.
fn about(value: f32, expected: f32) -> bool {
    (value - expected).abs() < 5.0e-3
}

#[test]
fn each_limit_holds_and_is_used_in_full() {
    for variant in Variant::all() {
        let push = |species: Species, target| {
            let species = species.mass(2.0).behavior(seek(target));
            let mut simulation = car(species, [100.0, 70.0, 40.0]);
            variant.set(&mut simulation);
            pushed(&mut simulation, 2.0)
        };
        let parked = || resting("car", [0.0, 0.0], 0.0);
        let driving = || one("car", [0.0, 0.0], 0.0).max_speed(50.0);
        let [along, across] = push(parked(), [1.0e5, 0.0]);
        assert!(about(along, 100.0) && about(across, 0.0), "throttle: {along}, {across}");
        let [along, across] = push(driving(), [-1.0e5, 0.0]);
        assert!(about(along, -70.0) && about(across, 0.0), "brake: {along}, {across}");
        let [along, across] = push(parked(), [1.0e5, 1.0e5]);
        assert!(about(along, 100.0) && about(across, 40.0), "steering left: {along}, {across}");
        let [along, across] = push(parked(), [1.0e5, -1.0e5]);
        assert!(about(along, 100.0) && about(across, -40.0), "steering right: {along}, {across}");
    }
}

#[test]
fn a_force_within_the_limits_is_untouched() {
    let run = |locomotion| {
        let target = [100.0, 80.0];
        let arrive = Arrive { weight: 2.0, target: target.into(), ..Arrive::default() };
        let species = one("car", [0.0, 0.0], 45.0).max_speed(50.0).behavior(arrive);
        let species = Species { locomotion, ..species };
        let mut simulation =
            Scene::new(World::open(1.0e3, 1.0e3)).species(species).build().unwrap();
        simulation.run(300).unwrap();
        position(&simulation, 0)
    };
    let limits = Locomotion::CarLike { throttle: 1.0e6, brake: 1.0e6, steering: 1.0e6 };
    let (car, point) = (run(limits), run(Locomotion::PointMass));
    // Splitting and joining a force rounds; this adds up over 300 steps.
    assert!(distance(car, point) < 1.0e-2, "{car:?} and {point:?}");
}

#[test]
fn limits_hold_in_every_step_of_a_drive_in_a_crowd() {
    let locomotion = Locomotion::CarLike { throttle: 80.0, brake: 200.0, steering: 120.0 };
    let species = Species { locomotion, ..flock(150) }.max_speed(100.0);
    let scene = Scene::new(World::torus(300.0, 300.0)).species(species);
    let mut simulation = scene.build().unwrap();
    for _ in 0..120 {
        let before: Vec<_> = (0..150).map(|k| simulation.agent(id(k)).unwrap()).collect();
        simulation.step().unwrap();
        for (k, before) in (0..).zip(before) {
            let after = simulation.agent(id(k)).unwrap().velocity;
            let [x, y] = [0, 1].map(|axis| (after[axis] - before.velocity[axis]) * RATE);
            let [hx, hy, _] = before.heading;
            let (along, across) = (x * hx + y * hy, y * hx - x * hy);
            // Besides the throttle, clamping the speed can decelerate by up to v·(1 − cos) of a
            // 120/60/100 rad turn, times the rate.
            assert!(along < 80.01 && along > -200.01 - 0.2, "{along}");
            assert!(across.abs() < 120.01, "{across}");
        }
    }
}

#[test]
fn a_car_without_steering_goes_straight_and_without_throttle_stays() {
    let target = [1.0e5, 1.0e5];
    let mut straight =
        car(resting("car", [0.0, 0.0], 0.0).behavior(seek(target)), [50.0, 50.0, 0.0]);
    straight.run(120).unwrap();
    let [x, y] = position(&straight, 0);
    assert!(x > 1.0 && y == 0.0, "{x}, {y}");
    let parked = resting("car", [0.0, 0.0], 0.0).behavior(seek([1.0e5, 0.0]));
    let mut parked = car(parked, [0.0, 50.0, 50.0]);
    parked.run(120).unwrap();
    assert_eq!(position(&parked, 0), [0.0, 0.0]);
}

#[test]
fn little_steering_makes_wide_turns() {
    // A half-turn at speed v with lateral acceleration a takes π·v/a.
    let half_turn = |steering: f32| {
        let species = one("car", [0.0, 0.0], 0.0).max_speed(50.0).behavior(seek([-1.0e5, 1.0e3]));
        let mut simulation = car(species, [50.0, 0.0, steering]);
        let step = (1..2_000).find(|_| {
            simulation.step().unwrap();
            simulation.agent(id(0)).unwrap().heading[0] < -0.99
        });
        step.unwrap() as f32 / RATE
    };
    for steering in [50.0, 100.0, 200.0] {
        let (seconds, expected) = (half_turn(steering), std::f32::consts::PI * 50.0 / steering);
        // The turn ends at a heading of −0.99, 4.5 % short of π, in steps of 1/60 s.
        assert!((seconds / expected - 0.955).abs() < 0.05, "{seconds} s, {expected} s expected");
    }
}
