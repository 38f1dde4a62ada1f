use flockwork::behaviors::FlowFollowing;
use flockwork::{
    FlowField, Goal, Obstacle, Route, Scene, Simulation, Snapshot, Species, Wall, World,
};

/// Walkers in a room with a wall, on the way to a named point.
fn walkers() -> Scene {
    let follow = FlowFollowing { route: Some("home".into()), ..FlowFollowing::default() };
    Scene::new(World::bounded(300.0, 200.0))
        .wall(Wall::new([[150.0, 0.0], [150.0, 120.0]]).two_sided())
        .point("home", [250.0, 40.0])
        .route(Route::new("home", "home"))
        .species(Species::new("walkers", 40).radius(4.0).max_speed(50.0).behavior(follow))
        .solid(true)
}

fn hash_after(crowd: &mut Simulation, steps: u64) -> u64 {
    crowd.run(steps).unwrap();
    crowd.state_hash()
}

#[test]
fn agents_follow_a_goal_that_moves() {
    let mut crowd = walkers().build().unwrap();
    crowd.run(900).unwrap();
    let near = |crowd: &Simulation, [x, y]: [f32; 2]| {
        let agents = crowd.agents();
        let places = agents.x.iter().zip(agents.y);
        places.filter(|&(ax, ay)| (ax - x).hypot(ay - y) < 2.0).count()
    };
    assert_eq!(near(&crowd, [250.0, 40.0]), 40);
    crowd.set_point("home", [60.0, 150.0]).unwrap();
    crowd.run(900).unwrap();
    assert_eq!(near(&crowd, [60.0, 150.0]), 40);
}

/// A route is not part of the state, but everything that it depends on is.
#[test]
fn a_restored_crowd_whose_goal_has_moved_goes_on_alike() {
    let mut crowd = walkers().build().unwrap();
    crowd.run(100).unwrap();
    for step in 0..40_u8 {
        crowd.set_point("home", [250.0 - f32::from(step), 40.0 + f32::from(step)]).unwrap();
        crowd.run(1).unwrap();
    }
    let bytes = crowd.snapshot().to_bytes();
    let mut restored = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!(hash_after(&mut restored, 100), hash_after(&mut crowd, 100));
}

#[test]
fn scenery_that_changes_changes_the_route_as_in_a_scene_that_begins_with_it() {
    let walls = walkers();
    let other = Scene { walls: Vec::new().into(), ..walls.clone() }
        .obstacle(Obstacle::new([150.0, 60.0], 30.0));
    let mut crowd = walls.build().unwrap();
    crowd.run(20).unwrap();
    crowd.set_scenery(&other).unwrap();
    // A restored crowd solves all of its routes anew.
    let bytes = crowd.snapshot().to_bytes();
    let mut expected = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    for at in [[100.0, 60.0], [200.0, 100.0], [10.0, 190.0]] {
        assert_eq!(crowd.route_distance("home", at), expected.route_distance("home", at));
    }
    assert_eq!(hash_after(&mut crowd, 100), hash_after(&mut expected, 100));
}

#[test]
fn species_that_grow_while_a_crowd_runs_need_more_room() {
    // A door 12 units wide, and a detour.
    let scene = Scene { walls: Vec::new().into(), ..walkers() }
        .wall(Wall::new([[150.0, 0.0], [150.0, 34.0]]).two_sided())
        .wall(Wall::new([[150.0, 46.0], [150.0, 150.0]]).two_sided());
    let mut crowd = scene.build().unwrap();
    let near_door = [140.0, 40.0];
    assert!(crowd.route_distance("home", near_door).unwrap() < 120.0);
    crowd.edit(|scene| scene.species[0].radius = 7.0.into()).unwrap();
    assert!(crowd.route_distance("home", near_door).unwrap() > 250.0);
}

#[test]
fn agents_come_to_rest_at_a_point_a_line_and_in_the_middle_of_a_box() {
    for (goal, x) in [
        (Goal::from([250.0, 40.0]), 250.0),
        (Goal::line([240.0, 20.0], [240.0, 180.0]), 240.0),
        (Goal::area([200.0, 60.0], [280.0, 100.0]), 240.0),
    ] {
        let scene = Scene { routes: vec![Route::new("home", goal)].into(), ..walkers() };
        let mut crowd = scene.build().unwrap();
        crowd.run(1_200).unwrap();
        for slot in 0..crowd.len() {
            let [vx, vy, _] = crowd.agents().velocity(slot);
            assert!(vx.hypot(vy) < 0.1, "{vx}, {vy}");
            assert!((crowd.agents().x[slot] - x).abs() < 1.0, "{} {x}", crowd.agents().x[slot]);
        }
    }
}

#[test]
fn flow_fields_have_names_and_can_be_replaced_while_agents_follow_them() {
    let follow = |flow: Option<&str>| FlowFollowing {
        flow: flow.map(str::to_owned),
        ..FlowFollowing::default()
    };
    let species = |name: &str, flow| Species::new(name, 10).behavior(follow(flow));
    let scene = Scene::new(World::torus(100.0, 100.0))
        .flow(FlowField::new(1, [0.0]))
        .named_flow("wind", FlowField::new(1, [90.0]))
        .species(species("plain", None))
        .species(species("sail", Some("wind")));
    let mut crowd = scene.build().unwrap();
    let heads = |crowd: &Simulation, number: u8| {
        let agents = crowd.agents();
        let slot = agents.species.iter().position(|&species| species == number).unwrap();
        [agents.hx[slot], agents.hy[slot]].map(f32::round)
    };
    crowd.run(120).unwrap();
    assert_eq!([heads(&crowd, 0), heads(&crowd, 1)], [[1.0, 0.0], [0.0, 1.0]]);
    crowd.set_flow(Some("wind"), FlowField::new(1, [180.0])).unwrap();
    crowd.run(120).unwrap();
    assert_eq!([heads(&crowd, 0), heads(&crowd, 1)], [[1.0, 0.0], [-1.0, 0.0]]);
    crowd.set_flow(None, FlowField::new(1, [-90.0])).unwrap();
    crowd.run(120).unwrap();
    assert_eq!([heads(&crowd, 0), heads(&crowd, 1)], [[0.0, -1.0], [-1.0, 0.0]]);
    let message = crowd.set_flow(Some("wnd"), FlowField::new(1, [0.0])).unwrap_err().to_string();
    assert!(message.contains("unknown flow field `wnd`; did you mean `wind`"), "{message}");
    let message = crowd.set_flow(None, FlowField::new(1, [400.0])).unwrap_err().to_string();
    assert!(message.contains("flow.degrees[0] = 400"), "{message}");
}
