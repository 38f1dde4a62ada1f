use flockwork::behaviors::{Pursuit, Seek};
use flockwork::inspect::{Feature, Shape};
use flockwork::{Behavior, Simulation, Target};

use crate::common::agents::{flat, id, one, position, resting};
use crate::common::measures::distance;
use crate::common::scenes::open;

/// Number of steps until agents 0 and 1 are within 5 units of each other.
fn caught(mut simulation: Simulation) -> usize {
    let near = |s: &Simulation| distance(position(s, 0), position(s, 1)) < 5.0;
    let step = (1..3_000).find(|_| {
        simulation.step().unwrap();
        near(&simulation)
    });
    step.expect("the evader is slower")
}

#[test]
fn pursuit_catches_a_slower_evader_sooner_than_seek_does() {
    for evader_heading in [45.0, 90.0, 120.0, -70.0] {
        let evader = one("evader", [300.0, 0.0], evader_heading).max_speed(100.0);
        let hunt = |behavior: Behavior| {
            caught(
                open([one("hunter", [0.0, 0.0], 0.0).behavior(behavior), evader.clone()])
                    .build()
                    .unwrap(),
            )
        };
        let target = Target::member("evader", 0);
        let seek = hunt(Seek { weight: 200.0, target: target.clone() }.into());
        let pursuit = hunt(Pursuit { evader: target, ..Pursuit::default() }.into());
        assert!(pursuit < seek, "{pursuit} against {seek} steps, {evader_heading}°");
    }
}

#[test]
fn pursuit_heads_straight_for_an_evader_that_comes_straight_on() {
    let target = Target::member("evader", 0);
    let pursuit = Pursuit { weight: 1.0, evader: target, turnaround: 0.0 };
    // At 10° off head-on, pursuit seeks the present position; at 30°, the predicted position.
    for (off, straight) in [(10.0, true), (30.0, false)] {
        let hunter = resting("hunter", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(pursuit.clone());
        let simulation = open([hunter, one("evader", [300.0, 0.0], 180.0 - off)]).build().unwrap();
        let [_, across, _] = simulation.explain(id(0)).unwrap().force;
        assert_eq!(across == 0.0, straight, "{across}");
    }
}

/// An evader 300 units to the right heads up at 100 units/s; both meet in 300/(150 + 100) s.
#[test]
fn pursuit_predicts_by_distance_over_both_speeds_and_the_time_to_turn_round() {
    for (degrees, turnaround, seconds) in [
        (0.0, 0.0, 1.2),
        // A half-turn takes one second, a quarter-turn half a second.
        (180.0, 0.5, 1.2 + 1.0),
        (90.0, 0.5, 1.2 + 0.5),
        (0.0, 0.5, 1.2),
    ] {
        let pursuit = Pursuit { weight: 1.0, evader: Target::member("evader", 0), turnaround };
        let hunter = resting("hunter", [0.0, 0.0], degrees).max_force(1.0e6).behavior(pursuit);
        let evader = one("evader", [300.0, 0.0], 90.0).max_speed(100.0);
        let simulation = open([hunter, evader]).build().unwrap();
        let why = simulation.explain(id(0)).unwrap();
        let marks = &why.contributions[0].marks;
        let predicted = marks.iter().find_map(|mark| match mark.shape {
            Shape::Point(at) if mark.feature == Feature::Predicted => Some(at),
            _ => None,
        });
        let expected = [300.0, 100.0 * seconds];
        assert!(distance(flat(predicted.unwrap()), expected) < 1.0e-2, "{predicted:?}, {degrees}°");
        let full_speed = expected.map(|part| part * 150.0 / expected[0].hypot(expected[1]));
        assert!(distance(flat(why.force), full_speed) < 1.0e-2, "it seeks that: {:?}", why.force);
    }
}

/// The prediction assumes that both agents head for each other, so the predicted meeting is too
/// early for an evader that crosses the pursuer's path.
#[test]
fn pursuit_misses_a_faster_evader_that_passes_although_it_could_meet_it() {
    let missed_by = |off: f32| {
        let angle = (180.0 - off).to_radians();
        let evader_at =
            |time: f32| [400.0 + 225.0 * angle.cos() * time, 225.0 * angle.sin() * time];
        let meets = |time: f32| evader_at(time)[0].hypot(evader_at(time)[1]) <= 150.0 * time;
        assert!((0..400).any(|k| meets(k as f32 * 0.01)), "{off}°: out of reach");

        let target = Target::member("evader", 0);
        let pursuit = Pursuit { evader: target, ..Pursuit::default() };
        let evader = one("evader", [400.0, 0.0], 180.0 - off).max_speed(225.0);
        let hunter = one("hunter", [0.0, 0.0], 0.0).behavior(pursuit);
        let mut simulation = open([hunter, evader]).build().unwrap();
        let distances = (0..240).map(|_| {
            simulation.step().unwrap();
            distance(position(&simulation, 0), position(&simulation, 1))
        });
        distances.fold(f32::MAX, f32::min)
    };
    for (off, missed) in [(15.0, 1.0), (30.0, 16.0), (35.0, 31.0), (40.0, 50.0)] {
        let found = missed_by(off);
        assert!((found - missed).abs() < 2.0, "{off}°: {found}, not {missed}");
    }
}
