use flockwork::behaviors::ObstacleAvoidance;
use flockwork::inspect::{Feature, Shape};
use flockwork::{Obstacle, Scene, Simulation};

use crate::common::agents::{force, id, one, strong};
use crate::common::measures::distance;
use crate::common::scenes::{open, share_inside_obstacles};

#[test]
fn a_detection_box_keeps_a_crowd_out_of_obstacles() {
    let idle = share_inside_obstacles(None);
    assert!(idle > 0.05, "the field is crowded: {idle}");
    let boxes = share_inside_obstacles(Some(ObstacleAvoidance::default().into()));
    assert!(boxes < 0.01 && boxes < idle / 10.0, "{boxes} against {idle}");
}

fn scene(obstacles: &[Obstacle]) -> Simulation {
    let agent = strong(ObstacleAvoidance { weight: 1.0, box_length: 40.0 });
    Scene { obstacles: obstacles.to_vec().into(), ..open([agent]) }.build().unwrap()
}

#[test]
fn defect_01_the_obstacle_that_the_box_meets_first_is_avoided() {
    // The large obstacle has the nearer rim, the small obstacle the nearer center.
    let large = Obstacle::new([55.0, 0.0], 40.0);
    let small = Obstacle::new([40.0, 1.0], 5.0);
    let simulation = scene(&[small, large]);
    let contributions = simulation.explain(id(0)).unwrap().contributions;
    let threat =
        contributions[0].marks.iter().find(|mark| mark.feature == Feature::Threat).unwrap();
    let expected = Shape::Circle { center: [55.0, 0.0, 0.0], radius: 40.0 };
    assert_eq!(threat.shape, expected);
    // The book computes `ip = A - sqrt(...)`, or `A + sqrt(...)` if that is not positive. Its A is
    // never set, so the small obstacle would win.
    let source = |a: f32, o: &Obstacle| {
        let half_chord = ((o.radius + 3.0).powi(2) - o.center[1].powi(2)).sqrt();
        if a - half_chord > 0.0 { a - half_chord } else { a + half_chord }
    };
    assert!(source(0.0, &small) < source(0.0, &large));
    assert!(source(large.center[0], &large) < source(small.center[0], &small));
}

#[test]
fn defect_02_detection_box_never_steers_towards_the_obstacle() {
    let (mut towards, mut forward) = (0, 0);
    for radius in [5.0, 20.0, 60.0] {
        for x in [0.0_f32, 0.5, 5.0, 15.0, 30.0, 50.0] {
            for y in [-0.99_f32, -0.5, -0.1, 0.0, 0.1, 0.5, 0.99].map(|share| share * radius) {
                let obstacle = Obstacle::new([x, y], radius);
                if x.hypot(y) > 40.0 + radius {
                    continue;
                }
                let [along, across] = force(&scene(&[obstacle]), id(0));
                let case = format!("({along}, {across}) from {obstacle:?}");
                assert!(across * y < 0.0 || (y == 0.0 && across != 0.0), "away: {case}");
                // The push is never less than the overlap of obstacle and box.
                assert!(across.abs() > (radius + 3.0 - y.abs()) * 0.999, "{case}");
                assert!(along <= 0.0, "never forward: {case}");

                let multiplier = 1.0 + (40.0 - x) / 40.0;
                towards += u32::from((radius - y) * multiplier * y > 0.0);
                forward += u32::from((radius - x) * 0.2 > 0.0);
            }
        }
    }
    assert!(towards > 10, "the source steers toward it in {towards} of these cases");
    assert!(forward > 10, "and accelerates in {forward}");
}

#[test]
fn an_obstacle_larger_than_the_box_does_not_attract() {
    // The center is more than two box lengths away, so 1 + (L − x)/L is negative.
    let obstacle = Obstacle::new([200.0, 30.0], 190.0);
    let (length, expanded) = (40.0, 193.0);
    let [_, across] = force(&scene(&[obstacle]), id(0));
    assert!((across + (expanded - 30.0)).abs() < 1.0e-3, "the overlap itself: {across}");
    let source = -(expanded - 30.0) * (1.0 + (length - 200.0) / length);
    assert!(source > 0.0, "the formula alone would steer toward it: {source}");
}

#[test]
fn the_box_grows_with_speed_pushes_aside_and_brakes() {
    let with = |share_of_speed: f32, center: [f32; 2], radius: f32| {
        let avoidance = ObstacleAvoidance { weight: 1.0, box_length: 40.0 };
        let mut agent =
            one("agent", [0.0, 0.0], 0.0).radius(3.0).max_force(1.0e6).behavior(avoidance);
        agent.start.speed = Some(share_of_speed);
        let obstacles = vec![Obstacle::new(center, radius)].into();
        force(&Scene { obstacles, ..open([agent]) }.build().unwrap(), id(0))
    };
    // The side push is the overlap, 10 + 3 − 5, times 1 + (L − 30)/L; the brake, 0.2·(30 − 10).
    for (share, length) in [(0.0, 40.0), (0.5, 60.0), (1.0, 80.0)] {
        let expected = [-4.0, -8.0 * (1.0 + (length - 30.0) / length)];
        let force = with(share, [30.0, 5.0], 10.0);
        assert!(distance(force, expected) < 1.0e-3, "{force:?}, not {expected:?}");
    }
    // The obstacle is beyond the box at rest, but within it at full speed.
    assert_eq!(with(0.0, [75.0, 1.0], 3.0), [0.0, 0.0]);
    assert!(with(1.0, [75.0, 1.0], 3.0)[1] < 0.0);
    // Obstacles behind and beside the box are ignored.
    assert_eq!(with(1.0, [-5.0, 1.0], 10.0), [0.0, 0.0]);
    assert_eq!(with(1.0, [30.0, 13.1], 10.0), [0.0, 0.0]);
    assert!(with(1.0, [30.0, 12.9], 10.0)[1] < 0.0);
}

#[test]
fn an_obstacle_straight_ahead_is_passed_on_the_right() {
    let obstacle = Obstacle::new([30.0, 0.0], 10.0);
    let [_, across] = force(&scene(&[obstacle]), id(0));
    assert!(across < -10.0, "{across}");
}

#[test]
fn of_two_equally_near_obstacles_the_first_is_avoided() {
    let [left, right] = [8.0, -8.0].map(|y| Obstacle::new([30.0, y], 6.0));
    for (obstacles, sign) in [([left, right], -1.0), ([right, left], 1.0)] {
        let [_, across] = force(&scene(&obstacles), id(0));
        assert!(across * sign > 1.0, "{across}");
    }
}
