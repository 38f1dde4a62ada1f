use std::sync::Arc;

use flockwork::{
    FlowField, Locomotion, Obstacle, Scatter, Scattered, Scene, Species, Start, StartPlace, Wall,
    WaypointPath, World,
};

use crate::common::refusals::NONSENSE;

fn scene() -> Scene {
    Scene::new(World::torus(1.0e3, 1.0e3)).species(Species::new("s", 3))
}

fn refused(change: impl FnOnce(&mut Scene)) -> (String, String) {
    let mut scene = scene();
    change(&mut scene);
    crate::common::refusals::refused(&scene)
}

fn wall(points: &[[f32; 2]], closed: bool) -> Wall {
    Wall { closed, ..Wall::new(points.to_vec()) }
}

#[test]
fn obstacles_that_make_no_sense_are_refused() {
    let with = |center: [f32; 2], radius| {
        refused(|scene| {
            Arc::make_mut(&mut scene.obstacles).push(Obstacle::new([1.0, 1.0], 0.0));
            Arc::make_mut(&mut scene.obstacles).push(Obstacle::new(center, radius));
        })
    };
    for bad in NONSENSE {
        assert_eq!(with([bad, 0.0], 1.0).0, "obstacles[1].center[0]");
        assert_eq!(with([0.0, bad], 1.0).0, "obstacles[1].center[1]");
    }
    for bad in NONSENSE.into_iter().chain([-0.1, 1.1e6]) {
        let (field, allowed) = with([0.0, 0.0], bad);
        assert_eq!(field, "obstacles[1].radius");
        assert!(allowed.starts_with("from 0 to 1000000"), "{allowed}");
    }
}

#[test]
fn walls_and_paths_need_two_distinct_points() {
    type Put = fn(&mut Scene, &[[f32; 2]], bool);
    let puts: [(&str, Put); 2] = [
        ("walls[0]", |scene, points, closed| {
            Arc::make_mut(&mut scene.walls).push(wall(points, closed));
        }),
        ("paths[0]", |scene, points, closed| {
            let path = WaypointPath { closed, ..WaypointPath::new("route", points.to_vec()) };
            Arc::make_mut(&mut scene.paths).push(path);
        }),
    ];
    for (list, put) in puts {
        let with = |points: &[[f32; 2]], closed| refused(|scene| put(scene, points, closed));
        for (points, closed, field) in [
            (&[][..], false, "points"),
            (&[[1.0, 1.0]], false, "points"),
            (&[[1.0, 1.0]], true, "points"),
            (&[[1.0, 1.0], [1.0, 1.0]], false, "points[1]"),
            (&[[1.0, 1.0], [5.0, 1.0], [5.0, 1.000_5]], false, "points[2]"),
            // A closed chain continues from the last point to the first.
            (&[[1.0, 1.0], [5.0, 1.0], [1.0, 1.0]], true, "points[0]"),
            (&[[1.0, 1.0], [f32::NAN, 1.0]], false, "points[1][0]"),
            (&[[1.0, f32::INFINITY], [1.0, 1.0]], false, "points[0][1]"),
            (&[[1.0, 1.0], [5.0, -1.1e7]], false, "points[1][1]"),
        ] {
            let (refused, allowed) = with(points, closed);
            assert_eq!(refused, format!("{list}.{field}"), "{points:?}");
            assert!(!allowed.is_empty());
        }
        let mut valid = scene();
        put(&mut valid, &[[1.0, 1.0], [5.0, 1.0], [1.0, 1.0]], false);
        assert!(valid.build().is_ok(), "there and back is a path");
    }
    let twice = refused(|scene| {
        for _ in 0..2 {
            let points = vec![[1.0, 1.0], [5.0, 1.0]];
            Arc::make_mut(&mut scene.paths).push(WaypointPath::new("route", points));
        }
    });
    assert_eq!(twice.0, "paths[1].name");
    let long = refused(|scene| {
        let points = (0..1_000_001_u32).map(|k| [(k % 2) as f32, 0.0]);
        Arc::make_mut(&mut scene.paths).push(WaypointPath::new("route", points));
    });
    assert_eq!(long, ("paths[0].points".to_owned(), "at most 1000000 points".to_owned()));
}

