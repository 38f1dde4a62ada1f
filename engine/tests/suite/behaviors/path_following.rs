use std::sync::Arc;

use flockwork::behaviors::PathFollowing;
use flockwork::inspect::{Feature, Shape};
use flockwork::{
    AgentOrder, Number, Obstacle, Scene, Simulation, Snapshot, Species, Start, Wall, WaypointPath,
    World,
};

use crate::common::agents::{CALM, flat, id, one, position, speed};
use crate::common::measures::distance;
use crate::common::scenes::open;
use crate::common::snapshots::column;

const WAYPOINTS: [[f32; 2]; 5] =
    [[200.0, 0.0], [300.0, 200.0], [100.0, 300.0], [400.0, 400.0], [0.0, 500.0]];

fn follower(closed: bool) -> Simulation {
    let following = PathFollowing { weight: CALM, path: "route".into(), waypoint_distance: 20.0 };
    let mut scene = open([one("agent", [0.0, 0.0], 0.0).behavior(following)]);
    Arc::make_mut(&mut scene.paths)
        .push(WaypointPath { closed, ..WaypointPath::new("route", WAYPOINTS) });
    scene.build().unwrap()
}

/// Lists the waypoints that agent 0 comes within 20 units of, in order, once per visit.
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

/// The desired speed is the remaining distance over 0.6 s, as with `arrive` at normal deceleration.
#[test]
fn the_last_waypoint_of_an_open_path_is_arrived_at_with_normal_deceleration() {
    let following = PathFollowing { weight: 1.0, path: "route".into(), waypoint_distance: 1.0 };
    let mut agent = one("agent", [0.0, 0.0], 0.0).max_speed(1.0e3).max_force(1.0e4);
    agent.start.speed = Some(0.0);
    let mut scene = open([agent.behavior(following)]);
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
        let mut scene = open([one("agent", [0.0, 0.0], 0.0).behavior(following)]);
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

/// Returns how many of 200 walkers get through a corridor between two walls, 20 units apart, along
/// a path down its middle. `is_out` is true for positions outside the corridor's exit.
fn arrivals(walls: [Vec<[f32; 2]>; 2], path: &[[f32; 2]], is_out: fn([f32; 2]) -> bool) -> usize {
    let following = PathFollowing { path: "out".into(), waypoint_distance: 3.0, weight: CALM };
    let start = Start::in_box([2.0, -8.0], [60.0, 8.0]);
    let walkers = Species { start, ..Species::new("walker", 200) }
        .radius([0.8, 1.0])
        .max_speed([20.0, 30.0])
        .behavior(following);
    let mut scene = Scene::new(World::open(400.0, 400.0))
        .species(walkers)
        .path(WaypointPath::new("out", path.iter().copied()))
        .non_penetration(4)
        .solid(true);
    for points in walls {
        scene = scene.wall(Wall::new(points).two_sided());
    }
    let mut crowd = scene.build().unwrap();
    for _ in 0..60 * 60 {
        crowd.step().unwrap();
        let out: Vec<_> = (0..crowd.len())
            .filter(|&slot| is_out([crowd.agents().x[slot], crowd.agents().y[slot]]))
            .map(|slot| crowd.agents().id(slot))
            .collect();
        crowd.remove_many(&out).unwrap();
    }
    200 - crowd.len()
}

/// Regression: agents that a stream carried past a waypoint turned back to it, and blocked the
/// others.
#[test]
fn everyone_in_a_stream_that_is_wider_than_the_waypoint_distance_arrives() {
    let straight = [vec![[0.0, -10.0], [300.0, -10.0]], vec![[300.0, 10.0], [0.0, 10.0]]];
    let path = [[80.0, 0.0], [160.0, 0.0], [240.0, 0.0], [400.0, 0.0]];
    assert_eq!(arrivals(straight, &path, |[x, _]| x > 300.0), 200);

    let bent = [
        vec![[0.0, -10.0], [210.0, -10.0], [210.0, 200.0]],
        vec![[190.0, 200.0], [190.0, 10.0], [0.0, 10.0]],
    ];
    let path = [[100.0, 0.0], [200.0, 0.0], [200.0, 100.0], [200.0, 300.0]];
    assert_eq!(arrivals(bent, &path, |[_, y]| y > 200.0), 200);
}

/// For each waypoint that an agent starting at `start` counts as passed, the waypoint's number and
/// the agent's distance from it at the start of that step.
fn counted(path: &WaypointPath, start: [f32; 2], steps: usize) -> Vec<(f32, f32)> {
    let following = PathFollowing { weight: CALM, path: "route".into(), waypoint_distance: 3.0 };
    let mut scene = open([one("agent", start, 0.0).max_speed(60.0).behavior(following)]);
    Arc::make_mut(&mut scene.paths).push(path.clone());
    let mut simulation = scene.build().unwrap();
    let waypoint = |s: &Simulation| column(&s.snapshot(), "waypoint")[0].floor();
    let mut counted = Vec::new();
    for _ in 0..steps {
        let (before, at) = (waypoint(&simulation), position(&simulation, 0));
        simulation.step().unwrap();
        let after = waypoint(&simulation);
        if after != before {
            let next = (before + 1.0) % path.points.len() as f32;
            assert_eq!(after, next, "at most one waypoint a step");
            let [x, y] = path.points[before as usize].xy();
            counted.push((before, distance(at, [x, y])));
        }
    }
    counted
}

#[test]
fn a_waypoint_counts_when_its_agent_passes_it_within_reach_of_both_segments() {
    // The legs of the hairpin end 6 units apart; those of the U-turn are 30 units apart.
    let hairpin = WaypointPath::new("route", [[0.0, 0.0], [200.0, 0.0], [0.0, 6.0], [0.0, 90.0]]);
    let u_turn = WaypointPath::new("route", [[0.0, 0.0], [200.0, 0.0], [200.0, 30.0], [0.0, 30.0]]);
    for k in 0..17_u8 {
        let start = [-60.0, f32::from(k) * 5.0 - 40.0];
        let hairpin = counted(&hairpin, start, 900);
        assert_eq!(hairpin.iter().map(|(k, _)| *k).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        assert!(hairpin[1].1 < 5.0, "{start:?}: {hairpin:?}");
        let u_turn = counted(&u_turn, start, 900);
        assert_eq!(u_turn.iter().map(|(k, _)| *k).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        assert!(u_turn.iter().all(|(_, distance)| *distance < 22.0), "{start:?}: {u_turn:?}");
    }
}

#[test]
fn the_shorter_segment_limits_the_distance_at_which_a_waypoint_is_passed() {
    for (lengths, aside, counts) in [
        ([100.0, 10.0], 40.0, false),
        ([10.0, 100.0], 40.0, false),
        ([100.0, 10.0], 8.0, true),
        ([100.0, 100.0], 40.0, true),
    ] {
        let [before, after] = lengths;
        let points = [[0.0, 0.0], [before, 0.0], [before + after, 0.0]];
        let following =
            PathFollowing { weight: CALM, path: "route".into(), waypoint_distance: 3.0 };
        // The agent is too heavy to turn toward the waypoint.
        let agent = one("agent", [before - 5.0, aside], 0.0).max_speed(60.0).mass(1.0e6);
        let mut scene = open([agent.behavior(following)]);
        Arc::make_mut(&mut scene.paths).push(WaypointPath::new("route", points));
        let mut simulation = scene.build().unwrap();
        simulation.set(Number::Waypoint, id(0), 1.0).unwrap();
        simulation.run(20).unwrap();
        let waypoint = simulation.get(Number::Waypoint, id(0)).unwrap();
        assert_eq!(waypoint >= 2.0, counts, "{lengths:?}, {aside}: {waypoint}");
        let [x, y] = position(&simulation, 0);
        assert!(x > before + 5.0 && (y - aside).abs() < 1.0, "{x}, {y}");
    }
}

#[test]
fn who_starts_beyond_a_waypoint_goes_back_to_it() {
    let line = WaypointPath::new("route", [[100.0, 0.0], [200.0, 0.0], [300.0, 0.0]]);
    let square = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]];
    let square = WaypointPath::new("route", square).closed();
    for (path, start) in
        [(line, [150.0, 5.0]), (square.clone(), [60.0, 30.0]), (square, [70.0, 2.0])]
    {
        let counted = counted(&path, start, 400);
        let (first, from) = counted[0];
        assert!(first == 0.0 && from < 3.0, "{start:?}: {counted:?}");
    }
}

/// The waypoint that agent 0 heads for, according to its explanation.
fn next_waypoint(simulation: &Simulation) -> [f32; 2] {
    let marks = &simulation.explain(id(0)).unwrap().contributions[0].marks;
    let found = marks.iter().find_map(|mark| match mark.shape {
        Shape::Circle { center, .. } if mark.feature == Feature::Waypoint => Some(flat(center)),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn the_progress_on_a_path_can_be_read_and_set() {
    let mut simulation = follower(true);
    assert_eq!(simulation.get(Number::Waypoint, id(0)), Ok(0.0));
    assert_eq!(visited(&mut simulation, 400)[..2], [0, 1]);
    let progress = simulation.get(Number::Waypoint, id(0)).unwrap();
    assert!(progress >= 2.0, "{progress}");
    assert_eq!(next_waypoint(&simulation), WAYPOINTS[progress as usize]);
    // Sets the waypoint backward and forward, before and after the query has sorted the crowd.
    for waypoint in [1_u8, 4, 0] {
        simulation.set(Number::Waypoint, id(0), waypoint.into()).unwrap();
        let all = simulation.get_all(Number::Waypoint, AgentOrder::Id).unwrap();
        assert_eq!(all, [f32::from(waypoint)]);
        assert_eq!(next_waypoint(&simulation), WAYPOINTS[usize::from(waypoint)]);
    }
    let bytes = simulation.snapshot().to_bytes();
    let again = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!(next_waypoint(&again), WAYPOINTS[0]);
    simulation.step().unwrap();
    assert_eq!(next_waypoint(&simulation), WAYPOINTS[0]);
}

#[test]
fn new_scenery_does_not_turn_a_follower_back_that_is_passing_the_last_waypoint() {
    let mut simulation = follower(true);
    let waypoint = |simulation: &Simulation| column(&simulation.snapshot(), "waypoint")[0];
    while waypoint(&simulation) != 4.5 {
        simulation.step().unwrap();
        assert!(simulation.tick() < 3_000);
    }
    simulation
        .edit(|scene| {
            Arc::make_mut(&mut scene.obstacles).push(Obstacle::new([9.0e3, 9.0e3], 1.0));
        })
        .unwrap();
    assert_eq!(waypoint(&simulation), 4.5);
}

#[test]
fn impossible_progress_is_refused() {
    let mut simulation = follower(true);
    let before = simulation.state_hash();
    for bad in [-1.0, 5.0, 0.5, f32::NAN, f32::INFINITY] {
        let refused = simulation.set(Number::Waypoint, id(0), bad).unwrap_err().to_string();
        let expected =
            format!("waypoint of agent #0.0 = {bad}: must be a whole number from 0 to 4");
        assert_eq!(refused, expected);
    }
    assert_eq!(simulation.state_hash(), before);
    let nowhere = Scene::new(World::torus(9.0, 9.0)).species(Species::new("agent", 1));
    let mut nowhere = nowhere.build().unwrap();
    let expected = "waypoint = of no path: must be in a scene where a behavior follows a path";
    assert_eq!(nowhere.get(Number::Waypoint, id(0)).unwrap_err().to_string(), expected);
    assert_eq!(nowhere.set(Number::Waypoint, id(0), 0.0).unwrap_err().to_string(), expected);
}
