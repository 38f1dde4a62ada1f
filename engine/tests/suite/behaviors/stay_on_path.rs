//! Stay-on-path keeps agents in the tube around its path.

use flockwork::{Path, Species, Start, StartPlace, StayOnPath, Wander};

use crate::common::agents::position;
use crate::common::measures::distance_to_line;
use crate::common::scenes::open;

const WAYPOINTS: [[f32; 2]; 5] =
    [[200.0, 0.0], [300.0, 200.0], [100.0, 300.0], [400.0, 400.0], [0.0, 500.0]];

#[test]
fn staying_on_a_path_keeps_wanderers_in_the_tube() {
    let run = |stays: bool| {
        let stay =
            StayOnPath { weight: 200.0, path: "way".into(), radius: 30.0, ..StayOnPath::default() };
        let place = StartPlace::Circle { center: [200.0, 0.0], radius: 20.0 };
        let start = Start { place, ..Start::default() };
        let mut species = Species { start, ..Species::new("agents", 50).max_speed(60.0) };
        if stays {
            species = species.steer(stay);
        }
        let mut scene = open([species.steer(Wander { weight: 20.0, ..Wander::default() })]);
        let path = Path { name: "way".into(), points: WAYPOINTS.to_vec(), closed: true };
        scene.paths.push(path);
        let mut simulation = scene.build().unwrap();
        let off_path = |at: [f32; 2]| {
            let legs = (0..5).map(|k| [WAYPOINTS[k], WAYPOINTS[(k + 1) % 5]]);
            legs.map(|leg| distance_to_line(at, leg)).fold(f32::MAX, f32::min)
        };
        simulation.run(300).unwrap();
        let (mut outside, mut furthest) = (0_u32, 0.0_f32);
        for _ in 0..1_800 {
            simulation.step().unwrap();
            for agent in 0..50 {
                let off = off_path(position(&simulation, agent));
                outside += u32::from(off > 30.0);
                furthest = furthest.max(off);
            }
        }
        (f64::from(outside) / (50.0 * 1_800.0), furthest)
    };
    let (rate, furthest) = run(true);
    assert!(rate < 0.01 && furthest < 45.0, "{rate} of agent-steps outside, up to {furthest}");
    let (without, _) = run(false);
    assert!(without > 0.5, "without it they leave the path: {without}");
}