#[test]
fn names_that_a_terminal_would_obey_are_refused() {
    let bad = "x\u{1b}]0;owned\u{7}";
    for name in [bad, "a\0b", "two\nlines"] {
        assert_eq!(refused(|scene| scene.name = name.into()).0, "a name in the scene");
        assert_eq!(refused(|scene| scene.species[0].name = name.into()).0, "a name in species");
        let points = |scene: &mut Scene| {
            scene.points.insert(name.into(), [1.0, 1.0].into());
        };
        assert_eq!(refused(points).0, "a name in points");
        let path = WaypointPath::new(name, [[1.0, 1.0], [5.0, 1.0]]);
        let paths = |scene: &mut Scene| Arc::make_mut(&mut scene.paths).push(path.clone());
        assert_eq!(refused(paths).0, "a name in paths");
    }
}

#[test]
fn flow_fields_need_whole_rows_of_valid_directions() {
    let with = |columns: u32, degrees: Vec<f32>| {
        refused(|scene| scene.flow = Some(FlowField { columns, degrees }.into()))
    };
    assert_eq!(with(0, vec![0.0]).0, "flow.columns");
    assert_eq!(with(4_097, vec![0.0; 4_097]).0, "flow.columns");
    let (field, allowed) = with(1, vec![0.0; 1_000_001]);
    assert_eq!((&*field, &*allowed), ("rows of flow", "from 1 to 1000000"));
    for count in [0, 1, 2, 4, 5, 7] {
        let (field, allowed) = with(3, vec![0.0; count]);
        assert_eq!(field, "flow.degrees", "{count}");
        assert!(allowed.contains("rows of 3"), "{allowed}");
    }
    for bad in NONSENSE.into_iter().chain([-361.0, 361.0]) {
        assert_eq!(with(2, vec![0.0, 0.0, 0.0, bad]).0, "flow.degrees[3]", "{bad}");
    }
}

#[test]
fn scatter_out_of_range_or_without_room_is_refused() {
    let with = |change: fn(&mut Scattered, f32), value: f32, walls: bool| {
        let mut list = Scattered { count: 3, ..Scattered::default() };
        change(&mut list, value);
        let (obstacles, walls) = if walls { (None, Some(list)) } else { (Some(list), None) };
        refused(|scene| scene.scatter = Some(Scatter { obstacles, walls })).0
    };
    type Change = fn(&mut Scattered, f32);
    let cases: [(&str, Change, &[f32]); 4] = [
        ("per_thousand_agents", |s, v| s.per_thousand_agents = v, &[-1.0, 1.1e4]),
        ("size[0]", |s, v| s.size[0] = v, &[-1.0, 1.1e5]),
        ("size[1]", |s, v| s.size[1] = v, &[9.0, 1.1e5]),
        ("gap", |s, v| s.gap = v, &[-1.0, 1.1e5]),
    ];
    for (walls, list) in [(false, "obstacles"), (true, "walls")] {
        for (name, change, more) in cases {
            for &bad in NONSENSE.iter().chain(more) {
                assert_eq!(with(change, bad, walls), format!("scatter.{list}.{name}"), "{bad}");
            }
        }
        let count = with(|s, _| s.count = 1_000_001, 0.0, walls);
        assert_eq!(count, format!("scatter.{list}.count"));
    }
    let (field, allowed) = refused(|scene| {
        let list = Scattered { count: 5_000, size: [30.0, 30.0], ..Scattered::default() };
        scene.scatter = Some(Scatter { obstacles: Some(list), walls: None });
    });
    assert_eq!(field, "scatter.obstacles");
    assert!(allowed.contains("fit in this world"), "{allowed}");
}

