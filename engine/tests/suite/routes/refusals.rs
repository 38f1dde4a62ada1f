use flockwork::behaviors::FlowFollowing;
use flockwork::{
    Error, ErrorKind, Goal, Obstacle, Route, Scattered, Scene, Species, SpeciesValue, Wall, World,
};

fn follow() -> FlowFollowing {
    FlowFollowing { route: Some("out".into()), ..FlowFollowing::default() }
}

fn walkers(radius: impl Into<SpeciesValue>) -> Species {
    Species::new("walkers", 5).radius(radius).behavior(follow())
}

fn room(route: Route) -> Scene {
    Scene::new(World::bounded(200.0, 100.0)).route(route)
}

fn refused(scene: &Scene) -> String {
    let built: Result<_, Error> = scene.build();
    let message = built.err().unwrap_or_else(|| panic!("accepted: {scene:?}")).to_string();
    assert_eq!(scene.check().unwrap_err().to_string(), message);
    message
}

#[test]
fn bad_goals_are_refused_by_name() {
    let to = |goal: Goal| room(Route::new("out", goal)).species(walkers(4.0));
    let block = [[80.0, 30.0], [90.0, 30.0], [90.0, 37.0], [80.0, 37.0]];
    let disk = Obstacle::new([150.0, 50.0], 20.0);
    for (scene, said) in [
        (to([250.0, 50.0].into()), "routes[0].goal.x = 250"),
        (to([50.0, f32::NAN].into()), "routes[0].goal[1] = NaN"),
        (to("home".into()), "unknown point `home`"),
        (to(Goal::AnyOf(Vec::new())), "routes[0].goal = empty: must be at least one goal"),
        (to(vec![[50.0, 50.0].into(), [50.0, 101.0].into()].into()), "routes[0].goal[1].y = 101"),
        (to(Goal::area([50.0, 50.0], [40.0, 60.0])), "routes[0].goal.box.high"),
        (to(Goal::line([50.0, 50.0], [-1.0, 60.0])), "routes[0].goal.line.b.x = -1"),
        (to([150.0, 50.0].into()).obstacle(disk), "routes[0].goal = [150.0, 50.0]: must be where"),
        (to([85.0, 30.0].into()).wall(Wall::new(block).closed()), "routes[0].goal = [85.0, 30.0]"),
    ] {
        let message = refused(&scene);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_goal_in_an_obstacle_that_is_larger_than_its_torus_is_refused() {
    let scene = Scene::new(World::torus(100.0, 100.0)).route(Route::new("out", [10.0, 10.0]));
    let scene = scene.species(walkers(3.0)).obstacle(Obstacle::new([50.0, 50.0], 1.0e6));
    assert!(refused(&scene).contains("routes[0].goal"));
}

#[test]
fn routes_that_do_not_fit_their_followers_are_refused_with_the_numbers() {
    let route = || Route::new("out", [150.0, 50.0]);
    let deep = Scene { world: World::bounded(200.0, 100.0).depth(50.0), ..room(route()) };
    for (scene, said) in [
        (room(route()), "routes[0].radius = unset: must be set, because no species follows"),
        (
            room(route().radius(3.0)).species(walkers([2.0, 4.0])),
            "routes[0].radius = 3: must be at least 4, the radius of species `walkers`",
        ),
        (
            room(route().cell(2.9)).species(walkers(4.0)),
            "routes[0].cell = 2.9: must be above 0 and at most 2.8",
        ),
        (room(route().cell(0.0)).species(walkers(4.0)), "routes[0].cell = 0"),
        (room(route().radius(0.0)), "routes[0].radius = 0: must be above 0"),
        (room(route()).species(walkers([0.0, 4.0])), "routes[0].radius = 0: must be above 0"),
        (room(route().radius(-1.0)), "routes[0].radius = -1.0: must be from 0 to 10000"),
        (
            room(route().cell(0.007)).species(walkers(4.0)),
            "routes[0].cell = 0.007: must be at least 0.0345",
        ),
        (
            room(route()).species(walkers(0.01)),
            "routes[0] = 28572 x 14286 cells: must be at most 16,777,216 cells: make the world \
             smaller, or the smallest radius at least 0.049",
        ),
        (
            room(route()).route(route()).species(walkers(4.0)),
            "routes[1].name = out: must be unique",
        ),
        (deep.species(walkers(4.0)), "routes[0] = out: must be used in a flat world"),
    ] {
        let message = refused(&scene);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_cell_of_the_least_size_that_an_error_names_is_accepted() {
    // Regression: rounding up to whole cells made the named size too small in thin worlds.
    for world in [World::bounded(1.0e5, 1.0), World::open(1.0e5, 1.0), World::bounded(1.0e6, 0.01)]
    {
        let scene = |cell: f32| {
            let route = Route::new("out", [9.0e4, 0.001]).radius(0.12).cell(cell);
            Scene::new(world).route(route)
        };
        let message = refused(&scene(0.001));
        let least = message.split("at least ").nth(1).unwrap().split(',').next().unwrap();
        let wide = scene(least.parse().unwrap()).check();
        let is_told_again = wide.is_err_and(|error| error.to_string().contains("at least"));
        assert!(!is_told_again, "{world:?}: {message}");
    }
}

#[test]
fn a_world_too_large_for_the_largest_cell_is_refused_with_a_radius_that_fits() {
    // Regression: the error named a cell size that the next error rejected.
    for world in [World::bounded(1.0e5, 1.0e5), World::torus(1.0e5, 10.0), World::open(1.0e5, 10.0)]
    {
        let scene = |radius: f32| {
            let route = Route::new("out", [9.0e4, 0.001]);
            Scene::new(world).route(route).species(walkers(radius))
        };
        let message = refused(&scene(0.003));
        let least = message.split("the smallest radius at least ").nth(1).expect(&message);
        scene(least.parse().unwrap()).check().unwrap();
        let cell = scene(0.003).routes[0].clone().cell(0.001);
        let small = Scene::new(world).route(cell).species(walkers(0.003));
        assert!(refused(&small).contains("smallest radius at least"), "{world:?}: {message}");
    }
}

#[test]
fn routes_among_too_many_close_solids_are_refused_by_name() {
    // Regression: all pairs of solids were kept in memory, so a short file took hundreds of GB.
    let points = Scattered::new(30_000).size([0.0, 0.0]).gap(0.0);
    let route = Route::new("out", [500.0, 500.0]).radius(1_000.0);
    let scene = Scene::new(World::bounded(1_000.0, 1_000.0)).route(route);
    let message = refused(&scene.scatter_obstacles(points));
    assert!(message.starts_with("routes[0].radius = 1000: must be smaller"), "{message}");
}

#[test]
fn routes_among_many_solids_of_which_few_are_close_are_refused_at_once() {
    // Regression: a solid with 512 others close to it was compared with all of them. A million
    // solids took minutes.
    let points = Scattered::new(100_000).size([0.0, 0.0]).gap(0.0);
    let route = Route::new("out", [500.0, 500.0]).radius(64.0);
    let scene = Scene::new(World::bounded(3_200.0, 3_200.0)).route(route).scatter_obstacles(points);
    let message = scene.check().unwrap_err().to_string();
    assert!(message.starts_with("routes[0].radius = 64: must be smaller"), "{message}");
}

#[test]
fn routes_whose_solids_are_near_too_many_cells_are_refused_at_once() {
    // Regression: only pairs of solids were counted, whatever time each of them takes.
    let world = Scene::new(World::bounded(1_000.0, 1_000.0));
    let route = |radius: f32| Route::new(format!("{radius}"), [10.0, 10.0]).radius(radius);
    let many = Scattered::new(4_000).size([0.0, 0.0]).gap(0.0);
    let cells = world.clone().route(route(1_000.0).cell(0.25)).scatter_obstacles(many);
    let cluster = |count: u16| {
        (0..count).fold(world.clone(), |scene, k| {
            scene.obstacle(Obstacle::new([500.0 + f32::from(k) * 1.0e-3, 500.0], 0.0))
        })
    };
    let edges = cluster(1_000).route(route(200.0).cell(1.0));
    // The disk leaves no cells at the edge of the cluster, which keeps the test short.
    let disk = cluster(700).obstacle(Obstacle::new([500.0, 500.0], 450.0));
    let single = disk.route(route(200.0).cell(1.0));
    single.check().unwrap();
    let double = single.route(route(201.0).cell(1.0));
    for (scene, said) in [
        (cells, "routes[0].radius = 1000: must be smaller"),
        (edges, "routes[0].radius = 200: must be smaller"),
        (double, "routes[1].radius = 201: must be smaller"),
    ] {
        let message = scene.check().unwrap_err().to_string();
        assert!(message.starts_with(said), "{message}");
    }
}

#[test]
fn long_walls_that_are_close_to_few_others_are_not_refused() {
    let route = Route::new("out", [1.0, 1.0]).radius(1.5).cell(1.0);
    let scene = Scene::new(World::bounded(1_500.0, 1_500.0)).route(route);
    let walls = (0..500_u16).map(|k| f32::from(k) * 2.9 + 2.5);
    let walls = walls.map(|y| Wall::new([[0.0, y], [1_500.0, y]]).two_sided());
    walls.fold(scene, Scene::wall).check().unwrap();
}

#[test]
fn the_fields_of_all_routes_must_fit_in_memory_together() {
    // Regression: only the first route of a floor was counted, and the others' fields were not.
    let mut scene = Scene::new(World::bounded(700.0, 700.0));
    for k in 0..100_000 {
        scene = scene.route(Route::new(format!("{k}"), [350.0, 350.0]).radius(1.0));
    }
    let error = scene.check().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Memory { .. }), "{error}");
}

#[test]
fn unknown_routes_are_refused_with_the_nearest_name() {
    let lost = FlowFollowing { route: Some("outt".into()), ..FlowFollowing::default() };
    let both = FlowFollowing { flow: Some("wind".into()), ..follow() };
    let scene = room(Route::new("out", [150.0, 50.0]).radius(4.0));
    let message = refused(&scene.clone().species(Species::new("lost", 1).behavior(lost)));
    assert!(message.contains("unknown route `outt`; did you mean `out`"), "{message}");
    let message = refused(&scene.clone().species(Species::new("torn", 1).behavior(both)));
    assert!(message.contains("unknown flow field `wind`"), "{message}");
    let crowd = scene.build().unwrap();
    let message = crowd.route_distance("outt", [0.0, 0.0]).unwrap_err().to_string();
    assert!(message.contains("unknown route `outt`; did you mean `out`"), "{message}");
    assert!(crowd.route_distance("out", [f32::NAN, 0.0]).is_err());
}

#[test]
fn a_goal_is_not_moved_into_an_obstacle_and_the_crowd_goes_on() {
    let scene = room(Route::new("out", "home"))
        .point("home", [150.0, 50.0])
        .obstacle(Obstacle::new([50.0, 50.0], 20.0))
        .species(walkers(4.0));
    let mut crowd = scene.build().unwrap();
    let before = crowd.route_distance("out", [10.0, 10.0]).unwrap();
    for inside in [[50.0, 50.0], [-10.0, 50.0]] {
        assert!(crowd.set_point("home", inside).is_err());
    }
    assert_eq!(crowd.scene().points["home"], [150.0, 50.0].into());
    assert_eq!(crowd.route_distance("out", [10.0, 10.0]).unwrap(), before);
    crowd.run(10).unwrap();
}

#[test]
fn goals_in_scene_files_have_five_forms_and_others_are_refused_on_their_line() {
    let parsed = |goal: &str| {
        let route = format!("[[routes]]\nname = \"out\"\ngoal = {goal}\nradius = 2.0\n");
        let world = "[world]\nwidth = 100.0\nheight = 100.0\n[points]\nhome = [50.0, 50.0]\n";
        Scene::parse(&(world.to_owned() + &route), "rooms.toml")
    };
    for goal in [
        "[10.0, 20.0]",
        "\"home\"",
        "{ line = { a = [10.0, 20.0], b = [30.0, 40.0] } }",
        "{ box = { low = [10.0, 20.0], high = [30.0, 40.0] } }",
        "[[10.0, 20.0], \"home\", { line = { a = [10.0, 20.0], b = [30.0, 40.0] } }]",
    ] {
        let scene = parsed(goal).unwrap();
        assert_eq!(Scene::parse(&scene.to_toml(), "again.toml").unwrap(), scene);
    }
    parsed("{ box = { low = [10.0, 20.0], high = [30.0, 40.0] }, radius = 5.0 }").unwrap_err();
    let message = parsed("{ circle = 3 }").unwrap_err().to_string();
    assert!(message.starts_with("rooms.toml:8: routes[0].goal"), "{message}");
    assert!(message.contains("must be a point [x, y], the name of a point"), "{message}");
}
