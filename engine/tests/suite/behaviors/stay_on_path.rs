use std::sync::Arc;

use flockwork::behaviors::{Cruise, StayOnPath, Wander};
use flockwork::inspect::{Feature, Shape};
use flockwork::{Scene, Species, Start, StartPlace, WaypointPath};

use crate::common::agents::{flat, force, id, ids, position, resting};
use crate::common::measures::distance_to_line;
use crate::common::scenes::open;
use crate::common::variants::assert_variants_agree;

const WAYPOINTS: [[f32; 2]; 5] =
    [[200.0, 0.0], [300.0, 200.0], [100.0, 300.0], [400.0, 400.0], [0.0, 500.0]];

#[test]
fn staying_on_a_path_keeps_wanderers_in_the_tube() {
    let run = |stays: bool| {
        let stay = StayOnPath {
            weight: 200.0,
            path: "route".into(),
            radius: 30.0,
            ..StayOnPath::default()
        };
        let place = StartPlace::Circle { center: [200.0, 0.0].into(), radius: 20.0 };
        let start = Start { place, ..Start::default() };
        let mut species = Species { start, ..Species::new("agents", 50).max_speed(60.0) };
        if stays {
            species = species.behavior(stay);
        }
        let mut scene = open([species.behavior(Wander { weight: 20.0, ..Wander::default() })]);
        let path = WaypointPath::new("route", WAYPOINTS).closed();
        Arc::make_mut(&mut scene.paths).push(path);
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

#[test]
fn where_a_path_returns_as_it_came_the_way_there_counts() {
    let [a, b, c] = [[13.7_f32, 21.3], [391.1, 277.9], [88.3, 461.7]];
    for points in [vec![a, b], vec![a, b, c, b]] {
        let stay = StayOnPath {
            weight: 1.0,
            path: "route".into(),
            radius: 0.0,
            prediction: 0.0,
            ahead: 7.0,
        };
        let species = Species::new("agents", 400).max_force(1.0e6).behavior(stay);
        let mut scene = open([species]);
        Arc::make_mut(&mut scene.paths).push(WaypointPath::new("route", points.clone()).closed());
        assert_variants_agree(&scene, 5);
        let simulation = scene.build().unwrap();
        let legs: Vec<[[f32; 2]; 2]> =
            points[..3.min(points.len())].windows(2).map(|leg| [leg[0], leg[1]]).collect();
        let mut seen = 0;
        for id in ids(&simulation) {
            let at = flat(simulation.agent(id).unwrap().position);
            let nearest = |leg: &&[[f32; 2]; 2]| distance_to_line(at, **leg);
            let [from, to] = *legs.iter().min_by(|l, r| nearest(l).total_cmp(&nearest(r))).unwrap();
            let leg = [to[0] - from[0], to[1] - from[1]];
            let length = leg[0].hypot(leg[1]);
            let along = (leg[0] * (at[0] - from[0]) + leg[1] * (at[1] - from[1])) / length;
            if along < 1.0 || along > length - 8.0 {
                continue;
            }
            let share = (along + 7.0) / length;
            let expected_goal = [from[0] + leg[0] * share, from[1] + leg[1] * share];
            let expected = simulation.reference_step(id).unwrap();
            let explained = simulation.explain(id).unwrap();
            let marks = &explained.contributions[0].marks;
            let goal = marks.iter().find(|mark| mark.feature == Feature::Goal).unwrap();
            let Shape::Point(marked) = goal.shape else { panic!("{goal:?}") };
            let off = (marked[0] - expected_goal[0]).hypot(marked[1] - expected_goal[1]);
            assert!(off < 0.01, "{at:?} steers to {marked:?}, not {expected_goal:?}");
            for axis in 0..2 {
                let off = f64::from(explained.force[axis]) - expected.force[axis];
                assert!(off.abs() < 0.1, "{at:?}: {:?}, {:?}", explained.force, expected.force);
            }
            seen += 1;
        }
        assert!(seen > 100, "{seen}");
    }
}

#[test]
fn of_two_equally_near_legs_the_first_counts() {
    let there = [[-100.0, 50.0], [100.0, 50.0], [100.0, -50.0], [-100.0, -50.0]];
    let back = [3, 2, 1, 0].map(|waypoint| there[waypoint]);
    for (points, sign) in [(there, 1.0), (back, -1.0)] {
        let stay = StayOnPath {
            weight: 1.0,
            path: "route".into(),
            radius: 5.0,
            prediction: 0.0,
            ahead: 20.0,
        };
        let agent = resting("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(stay);
        let scene = open([agent]).path(WaypointPath::new("route", points));
        let [along, across] = force(&scene.build().unwrap(), id(0));
        assert!(along > 1.0 && across * sign > 1.0, "{along}, {across}");
    }
}

/// Agents that headed straight for the inside of a corner used to get stuck there.
#[test]
fn a_goal_farther_ahead_than_the_radius_leads_around_corners() {
    let scene = |ahead| {
        let stay =
            StayOnPath { path: "route".into(), radius: 40.0, ahead, ..StayOnPath::default() };
        let place = StartPlace::Circle { center: [150.0, 100.0].into(), radius: 15.0 };
        let start = Start { place, heading: Some(0.0), ..Start::default() };
        let species = Species { start, ..Species::new("agent", 40) };
        // Adjacent legs meet at 45°.
        let points = [[100.0, 100.0], [500.0, 100.0], [200.0, 400.0], [600.0, 400.0]];
        open([species.behavior(stay).behavior(Cruise::default())])
            .path(WaypointPath::new("route", points))
    };
    let mut crowd = scene(80.0).build().unwrap();
    let mut arrived = [false; 40];
    for _ in 0..3_600 {
        crowd.step().unwrap();
        for (index, arrived) in (0..).zip(&mut arrived) {
            let [x, y] = position(&crowd, index);
            *arrived |= (y - 400.0).abs() < 45.0 && x > 300.0;
        }
    }
    let count = arrived.iter().filter(|arrived| **arrived).count();
    assert_eq!(count, 40, "reach the third leg");

    for ahead in [0.0, 39.0, 40.0] {
        let message = scene(ahead).build().unwrap_err().to_string();
        let expected = format!("stay_on_path = ahead = {ahead} and radius = 40");
        assert!(message.contains(&expected), "{message}");
    }
    let mut crowd = scene(80.0).build().unwrap();
    let Scene { species, .. } = scene(40.0);
    assert!(crowd.set_species(&species[0]).is_err(), "a running crowd is refused it, too");
}