#[test]
fn car_like_limits_out_of_range_are_refused() {
    for bad in NONSENSE.into_iter().chain([-1.0, 1.1e9]) {
        let with = |limits: [f32; 3]| {
            let [throttle, brake, steering] = limits;
            let car = Locomotion::CarLike { throttle, brake, steering };
            refused(|scene| scene.species[0].locomotion = car)
        };
        for (k, name) in ["throttle", "brake", "steering"].iter().enumerate() {
            let mut limits = [1.0; 3];
            limits[k] = bad;
            let (field, allowed) = with(limits);
            assert_eq!(field, format!("species[0].locomotion.car_like.{name}"), "{bad}");
            assert!(allowed.contains("from 0 to 1000000000"), "{allowed}");
        }
    }
}

#[test]
fn starts_out_of_range_are_refused() {
    let with = |start: Start| refused(|scene| scene.species[0].start = start).0;
    let at = |place| with(Start { place, ..Start::default() });
    for bad in NONSENSE.into_iter().chain([-361.0, 361.0]) {
        let start = Start { heading: Some(bad), ..Start::default() };
        assert_eq!(with(start), "species[0].start.heading", "{bad}");
    }
    for bad in NONSENSE.into_iter().chain([-0.01, 1.01]) {
        let start = Start { speed: Some(bad), ..Start::default() };
        assert_eq!(with(start), "species[0].start.speed", "{bad}");
    }
    for bad in NONSENSE {
        let place = |field: &str| format!("species[0].start.place.{field}");
        let circle =
            |center: [f32; 2], radius| at(StartPlace::Circle { center: center.into(), radius });
        assert_eq!(circle([bad, 0.0], 1.0), place("circle.center[0]"));
        assert_eq!(circle([0.0, 0.0], bad), place("circle.radius"));
        let rectangle = |low: [f32; 2], high: [f32; 2]| {
            at(StartPlace::Box { low: low.into(), high: high.into() })
        };
        assert_eq!(rectangle([0.0, bad], [1.0, 1.0]), place("box.low[1]"));
        assert_eq!(rectangle([0.0, 0.0], [bad, 1.0]), place("box.high[0]"));
        assert_eq!(rectangle([0.0, 2.0], [1.0, 1.0]), place("box.high[1]"), "upside down");
        let clusters = |count, radius| at(StartPlace::Clusters { count, radius });
        assert_eq!(clusters(3, bad), place("clusters.radius"));
        assert_eq!(clusters(0, 1.0), place("clusters.count"));
        assert_eq!(clusters(1_000_001, 1.0), place("clusters.count"));
    }
}

#[test]
fn numbers_of_the_scene_out_of_range_are_refused() {
    assert_eq!(refused(|scene| scene.non_penetration = 65).0, "non_penetration");
    assert_eq!(refused(|scene| scene.heading_samples = Some(0)).0, "heading_samples");
    assert_eq!(refused(|scene| scene.heading_samples = Some(101)).0, "heading_samples");
    for bad in NONSENSE.into_iter().chain([0.0, -1.0, 0.249, 16.1]) {
        assert_eq!(refused(|scene| scene.cell_size = Some(bad)).0, "cell_size");
    }
    for bad in NONSENSE {
        let (field, _) = refused(|scene| {
            scene.points.insert("cursor".into(), [0.0, bad].into());
        });
        assert_eq!(field, "points.cursor[1]");
    }
    let mut simulation = scene().build().unwrap();
    assert!(simulation.edit(|scene| scene.non_penetration = 65).is_err());
    let bad = Scene { walls: vec![wall(&[[1.0, 1.0]], false)].into(), ..Scene::default() };
    assert!(simulation.set_scenery(&bad).is_err());
    let obstacle = Obstacle::new([0.0, f32::NAN], 1.0);
    let bad = Scene { obstacles: vec![obstacle].into(), ..Scene::default() };
    assert!(simulation.set_scenery(&bad).is_err());
    assert_eq!(*simulation.scene(), scene(), "nothing changed");
}

