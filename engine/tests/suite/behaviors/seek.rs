use flockwork::behaviors::Seek;

use crate::common::agents::{CALM, alone, flat, force, id, one, position};
use crate::common::measures::distance;
use crate::common::scenes::open;

const TARGET: [f32; 2] = [500.0, 400.0];

#[test]
fn seek_reaches_its_target_and_overshoots() {
    let (mut simulation, id) = alone(Seek { weight: 200.0, target: TARGET.into() });
    let nearest = (0..600)
        .map(|_| {
            simulation.step().unwrap();
            distance(flat(simulation.agent(id).unwrap().position), TARGET)
        })
        .fold(f32::MAX, f32::min);
    assert!(nearest < 3.0, "{nearest}");
    let [vx, vy, _] = simulation.agent(id).unwrap().velocity;
    assert!(vx.hypot(vy) > 20.0, "seek does not stop");
}

#[test]
fn seek_takes_the_short_way_across_the_seam() {
    let (mut simulation, id) = alone(Seek { weight: 200.0, target: [990.0, 200.0].into() });
    simulation.run(60).unwrap();
    let [x, _, _] = simulation.agent(id).unwrap().position;
    assert!(!(200.0..=800.0).contains(&x), "turned back across the seam: {x}");
}

#[test]
fn seek_is_the_wanted_velocity_less_the_present_one() {
    let seek = Seek { weight: 1.0, target: [30.0, 40.0].into() };
    let agent = one("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(seek);
    let force = force(&open([agent]).build().unwrap(), id(0));
    // 150 units/s toward (3, 4)/5, minus the current 150 units/s to the right.
    assert!(distance(force, [-60.0, 120.0]) < 1.0e-3, "{force:?}");
}

#[test]
fn seek_overshoots_by_the_ratio_of_speed_to_force() {
    let overshoot = |max_speed: f32, max_force: f32| {
        let seek = Seek { weight: CALM, target: [300.0, 0.0].into() };
        let agent = one("agent", [0.0, 0.0], 0.0).behavior(seek);
        let mut simulation = open([agent.clone()]).build().unwrap();
        simulation.step().unwrap();
        simulation.set_species(&agent.max_speed(max_speed).max_force(max_force)).unwrap();
        let beyond = (0..600).map(|_| {
            simulation.step().unwrap();
            position(&simulation, 0)[0] - 300.0
        });
        beyond.fold(0.0, f32::max)
    };
    let usual = overshoot(150.0, 400.0);
    // Expected overshoot: v²/2a = 28 units.
    assert!((20.0..35.0).contains(&usual), "{usual}");
    assert!(overshoot(150.0, 100.0) > 3.0 * usual);
    assert!(overshoot(75.0, 400.0) < usual / 3.0);
}
