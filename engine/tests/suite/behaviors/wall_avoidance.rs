use std::sync::Arc;

use flockwork::behaviors::{Feelers, WallAvoidance, Wander};
use flockwork::{Scene, Species, Start, StartPlace, Wall};

use crate::common::agents::{force, id, position, resting, strong};
use crate::common::measures::distance;
use crate::common::scenes::open;

/// Fraction of 200 wanderers that leave a closed room within a minute.
fn escape_rate(avoidance: Option<WallAvoidance>, speed: f32) -> f64 {
    let place = StartPlace::Box { low: [100.0, 100.0].into(), high: [500.0, 400.0].into() };
    let mut species = Species {
        start: Start { place, ..Start::default() },
        ..Species::new("agents", 200).max_speed(speed)
    };
    species.behaviors.extend(avoidance.map(Into::into));
    let mut scene = open([species.behavior(Wander { weight: 40.0, ..Wander::default() })]);
    let points = vec![[0.0, 0.0], [600.0, 0.0], [600.0, 300.0], [500.0, 500.0], [0.0, 500.0]];
    let room = points.clone();
    Arc::make_mut(&mut scene.walls).push(Wall::new(points).closed());
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
    // At the book's speed, stopping takes 28 units, but the side feelers are only 20 units long.
    let fast = escape_rate(Some(WallAvoidance::default()), 150.0);
    assert!(fast <= 0.2, "{fast} got out at full speed");
}

#[test]
fn defect_08_the_feeler_that_touches_the_wall_gives_the_force() {
    // The wall is 10 units ahead, so the front feeler of length 40 extends 30 units beyond it. The
    // side feelers touch the wall farther away.
    let mut scene = open([strong(WallAvoidance { weight: 1.0, ..WallAvoidance::default() })]);
    let points = vec![[10.0, -100.0], [10.0, 100.0]];
    Arc::make_mut(&mut scene.walls).push(Wall::new(points));
    let [along, across] = force(&scene.build().unwrap(), id(0));
    assert!((along + 30.0).abs() < 1.0e-4 && across == 0.0, "{along}, {across}");
    // The book measures from the last feeler's tip to the first feeler's hit.
    let tip = 20.0 * std::f32::consts::FRAC_1_SQRT_2;
    let source = distance([tip, -tip], [10.0, 0.0]);
    assert!(source < 15.0, "{source}");
}

#[test]
fn a_side_feeler_gives_the_force_of_its_own_part_beyond_the_wall() {
    // The wall is 10 units to the left or right. Only the feeler on that side, 20 units long at
    // 45°, touches it, at 10√2 units; the rest of the feeler extends beyond the wall.
    let part = 20.0 - 10.0 * 2.0_f64.sqrt();
    for degrees in [0.0_f32, 30.0, 135.0, -90.0] {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let turned = |[x, y]: [f64; 2]| [x * cos - y * sin, x * sin + y * cos];
        for side in [1.0, -1.0] {
            for two_sided in [false, true] {
                for faces_agent in [true, false] {
                    // The front of a wall is to the left of its direction.
                    let ahead = if faces_agent { -side } else { side };
                    let ends = [[-100.0 * ahead, 10.0 * side], [100.0 * ahead, 10.0 * side]];
                    let points = ends.map(|end| turned(end).map(|part| part as f32)).to_vec();
                    let avoidance = WallAvoidance { weight: 1.0, ..WallAvoidance::default() };
                    let agent = resting("agent", [0.0, 0.0], degrees).max_force(1.0e6);
                    let scene = open([agent.behavior(avoidance)]);
                    let walls = vec![Wall { two_sided, ..Wall::new(points) }].into();
                    let force = Scene { walls, ..scene }.build().unwrap().forces()[0];
                    // Pushes away from the wall, or through a one-sided wall to its front.
                    let away = if faces_agent || two_sided { -side } else { side };
                    let expected = turned([0.0, away * part]);
                    for axis in 0..2 {
                        let off = f64::from(force[axis]) - expected[axis];
                        assert!(
                            off.abs() < 2.0e-5,
                            "{force:?} instead of {expected:?}: {degrees}°, side {side}, \
                             two-sided {two_sided}, front to the agent {faces_agent}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn of_two_equally_near_walls_the_first_pushes() {
    // The front of a wall is to the left of its direction, so both walls face the agent.
    let left = vec![[100.0, 10.0], [-100.0, 10.0]];
    let right = vec![[-100.0, -10.0], [100.0, -10.0]];
    for (walls, sign) in [([&left, &right], -1.0), ([&right, &left], 1.0)] {
        let mut scene = open([strong(WallAvoidance { weight: 1.0, ..WallAvoidance::default() })]);
        Arc::make_mut(&mut scene.walls).extend(walls.map(|points| Wall::new(points.clone())));
        let [along, across] = force(&scene.build().unwrap(), id(0));
        assert!(along == 0.0 && across * sign > 1.0, "{along}, {across}");
    }
}
