use flockwork::behaviors::Flee;

use crate::common::agents::{alone, flat, force, id, one};
use crate::common::measures::distance;
use crate::common::scenes::open;

#[test]
fn flee_stops_beyond_the_panic_distance() {
    let danger = [230.0, 210.0];
    let (mut simulation, id) =
        alone(Flee { weight: 200.0, target: danger.into(), panic_distance: Some(150.0) });
    let start = simulation.agent(id).unwrap().velocity;
    simulation.step().unwrap();
    assert_ne!(simulation.agent(id).unwrap().velocity, start, "it steers while it is near");
    let calm = (0..300).find(|_| {
        simulation.step().unwrap();
        distance(flat(simulation.agent(id).unwrap().position), danger) > 150.0
    });
    assert!(calm.is_some(), "it gets away");
    for _ in 0..10 {
        assert_eq!(simulation.forces(), [[0.0; 3]], "no force out there");
        simulation.step().unwrap();
    }
}

#[test]
fn flee_is_seek_turned_round_within_the_panic_distance() {
    for (panic_distance, acts) in [(None, true), (Some(50.1), true), (Some(49.9), false)] {
        let flee = Flee { weight: 1.0, target: [30.0, 40.0].into(), panic_distance };
        let agent = one("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(flee);
        let force = force(&open([agent]).build().unwrap(), id(0));
        // 150 units/s away from (3, 4)/5, minus the current 150 units/s to the right.
        let expected = if acts { [-240.0, -120.0] } else { [0.0, 0.0] };
        assert!(distance(force, expected) < 1.0e-3, "{force:?}, {panic_distance:?}");
    }
}
