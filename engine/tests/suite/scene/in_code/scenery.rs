use flockwork::behaviors::{
    CollisionAvoidance, Containment, Cruise, Feelers, FlowFollowing, LookAhead, ObstacleAvoidance,
    PathFollowing, Separation, StayOnPath, WallAvoidance, Wander,
};
use flockwork::{
    Behavior, FlowField, Goal, Route, Scattered, Scene, Species, Start, Wall, WaypointPath, World,
};

use super::{bounded, torus};

fn among_obstacles(name: &str, about: &str, avoidance: impl Into<Behavior>) -> Scene {
    let agent = Species::new("agent", 40)
        .max_speed(110.0)
        .radius(5.0)
        .behavior(avoidance)
        .behavior(Wander::default());
    torus(name, about)
        .scatter_obstacles(Scattered::new(24).size([12.0, 34.0]).gap(40.0))
        .species(agent)
}

pub(super) fn look_ahead() -> Scene {
    let about = "Wanderers that look ahead along a line in a field of obstacles.";
    among_obstacles("look-ahead", about, LookAhead::default())
}

pub(super) fn obstacle_avoidance() -> Scene {
    let about = "Wanderers with detection boxes in a field of obstacles.";
    among_obstacles("obstacle-avoidance", about, ObstacleAvoidance::default())
}

pub(super) fn wall_avoidance() -> Scene {
    let room = [
        [120.0, 60.0],
        [880.0, 60.0],
        [950.0, 130.0],
        [950.0, 470.0],
        [880.0, 540.0],
        [120.0, 540.0],
        [50.0, 470.0],
        [50.0, 130.0],
    ];
    let pillar = [[430.0, 220.0], [430.0, 380.0], [570.0, 380.0], [570.0, 220.0]];
    let wanderer = |name, [from, to]: [f32; 2], feelers| {
        Species::new(name, 25)
            .max_speed(110.0)
            .radius(5.0)
            .start(Start::in_box([from, 110.0], [to, 490.0]))
            .behavior(WallAvoidance { feelers, ..WallAvoidance::default() })
            .behavior(Wander::default())
    };
    torus("wall-avoidance", "A room with a pillar, felt by three feelers or by one that sweeps.")
        .wall(Wall::new(room).closed())
        .wall(Wall::new(pillar).closed())
        .species(wanderer("three", [150.0, 380.0], Feelers::Three))
        .species(wanderer("sweeping", [620.0, 850.0], Feelers::Sweeping))
}

pub(super) fn evacuation() -> Scene {
    let room = [
        [560.0, 309.0],
        [560.0, 560.0],
        [40.0, 560.0],
        [40.0, 40.0],
        [560.0, 40.0],
        [560.0, 291.0],
    ];
    let out =
        PathFollowing { path: "out".into(), waypoint_distance: 12.0, ..PathFollowing::default() };
    let person = Species::new("person", 2_000)
        .view_distance(15.0)
        .max_speed([30.0, 45.0])
        .max_force(400.0)
        .radius([2.5, 3.5])
        .start(Start::in_box([44.0, 44.0], [556.0, 556.0]).speed(0.0))
        .behavior(out);
    Scene::new(World::open(1_000.0, 600.0))
        .name("evacuation")
        .about("2,000 people leave a room through its only door, whose walls hold at any pressure.")
        .non_penetration(8)
        .solid(true)
        .wall(Wall::new(room).two_sided())
        .path(WaypointPath::new("out", [[565.0, 300.0], [2_000.0, 300.0]]))
        .species(person)
}

pub(super) fn routes() -> Scene {
    let [low, high] = [[650.0, 180.0], [650.0, 432.8]];
    let room = [high, [650.0, 500.0], [50.0, 500.0], [50.0, 100.0], [650.0, 100.0], low];
    let spiral = [
        [110.0, 400.0],
        [110.0, 190.0],
        [320.0, 190.0],
        [320.0, 350.0],
        [170.0, 350.0],
        [170.0, 250.0],
        [260.0, 250.0],
        [260.0, 300.0],
    ];
    let pocket = [[480.0, 220.0], [570.0, 220.0], [570.0, 350.0], [480.0, 350.0]];
    let route = Some("out".into());
    let person = Species::new("person", 2_000)
        .view_distance(20.0)
        .max_speed([35.0, 50.0])
        .max_force(400.0)
        .radius([2.7, 6.6])
        .start(Start::in_box([54.0, 104.0], [646.0, 496.0]).speed(0.0))
        .behavior(FlowFollowing { route, sway: 20.0, ..FlowFollowing::default() });
    Scene::new(World::bounded(1_200.0, 600.0))
        .name("routes")
        .about(
            "2,000 people of all sizes leave a building with a spiral, a pocket, a narrow and a wide door.",
        )
        .non_penetration(8)
        .solid(true)
        .wall(Wall::new([[650.0, 196.5], [650.0, 380.0]]).two_sided())
        .wall(Wall::new(room).two_sided())
        .wall(Wall::new(spiral).two_sided())
        .wall(Wall::new(pocket).two_sided())
        .route(Route::new("out", Goal::area([720.0, 20.0], [1_180.0, 580.0])))
        .species(person)
}

