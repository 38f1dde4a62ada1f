use flockwork::{Goal, Obstacle, Route, Scene, Simulation, Wall, World};

use super::plans::Plan;

const SIDE: f32 = 400.0;

/// Exact distance from a point to a goal.
type Distance<'a> = &'a dyn Fn([f64; 2]) -> f64;

fn solved(scene: Scene) -> Simulation {
    scene.build().unwrap()
}

fn measured(crowd: &Simulation, [x, y]: [f64; 2]) -> f64 {
    crowd.route_distance("out", [x as f32, y as f32]).unwrap().into()
}

/// Points of a lattice over the world.
fn lattice() -> impl Iterator<Item = [f64; 2]> {
    let along = |k: u32| (f64::from(k) + 0.5) * f64::from(SIDE) / 50.0;
    (0..50).flat_map(move |row| (0..50).map(move |column| [along(column), along(row)]))
}

/// Length of the shortest path between two points around a disk at the origin.
fn around([radius, px, py, qx, qy]: [f64; 5]) -> f64 {
    let straight = (px - qx).hypot(py - qy);
    let share = -(px * (qx - px) + py * (qy - py)) / (straight * straight);
    let share = share.clamp(0.0, 1.0);
    if (px + share * (qx - px)).hypot(py + share * (qy - py)) >= radius {
        return straight;
    }
    let (p, q) = (px.hypot(py), qx.hypot(qy));
    let angle = ((px * qx + py * qy) / (p * q)).acos();
    let tangents = (p * p - radius * radius).sqrt() + (q * q - radius * radius).sqrt();
    tangents + radius * (angle - (radius / p).acos() - (radius / q).acos())
}

/// Mean error of the distance around a disk of radius 50, relative to the distance.
fn error_around_disk(cell: f32) -> f64 {
    let (disk, goal) = (50.0, [50.0, 200.0]);
    let agent = cell / 0.7;
    let scene = Scene::new(World::bounded(SIDE, SIDE))
        .obstacle(Obstacle::new([200.0, 200.0], disk))
        .route(Route::new("out", goal.map(|along| along as f32)).radius(agent).cell(cell));
    let crowd = solved(scene);
    let radius = f64::from(disk + agent);
    let errors = lattice().filter_map(|at| {
        let [px, py, qx, qy] = [at[0], at[1], goal[0], goal[1]].map(|along| along - 200.0);
        let expected = around([radius, px, py, qx, qy]);
        let counts = px.hypot(py) > radius + f64::from(cell) && expected > 10.0;
        counts.then(|| (measured(&crowd, at) - expected).abs() / expected)
    });
    let errors: Vec<f64> = errors.collect();
    errors.iter().sum::<f64>() / errors.len() as f64
}

#[test]
fn the_distance_around_a_disk_is_right_within_two_percent_and_better_in_smaller_cells() {
    let errors = [12.5, 6.25, 3.125, 1.5625].map(error_around_disk);
    assert!(errors[2] < 0.02, "{errors:?}");
    assert!(errors.is_sorted_by(|coarse, fine| fine < coarse), "{errors:?}");
}

