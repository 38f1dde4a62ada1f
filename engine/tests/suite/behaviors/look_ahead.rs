use std::sync::Arc;

use flockwork::behaviors::{Flee, LookAhead, Seek};
use flockwork::inspect::{Feature, Shape};
use flockwork::{Combine, Obstacle, Scene, Simulation};

use crate::common::agents::{force, id, one, position};
use crate::common::measures::distance;
use crate::common::scenes::{inside_an_obstacle, open, share_inside_obstacles};

/// An agent at (0, 0) that looks ahead and heads right at a fraction of its maximum speed.
fn looks(max_see_ahead: f32, share_of_speed: f32, obstacles: &[([f32; 2], f32)]) -> Simulation {
    let look = LookAhead { weight: 1.0, max_see_ahead, max_avoid_force: 400.0 };
    let mut agent = one("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(look);
    agent.start.speed = Some(share_of_speed);
    let obstacles = obstacles.iter().map(|&(center, radius)| Obstacle::new(center, radius));
    Scene { obstacles: Arc::new(obstacles.collect()), ..open([agent]) }.build().unwrap()
}

fn push([x, y]: [f32; 2]) -> [f32; 2] {
    [x, y].map(|part| 400.0 * part / x.hypot(y))
}

#[test]
fn look_ahead_of_no_length_still_gets_out_of_an_obstacle() {
    let look = LookAhead { weight: 1.0, max_see_ahead: 0.0, max_avoid_force: 400.0 };
    let simulation = inside_an_obstacle(look);
    let force = simulation.explain(id(0)).unwrap().force;
    assert_eq!(simulation.reference_step(id(0)).unwrap().force, [400.0, 0.0, 0.0]);
    assert_eq!(force, [400.0, 0.0, 0.0]);
}

#[test]
fn looking_ahead_keeps_a_crowd_out_of_obstacles() {
    let idle = share_inside_obstacles(None);
    let look = share_inside_obstacles(Some(LookAhead::default().into()));
    // The line ahead has no width, so agents graze the obstacles they pass.
    assert!(look < 0.03 && look < idle / 5.0, "{look} against {idle}");
}

#[test]
fn look_ahead_pushes_the_end_of_the_line_away_from_what_it_or_its_middle_is_in() {
    let pushed = |center: [f32; 2], radius| force(&looks(60.0, 1.0, &[(center, radius)]), id(0));
    // The end of the line, (60, 0), is 10·√2 from the center.
    let by_end = pushed([50.0, 10.0], 20.0);
    assert!(distance(by_end, push([10.0, -10.0])) < 1.0e-2, "{by_end:?}");
    // Only the middle of the line, (30, 0), is inside.
    let by_middle = pushed([30.0, 5.0], 8.0);
    assert!(distance(by_middle, push([30.0, -5.0])) < 1.0e-2, "{by_middle:?}");
    assert_ne!(pushed([60.0, 5.0], 5.0), [0.0, 0.0]);
    // Obstacles between the two points, beside the line, and behind the agent are ignored.
    for (center, radius) in [([45.0, 0.0], 14.0), ([30.0, 12.0], 11.0), ([-20.0, 0.0], 19.0)] {
        assert_eq!(pushed(center, radius), [0.0, 0.0], "{center:?}");
    }
}

#[test]
fn the_nearest_of_several_obstacles_is_the_most_threatening() {
    let near = ([25.0, 10.0], 12.0);
    let expected = Shape::Circle { center: [25.0, 10.0, 0.0], radius: 12.0 };
    for obstacles in [[near, ([55.0, -10.0], 20.0)], [([55.0, -10.0], 20.0), near]] {
        let simulation = looks(60.0, 1.0, &obstacles);
        let contributions = simulation.explain(id(0)).unwrap().contributions;
        let marks = contributions[0].marks.iter();
        let threats: Vec<_> = marks.filter(|mark| mark.feature == Feature::Threat).collect();
        assert_eq!(threats.len(), 1);
        assert_eq!(threats[0].shape, expected);
        let force = force(&simulation, id(0));
        assert!(distance(force, push([35.0, -10.0])) < 1.0e-2, "{force:?}");
    }
}

#[test]
fn a_longer_line_and_a_faster_agent_see_obstacles_sooner() {
    let sees = |max_see_ahead, share_of_speed| {
        let simulation = looks(max_see_ahead, share_of_speed, &[([100.0, 5.0], 20.0)]);
        force(&simulation, id(0)) != [0.0, 0.0]
    };
    assert!(!sees(60.0, 1.0) && sees(100.0, 1.0));
    // Half the speed gives half the length, not 0.5 units as in the tutorial's listing.
    assert!(!sees(100.0, 0.5) && sees(200.0, 0.5));
    assert!(!sees(200.0, 0.0), "at rest there is no line");
}

#[test]
fn an_obstacle_beside_the_way_is_no_threat_where_flee_would_turn_away() {
    let beside = [20.0, 30.0];
    assert_eq!(force(&looks(60.0, 1.0, &[(beside, 25.0)]), id(0)), [0.0, 0.0]);
    let flee = Flee { weight: 1.0, target: beside.into(), panic_distance: None };
    let agent = one("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(flee);
    assert!(force(&open([agent]).build().unwrap(), id(0))[1] < -10.0);
}

/// Look-ahead does not plan a path: a seeker gets around one obstacle, but not out of a pocket.
#[test]
fn look_ahead_gets_around_an_obstacle_and_not_out_of_a_pocket() {
    let nearest = |obstacles: &[[f32; 2]]| {
        let target = [400.0, 0.0];
        let agent = one("agent", [0.0, 3.0], 0.0)
            .max_speed(80.0)
            .combine(Combine::WeightedSum)
            .behavior(LookAhead::default())
            .behavior(Seek { weight: 2.0, target: target.into() });
        let obstacles = obstacles.iter().map(|&center| Obstacle::new(center, 20.0));
        let scene = Scene { obstacles: Arc::new(obstacles.collect()), ..open([agent]) };
        let mut simulation = scene.build().unwrap();
        let distances = (0..1_800).map(|_| {
            simulation.step().unwrap();
            distance(position(&simulation, 0), target)
        });
        distances.fold(f32::MAX, f32::min)
    };
    assert!(nearest(&[[200.0, 0.0]]) < 20.0);
    let mut pocket: Vec<[f32; 2]> = (-6_i8..=6).map(|k| [200.0, f32::from(k) * 20.0]).collect();
    for k in 0..8_u8 {
        let x = 180.0 - f32::from(k) * 20.0;
        pocket.extend([[x, 120.0], [x, -120.0]]);
    }
    let stuck = nearest(&pocket);
    assert!(stuck > 150.0, "{stuck}");
}

#[test]
fn of_two_equally_near_obstacles_the_first_is_the_most_threatening() {
    let (left, right) = (([25.0, 10.0], 12.0), ([25.0, -10.0], 12.0));
    for (obstacles, expected) in
        [([left, right], push([35.0, -10.0])), ([right, left], push([35.0, 10.0]))]
    {
        let force = force(&looks(60.0, 1.0, &obstacles), id(0));
        assert!(distance(force, expected) < 1.0e-2, "{force:?}");
    }
}
