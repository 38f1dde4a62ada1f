use flockwork::behaviors::{Arrive, OffsetPursuit};
use flockwork::{
    AgentOrder, InSpace, Obstacle, Point, Scene, Simulation, Spawn, Species, Start, Target, Vector,
    Wall, WaypointPath, World,
};

use crate::common::refusals::{NONSENSE, field_and_allowed, refused};

fn deep() -> Scene {
    Scene::new(World::torus(300.0, 200.0).depth(100.0)).species(Species::new("fish", 5))
}

fn flat() -> Scene {
    Scene::new(World::torus(300.0, 200.0)).species(Species::new("fish", 5))
}

#[test]
fn a_formation_too_far_above_its_leader_is_refused() {
    let far = OffsetPursuit {
        leader: [0.0, 0.0, 0.0].into(),
        offset: [0.0, 0.0],
        above: Some(1.0e6),
        ..OffsetPursuit::default()
    };
    let scene = Scene::new(World::torus(5.0, 5.0).depth(5.0));
    let scene = scene.species(Species::new("fish", 1).behavior(far));
    assert_eq!(refused(&scene).0, "species[0].behaviors[0].offset_pursuit");
}

#[test]
fn depths_out_of_range_are_refused() {
    for bad in NONSENSE.into_iter().chain([0.0, -0.0, -1.0, 1.0e30, 1.0e-4, 1.1e7]) {
        for world in [World::torus, World::bounded, World::open] {
            let scene = Scene { world: world(300.0, 200.0).depth(bad), ..deep() };
            assert_eq!(refused(&scene).0, "world.depth", "{bad}");
        }
    }
    for (written, field) in [
        ("width = 300.0, height = 200.0, depth = 0.0", "world.depth"),
        ("width = 300.0, height = 200.0, depth = -5.0", "world.depth"),
        ("width = 300.0, height = 200.0, depth = nan", "world.depth"),
        ("width = 300.0, height = 200.0, depth = 1e30", "world.depth"),
        ("width = 300.0, height = 200.0, dimensions = 3", "world"),
        ("width = 300.0, depth = 100.0", "world"),
        ("depth = 100.0", "world"),
        ("mean_neighbors = 16.0, depth = 100.0", "world"),
        ("mean_neighbors = 16.0, dimensions = 4", "world.dimensions"),
        ("mean_neighbors = 16.0, dimensions = 1", "world.dimensions"),
    ] {
        let text = format!("world = {{ {written} }}\n[[species]]\nname = 'fish'\nagents = 5\n");
        let error = Scene::parse(&text, "x.toml").and_then(|scene| scene.build()).unwrap_err();
        assert_eq!(field_and_allowed(&error).0, field, "{written}: {error}");
    }
    let text = "world = { width = 300.0, height = 200.0, depth = 'deep' }";
    assert!(Scene::parse(text, "x.toml").is_err());
}

#[test]
fn a_cube_sized_for_a_number_of_neighbors_has_that_many() {
    let world = World::with_mean_neighbors(16.0).dimensions(3);
    let scene = Scene::new(world).species(Species::new("fish", 20_000).view_distance(10.0));
    let crowd = scene.build().unwrap();
    let [width, height] = crowd.world_size();
    assert_eq!([height, crowd.world().depth.unwrap()], [width; 2]);
    let neighbors = crowd.neighbor_counts().mean_neighbors;
    assert!((neighbors - 16.0).abs() < 0.3, "{neighbors}");
}

/// Each function puts in a point with three coordinates if its flag is true, and with two if not.
#[test]
fn points_with_the_wrong_number_of_coordinates_are_refused() {
    type Put = fn(&mut Scene, bool);
    let puts: [(&str, Put); 7] = [
        ("obstacles[0].center", |scene, third| {
            let center = if third { [1.0, 2.0, 3.0].into() } else { [1.0, 2.0].into() };
            scene.obstacles = vec![Obstacle { center, radius: 1.0 }].into();
        }),
        ("paths[0].points[0]", |scene, third| {
            let path = match third {
                true => WaypointPath::new("way", [[1.0, 2.0, 3.0], [9.0, 9.0, 9.0]]),
                false => WaypointPath::new("way", [[1.0, 2.0], [9.0, 9.0]]),
            };
            scene.paths = vec![path].into();
        }),
        ("points.here", |scene, third| {
            let here = if third { [1.0, 2.0, 3.0].into() } else { [1.0, 2.0].into() };
            scene.points.insert("here".into(), here);
        }),
        ("species[0].start.place.circle.center", |scene, third| {
            scene.species[0].start = match third {
                true => Start::in_circle([1.0, 2.0, 3.0], 1.0),
                false => Start::in_circle([1.0, 2.0], 1.0),
            };
        }),
        ("species[0].start.place.box.low", |scene, third| {
            scene.species[0].start = match third {
                true => Start::in_box([1.0, 2.0, 3.0], [9.0, 9.0, 9.0]),
                false => Start::in_box([1.0, 2.0], [9.0, 9.0]),
            };
        }),
        ("species[0].start.place.box.high", |scene, third| {
            scene.species[0].start = match third {
                true => Start::in_box([1.0, 2.0], [9.0, 9.0, 9.0]),
                false => Start::in_box([1.0, 2.0, 3.0], [9.0, 9.0]),
            };
        }),
        ("species[0].behaviors[0].arrive.target", |scene, third| {
            let target: Target = if third { [1.0, 2.0, 3.0].into() } else { [1.0, 2.0].into() };
            scene.species[0].behaviors = vec![Arrive { target, ..Arrive::default() }.into()];
        }),
    ];
    for (field, put) in puts {
        for (mut scene, third, allowed) in
            [(deep(), false, "three numbers"), (flat(), true, "two numbers")]
        {
            put(&mut scene, third);
            let (found, said) = refused(&scene);
            assert_eq!(found, field);
            assert!(said.contains(allowed), "{field}: {said}");
        }
    }
    // Walls of points with two coordinates are upright in both worlds; others are polygons.
    let polygon = Wall::new([[1.0, 2.0, 3.0], [9.0, 9.0, 9.0], [1.0, 9.0, 9.0]]);
    assert_eq!(refused(&flat().wall(polygon.clone())).0, "walls[0].points[0]");
    deep().wall(polygon).build().unwrap();
    let mixed = Wall::new([Point::from([1.0, 2.0, 3.0]), [9.0, 9.0].into(), [1.0, 9.0].into()]);
    assert_eq!(refused(&deep().wall(mixed)).0, "walls[0].points[1]");
    deep().wall(Wall::new([[1.0, 2.0], [9.0, 9.0]])).build().unwrap();
    for length in [0, 1, 4] {
        let point = vec!["1.0"; length].join(", ");
        let text =
            format!("world = {{ width = 9.0, height = 9.0 }}\npoints = {{ here = [{point}] }}");
        assert!(Scene::parse(&text, "x.toml").is_err(), "{text}");
    }
}

