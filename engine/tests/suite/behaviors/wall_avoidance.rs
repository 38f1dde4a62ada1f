//! Wall avoidance keeps agents off the walls that their feelers touch.

use flockwork::{Feelers, Species, Start, StartPlace, Wall, WallAvoidance, Wander};

use crate::common::agents::{force, id, position, strong};
use crate::common::measures::distance;
use crate::common::scenes::open;

/// The share of 200 wanderers that leave a closed room within a minute.
fn escape_rate(avoidance: Option<WallAvoidance>, speed: f32) -> f64 {
    let place = StartPlace::Box { low: [100.0, 100.0], high: [500.0, 400.0] };
    let mut species = Species {
        start: Start { place, ..Start::default() },
        ..Species::new("agents", 200).max_speed(speed)
    };
    species.behaviors.extend(avoidance.map(Into::into));
    let mut scene = open([species.steer(Wander { weight: 40.0, ..Wander::default() })]);
    let points = vec![[0.0, 0.0], [600.0, 0.0], [600.0, 300.0], [500.0, 500.0], [0.0, 500.0]];
    let room = points.clone();
    scene.walls.push(Wall { points, closed: true, two_sided: false });
    let mut simulation = scene.build().unwrap();
    let outside = |[x, y]: [f32; 2]| {
        (0..5).any(|k| {
            let ([ax, ay], [bx, by]) = (room[k], room[(k + 1) % 5]);
            (bx - ax) * (y - ay) < (by - ay) * (x - ax)
        })
    };
    let mut escaped = vec![false; 200];
    for _ in 0..3_600 {
        simulation.step().unwrap();
        for (agent, escaped) in (0..).zip(&mut escaped) {
            *escaped |= outside(position(&simulation, agent));
        }
    }
    escaped.iter().filter(|&&escaped| escaped).count() as f64 / 200.0
}

#[test]
fn wall_avoidance_keeps_wanderers_in_a_closed_room_with_either_kind_of_feelers() {
    let alone = escape_rate(None, 100.0);
    assert!(alone > 0.9, "without it nearly all get out: {alone}");
    for feelers in [Feelers::Three, Feelers::Sweeping] {
        let avoidance = || Some(WallAvoidance { feelers, ..WallAvoidance::default() });
        let rate = escape_rate(avoidance(), 100.0);
        assert!(rate <= 0.01, "{rate} got out, {feelers:?}");
    }
    // At the book's speed, stopping takes 28 units: as long as the feelers aside.
    let fast = escape_rate(Some(WallAvoidance::default()), 150.0);
    assert!(fast <= 0.2, "{fast} got out at full speed");
}

#[test]
fn defect_08_the_feeler_that_touches_the_wall_gives_the_force() {
    // The wall is 10 ahead: the feeler ahead, of length 40, passes it by 30. The feelers aside
    // touch it further away.
    let mut scene = open([strong(WallAvoidance { weight: 1.0, ..WallAvoidance::default() })]);
    let points = vec![[10.0, -100.0], [10.0, 100.0]];
    scene.walls.push(Wall { points, ..Wall::default() });
    let [along, across] = force(&mut scene.build().unwrap(), id(0));
    assert!((along + 30.0).abs() < 1.0e-4 && across == 0.0, "{along}, {across}");
    // The source measures from the last feeler's tip to the first one's hit.
    let tip = 20.0 * std::f32::consts::FRAC_1_SQRT_2;
    let source = distance([tip, -tip], [10.0, 0.0]);
    assert!(source < 15.0, "{source}");
}
