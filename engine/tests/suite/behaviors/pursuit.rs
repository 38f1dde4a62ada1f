//! Pursuit heads for where its evader will be.

use flockwork::{Behavior, Pursuit, Seek, Simulation, Target};

use crate::common::agents::{id, one, position, resting};
use crate::common::measures::distance;
use crate::common::scenes::open;

/// Steps until agents 0 and 1 are within 5 units of each other.
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
                open([one("hunter", [0.0, 0.0], 0.0).steer(behavior), evader.clone()])
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
    // 10° off head-on: where it is; 30° off: where it will be.
    for (off, straight) in [(10.0, true), (30.0, false)] {
        let hunter = resting("hunter", [0.0, 0.0], 0.0).max_force(1.0e6).steer(pursuit.clone());
        let mut simulation =
            open([hunter, one("evader", [300.0, 0.0], 180.0 - off)]).build().unwrap();
        let [_, across] = simulation.explain(id(0)).unwrap().force;
        assert_eq!(across == 0.0, straight, "{across}");
    }
}
