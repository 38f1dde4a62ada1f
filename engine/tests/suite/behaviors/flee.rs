//! Flee gets away from its target.

use flockwork::Flee;

use crate::common::agents::alone;
use crate::common::measures::distance;

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
        distance(simulation.agent(id).unwrap().position, danger) > 150.0
    });
    assert!(calm.is_some(), "it gets away");
    for _ in 0..10 {
        assert_eq!(simulation.forces(), [[0.0, 0.0]], "no force out there");
        simulation.step().unwrap();
    }
}