#[test]
fn errors_in_files_name_the_line_of_the_value_however_deep() {
    let head = "[world]\nwidth = 100.0\nheight = 100.0\n\n";
    for (tail, line, field) in [
        ("[[obstacles]]\ncenter = [1, 2]\nradius = -3\n", 7, "obstacles[0].radius"),
        ("[[obstacles]]\ncenter = [1,\n  1e9]\nradius = 3\n", 7, "obstacles[0].center[1]"),
        ("[[walls]]\npoints = [\n  [1, 2],\n  [3, 4],\n  [3, 4],\n]\n", 9, "walls[0].points[2]"),
        ("[[walls]]\nclosed = true\npoints = [[1, 2]]\n", 7, "walls[0].points"),
        ("[[paths]]\nname = \"a\"\npoints = [\n [1, 2],\n [nan, 2]]\n", 9, "paths[0].points[1][0]"),
        ("[flow]\ncolumns = 2\ndegrees = [\n  0, 0,\n  0, 400,\n]\n", 9, "flow.degrees[3]"),
        ("[flow]\ncolumns = 2\ndegrees = [1]\n", 7, "flow.degrees"),
        ("[points]\na = [1, 2]\nb = [1, 1e9]\n", 7, "points.b[1]"),
        ("[scatter.obstacles]\ncount = 3\ngap = -1\n", 7, "scatter.obstacles.gap"),
        (
            "[[species]]\nname = \"a\"\n\n[species.locomotion.car_like]\nthrottle = 1\nbrake = 2\n\
             steering = -3\n",
            11,
            "species[0].locomotion.car_like.steering",
        ),
        (
            "[[species]]\nname = \"a\"\n[species.start]\nplace = { circle = { center = [1, 2],\
             radius = -1 } }\n",
            8,
            "species[0].start.place.circle.radius",
        ),
        (
            "[[species]]\nname = \"a\"\n[species.probabilities]\nseek = 1\nwander = 2\n",
            9,
            "species[0].probabilities.wander",
        ),
        (
            "[[species]]\nbehaviors = [\n  { separation = {} },\n  { hide = { hunter = [1, 2],\
             bias = 2 } },\n]\n",
            8,
            "species[0].behaviors[1].hide.bias",
        ),
        (
            "[[species]]\nagents = 4\nbehaviors = [\n  { wander = {} },\n  { pursuit = { evader = { \
             species = \"agent\",\n number = 4 } } },\n]\n",
            10,
            "species[0].behaviors[1].pursuit.evader.number",
        ),
        (
            "[[species]]\nbehaviors = [\n\n  { flow_following = {} },\n]\n",
            8,
            "species[0].behaviors[0].flow_following",
        ),
        (
            "[[species]]\nbehaviors = [\n\n  { containment = {} },\n]\n",
            8,
            "species[0].behaviors[0].containment",
        ),
    ] {
        let text = format!("{head}{tail}");
        let error = Scene::parse(&text, "x.toml").unwrap_err();
        let start = format!("x.toml:{line}: {field} = ");
        assert!(error.to_string().starts_with(&start), "{error}\nexpected {start}\n{text}");
    }
}

#[test]
fn wrong_references_in_files_name_the_file_and_the_nearest_name() {
    let head = "[world]\nwidth = 100.0\nheight = 100.0\n[points]\ncursor = [1, 1]\n\
                [[paths]]\nname = \"river\"\npoints = [[1, 2], [3, 4]]\n";
    for (tail, words) in [
        (
            "[[species]]\nbehaviors = [{ seek = { target = \"crusor\" } }]\n",
            "unknown point `crusor`; did you mean `cursor`",
        ),
        (
            "[[species]]\nbehaviors = [{ path_following = { path = \"rivre\" } }]\n",
            "unknown path `rivre`; did you mean `river`",
        ),
        (
            "[[species]]\nbehaviors = [{ evade = { pursuer = { species = \"agnet\", number = 0 } \
             } }]\n",
            "unknown species `agnet`; did you mean `agent`",
        ),
        (
            "[[species]]\nown_target = { each_of = \"agnet\" }\n",
            "unknown species `agnet`; did you mean `agent`",
        ),
        (
            "[[species]]\nprobabilities = { wnader = 0.5 }\n",
            "unknown behavior `wnader`; did you mean `wander`",
        ),
    ] {
        let error = Scene::parse(&format!("{head}{tail}"), "x.toml").unwrap_err().to_string();
        assert!(error.starts_with("x.toml:") && error.contains(words), "{error}");
    }
}
