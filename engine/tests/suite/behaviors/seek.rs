//! Seek reaches its target.

use flockwork::Seek;

use crate::common::agents::alone;
use crate::common::measures::distance;

const TARGET: [f32; 2] = [500.0, 400.0];

#[test]
fn seek_reaches_its_target_and_overshoots() {
    let (mut simulation, id) = alone(Seek { weight: 200.0, target: TARGET.into() });
    let nearest = (0..600)
        .map(|_| {
            simulation.step().unwrap();
            distance(simulation.agent(id).unwrap().position, TARGET)
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