#[test]
fn calls_with_the_wrong_number_of_coordinates_are_refused() {
    let named = |scene: Scene| {
        let mut scene = scene.species(
            Species::new("arriving", 2)
                .behavior(Arrive { target: Target::Own, ..Arrive::default() }),
        );
        let here = if scene.world.depth.is_some() { [1.0; 3].into() } else { [1.0; 2].into() };
        scene.points.insert("here".into(), here);
        scene.build().unwrap()
    };
    let (mut deep, mut flat) = (named(deep()), named(flat()));
    let before = (deep.state_hash(), flat.state_hash());
    fn said<T: std::fmt::Debug>(result: Result<T, flockwork::Error>) -> String {
        result.unwrap_err().to_string()
    }
    let three = "three numbers in a world with depth";
    let two = "two numbers in a flat world";
    let id = deep.agents().id(0);
    assert!(said(deep.spawn("fish", [1.0, 1.0], [1.0, 0.0, 0.0])).contains(three));
    assert!(said(deep.spawn("fish", [1.0; 3], [1.0, 0.0])).contains(three));
    assert!(said(flat.spawn("fish", [1.0; 3], [1.0, 0.0])).contains(two));
    for said in [
        said(deep.spawn_many("fish", &Spawn::at(&[[1.0, 1.0]]))),
        said(flat.spawn_many("fish", &Spawn::at(&[[1.0; 3]]))),
    ] {
        assert!(said.contains("number of coordinates"), "{said}");
    }
    assert!(said(deep.set_point("here", [1.0, 1.0])).contains(three));
    assert!(said(flat.set_point("here", [1.0; 3])).contains(two));
    let arriving = deep.ids_ascending().last().unwrap();
    assert!(said(deep.set_own_target(arriving, Target::from([1.0, 1.0]))).contains(three));
    assert!(said(flat.set_own_target(arriving, Target::from([1.0; 3]))).contains(two));
    for vector in [Vector::Position, Vector::Velocity, Vector::Heading, Vector::OwnTarget] {
        assert!(said(deep.get(vector, id)).contains("InSpace"), "{vector:?}");
        assert!(said(deep.get_all(vector, AgentOrder::Id)).contains("InSpace"), "{vector:?}");
        assert!(said(deep.set(vector, id, [1.0, 1.0])).contains("InSpace"), "{vector:?}");
        assert!(said(flat.get(InSpace(vector), id)).contains("flat world"), "{vector:?}");
        assert!(said(flat.set(InSpace(vector), id, [1.0; 3])).contains("flat world"), "{vector:?}");
    }
    let queries = |crowd: &Simulation, wrong: &dyn Fn(&str) -> bool, at: [f32; 3], axes: usize| {
        let point = || flockwork::Point::from([at[0], at[1]]);
        let point = if axes == 3 { at.into() } else { point() };
        assert!(wrong(&said(crowd.agents_within(point, 9.0, None))));
        assert!(wrong(&said(crowd.nearest_agents(point, 3, None))));
        assert!(wrong(&said(crowd.agents_in_rectangle([point; 2], None))));
    };
    queries(&deep, &|said| said.contains(three), [1.0; 3], 2);
    queries(&flat, &|said| said.contains(two), [1.0; 3], 3);
    assert!(deep.interpolate(&[[1.0, 1.0]], &[[2.0, 2.0]], 0.5).is_err());
    assert!(flat.interpolate(&[[1.0; 3]], &[[2.0; 3]], 0.5).is_err());
    assert_eq!((deep.state_hash(), flat.state_hash()), before, "refused calls change nothing");
}

#[test]
fn climbs_out_of_range_or_in_flat_worlds_are_refused() {
    for bad in NONSENSE.into_iter().chain([-0.1, 89.1, 90.0]) {
        let mut scene = deep();
        scene.species[0].max_climb = Some(bad);
        assert_eq!(refused(&scene).0, "species[0].max_climb", "{bad}");
    }
    let mut scene = flat();
    scene.species[0].max_climb = Some(30.0);
    assert_eq!(refused(&scene).0, "species[0].max_climb");
}