pub(super) fn containment() -> Scene {
    let agent = Species::new("agent", 80)
        .max_speed(120.0)
        .radius(5.0)
        .behavior(Containment { margin: 40.0, ..Containment::default() })
        .behavior(Wander::default());
    bounded("containment", "Wanderers that turn back before the edge of their world.")
        .species(agent)
}

pub(super) fn collision_avoidance() -> Scene {
    let stream = |name: &str, agents, (low, high), degrees| {
        Species::new(name, agents)
            .view_distance(90.0)
            .max_speed([70.0, 90.0])
            .radius(6.0)
            .start(Start::in_box(low, high).heading(degrees))
            .behavior(CollisionAvoidance { weight: 4.0, ..CollisionAvoidance::default() })
            .behavior(Separation { weight: 300.0, ..Separation::default() })
            .behavior(StayOnPath {
                weight: 1.0,
                path: name.into(),
                radius: 25.0,
                ahead: 150.0,
                ..StayOnPath::default()
            })
            .behavior(Cruise { speed: 80.0, ..Cruise::default() })
    };
    torus("collision-avoidance", "Two streams that cross without running into each other.")
        .path(WaypointPath::new("right", [[-300.0, 300.0], [1300.0, 300.0]]))
        .path(WaypointPath::new("up", [[500.0, -300.0], [500.0, 900.0]]))
        .species(stream("right", 50, ([0.0, 260.0], [999.0, 340.0]), 0.0))
        .species(stream("up", 40, ([460.0, 0.0], [540.0, 599.0]), 90.0))
}

pub(super) fn path_following() -> Scene {
    let round = [
        [120.0, 120.0],
        [400.0, 80.0],
        [520.0, 250.0],
        [420.0, 480.0],
        [200.0, 520.0],
        [80.0, 330.0],
    ];
    let open = [
        [620.0, 80.0],
        [900.0, 120.0],
        [650.0, 240.0],
        [920.0, 330.0],
        [640.0, 420.0],
        [880.0, 520.0],
    ];
    let walkers = |name, agents, start, path: &str| {
        Species::new(name, agents)
            .max_speed([80.0, 130.0])
            .radius(5.0)
            .start(start)
            .behavior(Separation::default())
            .behavior(PathFollowing { path: path.into(), ..PathFollowing::default() })
    };
    bounded(
        "path-following",
        "Patrols: endlessly around a closed path, and to the end of an open one.",
    )
    .path(WaypointPath::new("round", round).closed())
    .path(WaypointPath::new("open", open))
    .species(walkers("patrol", 14, Start::in_circle([300.0, 300.0], 100.0), "round"))
    .species(walkers("traveler", 8, Start::in_circle([600.0, 60.0], 40.0), "open"))
}

pub(super) fn stay_on_path() -> Scene {
    let road = [
        [100.0, 150.0],
        [350.0, 90.0],
        [500.0, 260.0],
        [700.0, 120.0],
        [900.0, 200.0],
        [860.0, 460.0],
        [600.0, 400.0],
        [400.0, 520.0],
        [130.0, 440.0],
    ];
    let car = Species::new("car", 60)
        .view_distance(30.0)
        .max_speed([80.0, 130.0])
        .radius(5.0)
        .behavior(StayOnPath {
            weight: 8.0,
            path: "road".into(),
            radius: 16.0,
            prediction: 0.4,
            ahead: 60.0,
        })
        .behavior(CollisionAvoidance::default())
        .behavior(Separation::default())
        .behavior(Wander { weight: 20.0, ..Wander::default() });
    bounded("stay-on-path", "Traffic that keeps to a winding road.")
        .path(WaypointPath::new("road", road).closed())
        .species(car)
}

pub(super) fn flow_field() -> Scene {
    let whirl = [
        [-60.0, -53.0, -44.0, -30.0, -11.0, 11.0, 30.0, 44.0, 53.0, 60.0],
        [-71.0, -66.0, -58.0, -44.0, -18.0, 18.0, 44.0, 58.0, 66.0, 71.0],
        [-83.0, -82.0, -78.0, -71.0, -44.0, 44.0, 71.0, 78.0, 82.0, 83.0],
        [-97.0, -98.0, -102.0, -109.0, -136.0, 136.0, 109.0, 102.0, 98.0, 97.0],
        [-109.0, -114.0, -122.0, -136.0, -162.0, 162.0, 136.0, 122.0, 114.0, 109.0],
        [-120.0, -127.0, -136.0, -150.0, -169.0, 169.0, 150.0, 136.0, 127.0, 120.0],
    ];
    let leaf = Species::new("leaf", 200)
        .view_distance(20.0)
        .max_speed([60.0, 110.0])
        .radius(4.0)
        .behavior(Containment { margin: 30.0, ..Containment::default() })
        .behavior(Separation { weight: 300.0, ..Separation::default() })
        .behavior(FlowFollowing { weight: 3.0, ..FlowFollowing::default() });
    bounded("flow-field", "Leaves in a whirl: each one goes where the field points.")
        .flow(FlowField::new(10, whirl.concat()))
        .species(leaf)
}
