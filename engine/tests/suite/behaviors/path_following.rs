use std::sync::Arc;

use flockwork::{PathFollowing, Simulation, WaypointPath};

use crate::common::agents::{CALM, id, one, position, speed};
use crate::common::measures::distance;
use crate::common::scenes::open;

const WAYPOINTS: [[f32; 2]; 5] =
    [[200.0, 0.0], [300.0, 200.0], [100.0, 300.0], [400.0, 400.0], [0.0, 500.0]];

fn follower(closed: bool) -> Simulation {
    let following = PathFollowing { weight: CALM, path: "route".into(), waypoint_distance: 20.0 };
    let mut scene = open([one("agent", [0.0, 0.0], 0.0).steer(following)]);
    Arc::make_mut(&mut scene.paths)
        .push(WaypointPath { closed, ..WaypointPath::new("route", WAYPOINTS) });
    scene.build().unwrap()
}

/// Waypoints that agent 0 passes within 20 units, in order, once per visit.
fn visited(simulation: &mut Simulation, steps: usize) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for _ in 0..steps {
        simulation.step().unwrap();
        let at = position(simulation, 0);
        let near = WAYPOINTS.iter().position(|&point| distance(point, at) < 20.0);
        order.extend(near.filter(|waypoint| order.last() != Some(waypoint)));
    }
    order
}

#[test]
fn an_open_path_is_followed_in_order_and_ends_at_rest_on_its_last_waypoint() {
    let mut simulation = follower(false);
    assert_eq!(visited(&mut simulation, 2_000), [0, 1, 2, 3, 4]);
    assert!(distance(position(&simulation, 0), WAYPOINTS[4]) < 0.1);
    assert!(speed(&simulation, 0) < 0.1);
}

#[test]
fn a_closed_path_is_followed_round_and_round() {
    let order = visited(&mut follower(true), 4_000);
    assert!(order.len() > 10, "more than two rounds: {order:?}");
    assert!(order.iter().enumerate().all(|(k, &waypoint)| waypoint == k % 5), "{order:?}");
}

/// Arriving takes 0.6 s from any distance, as with `arrive` at normal deceleration.
#[test]
fn the_last_waypoint_of_an_open_path_is_arrived_at_with_normal_deceleration() {
    let following = PathFollowing { weight: 1.0, path: "route".into(), waypoint_distance: 1.0 };
    let mut agent = one("agent", [0.0, 0.0], 0.0).max_speed(1.0e3).max_force(1.0e4);
    agent.start.speed = Some(0.0);
    let mut scene = open([agent.steer(following)]);
    let points = vec![[0.0, 0.0], [30.0, 40.0]];
    Arc::make_mut(&mut scene.paths).push(WaypointPath::new("route", points));
    let mut simulation = scene.build().unwrap();
    simulation.step().unwrap();
    simulation.step().unwrap();
    let (at, speed_now) = (position(&simulation, 0), speed(&simulation, 0));
    let left = distance(at, [30.0, 40.0]);
    let force = simulation.explain(id(0)).unwrap().force;
    let wanted = left / (2.0 * 0.3);
    let expected = wanted - speed_now;
    assert!((force[0].hypot(force[1]) - expected).abs() < 1.0e-3 * expected, "{force:?}");
}

#[test]
fn a_wider_waypoint_distance_cuts_corners() {
    let corner = [300.0, 0.0];
    let nearest = |waypoint_distance: f32| {
        let following = PathFollowing { weight: CALM, path: "bend".into(), waypoint_distance };
        let mut scene = open([one("agent", [0.0, 0.0], 0.0).steer(following)]);
        let points = vec![corner, [300.0, 400.0]];
        Arc::make_mut(&mut scene.paths).push(WaypointPath::new("bend", points));
        let mut simulation = scene.build().unwrap();
        let distances = (0..300).map(|_| {
            simulation.step().unwrap();
            distance(position(&simulation, 0), corner)
        });
        distances.fold(f32::MAX, f32::min)
    };
    let [tight, wide] = [20.0, 150.0].map(nearest);
    assert!(tight < 20.0 && wide > 60.0, "{tight}, {wide}");
}