#[test]
fn distances_without_scenery_are_straight_to_any_kind_of_goal() {
    let to_point = |[x, y]: [f64; 2]| (x - 100.0).hypot(y - 300.0);
    let to_line = |[x, y]: [f64; 2]| (x - 320.0).hypot(y - y.clamp(50.0, 150.0));
    let to_box = |[x, y]: [f64; 2]| (x - x.clamp(30.0, 90.0)).hypot(y - y.clamp(40.0, 70.0));
    let goals = [
        Goal::from([100.0, 300.0]),
        Goal::line([320.0, 50.0], [320.0, 150.0]),
        Goal::area([30.0, 40.0], [90.0, 70.0]),
    ];
    let all = Goal::from(goals.to_vec());
    let nearest = move |at: [f64; 2]| to_point(at).min(to_line(at)).min(to_box(at));
    let [point, line, area] = goals;
    let cases: [(Goal, Distance<'_>); 4] =
        [(point, &to_point), (line, &to_line), (area, &to_box), (all, &nearest)];
    for (goal, expected) in cases {
        let world = World::bounded(SIDE, SIDE);
        let route = Route::new("out", goal.clone()).radius(5.0).cell(2.0);
        let crowd = solved(Scene::new(world).route(route));
        for at in lattice() {
            let (found, expected) = (measured(&crowd, at), expected(at));
            assert!(
                (found - expected).abs() < 0.03 * expected + 2.0,
                "{found}, {expected}: {goal:?}"
            );
        }
    }
}

#[test]
fn a_route_on_a_torus_leads_across_the_seam() {
    let goal = [10.0, 20.0];
    let route = Route::new("out", goal.map(|along| along as f32)).radius(5.0).cell(2.0);
    let crowd = solved(Scene::new(World::torus(SIDE, SIDE)).route(route));
    for at in lattice() {
        let across = |axis: usize| {
            let apart = (at[axis] - goal[axis]).abs();
            apart.min(f64::from(SIDE) - apart)
        };
        let expected = across(0).hypot(across(1));
        let found = measured(&crowd, at);
        assert!((found - expected).abs() < 0.03 * expected + 2.0, "{found}, {expected}, {at:?}");
    }
}

/// A bounded room with walls and a disk, mapped by `place`.
fn mapped(place: impl Fn([f64; 2]) -> [f64; 2]) -> Plan {
    let corners = [[100.0, 150.0], [300.0, 150.0], [300.0, 250.0]].map(&place);
    Plan {
        size: [f64::from(SIDE); 2],
        walls: vec![[corners[0], corners[1]], [corners[1], corners[2]]],
        disks: vec![(place([150.0, 300.0]), 40.0)],
        goal: place([200.0, 50.0]),
    }
}

#[test]
fn routes_in_turned_and_mirrored_rooms_are_turned_and_mirrored() {
    let straight = mapped(|at| at);
    let solved = |plan: &Plan| {
        let goal = plan.goal.map(|along| along as f32);
        solved(plan.scene().route(Route::new("out", goal).radius(5.0).cell(3.0)))
    };
    let crowd = solved(&straight);
    for place in [(|[x, y]| [400.0 - y, x]) as fn([f64; 2]) -> [f64; 2], |[x, y]| [400.0 - x, y]] {
        let other = solved(&mapped(place));
        // Skip points near a wall: an agent there first leaves the wall by the shortest way, and at
        // the end of a wall there may be two shortest ways.
        for at in lattice().filter(|&at| straight.clearance(at) > 10.0) {
            let [a, b] = [measured(&crowd, at), measured(&other, place(at))];
            assert!((a - b).abs() < 1.0e-3, "{a}, {b} at {at:?}");
        }
    }
}

#[test]
fn a_room_without_a_door_has_no_way_out() {
    let block = [[100.0, 100.0], [200.0, 100.0], [200.0, 200.0], [100.0, 200.0]];
    let scene = Scene::new(World::bounded(SIDE, SIDE))
        .wall(Wall::new(block).closed().two_sided())
        .route(Route::new("out", [300.0, 300.0]).radius(5.0).cell(3.0));
    let crowd = solved(scene);
    assert_eq!(crowd.route_distance("out", [150.0, 150.0]).unwrap(), f32::INFINITY);
    assert!(crowd.route_distance("out", [50.0, 50.0]).unwrap() > 350.0);
}

/// Regression: cells at the wall that see the goal, which only serve those who already stand there,
/// counted as the start of a way, so nobody was led to the goal.
#[test]
fn a_route_leads_as_near_as_possible_to_a_goal_at_a_wall() {
    let wall = Wall::new([[100.0, 20.0], [100.0, 80.0]]).two_sided();
    for (goal, expected) in [
        (Goal::from([99.0, 50.0]), 79.0),
        (Goal::line([99.5, 40.0], [99.5, 60.0]), 79.5),
        (Goal::from([103.9, 50.0]), 122.0),
    ] {
        let route = Route::new("out", goal.clone()).radius(4.0);
        let scene = Scene::new(World::bounded(200.0, 100.0)).wall(wall.clone()).route(route);
        let found = measured(&solved(scene), [20.0, 50.0]);
        assert!((found - expected).abs() < 0.05 * expected, "{found}, {expected}: {goal:?}");
    }
}

#[test]
fn each_of_two_routes_with_equal_cells_has_room_for_its_own_radius() {
    // A door 8 units wide, and a way around the wall.
    let scene = Scene::new(World::bounded(100.0, 100.0))
        .wall(Wall::new([[50.0, 0.0], [50.0, 46.0]]).two_sided())
        .wall(Wall::new([[50.0, 54.0], [50.0, 80.0]]).two_sided());
    let route = |name: &str, radius| Route::new(name, [90.0, 50.0]).radius(radius).cell(1.0);
    let [thin, wide] = [("thin", 2.0), ("wide", 6.0)].map(|(name, radius)| route(name, radius));
    let both = solved(scene.clone().route(thin.clone()).route(wide.clone()));
    let lengths = [thin, wide].map(|route| {
        let name = route.name.clone();
        let alone = solved(scene.clone().route(route)).route_distance(&name, [40.0, 50.0]);
        assert_eq!(both.route_distance(&name, [40.0, 50.0]), alone, "{name}");
        alone.unwrap()
    });
    assert!(lengths[0] < 55.0 && lengths[1] > 80.0, "{lengths:?}");
}
