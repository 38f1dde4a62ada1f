use std::sync::Arc;

use flockwork::behaviors::{
    FlowFollowing, LookAhead, ObstacleAvoidance, PathFollowing, WallAvoidance, Wander,
};
use flockwork::{
    Behavior, FlowField, Obstacle, Scene, Snapshot, Species, StraightWall, Wall, WaypointPath,
    World,
};

use crate::common::agents::{id, one, resting};
use crate::common::scenes::flock;
use crate::common::variants::{assert_variants_agree, hash_after};

fn avoiders(agents: usize) -> Species {
    Species::new("agents", agents)
        .max_speed(80.0)
        .behavior(WallAvoidance { weight: 5.0, ..WallAvoidance::default() })
        .behavior(ObstacleAvoidance { weight: 5.0, ..ObstacleAvoidance::default() })
        .behavior(LookAhead { weight: 0.2, ..LookAhead::default() })
        .behavior(Wander { weight: 10.0, ..Wander::default() })
}

#[test]
fn more_obstacles_and_walls_than_a_batch_lists_are_all_avoided() {
    for world in [World::torus(300.0, 200.0), World::bounded(300.0, 200.0)] {
        let mut scene = Scene::new(world).species(avoiders(150));
        for k in 0..1_500_u16 {
            let (x, y) = (f32::from(k % 41) * 7.3, f32::from(k / 41) * 5.4);
            Arc::make_mut(&mut scene.obstacles).push(Obstacle::new([x, y], f32::from(k % 5)));
            let points = vec![[x, y], [x + f32::from(k % 7) - 3.0, y + 2.0]];
            Arc::make_mut(&mut scene.walls)
                .push(Wall { two_sided: k % 2 == 0, ..Wall::new(points) });
        }
        assert_variants_agree(&scene, 20);
    }
}

#[test]
fn obstacles_of_every_size_are_avoided_alike() {
    for world in [World::torus(300.0, 200.0), World::open(300.0, 200.0)] {
        let mut scene = Scene::new(world).species(avoiders(100));
        for (k, radius) in [0.0, 1.0e-3, 5.0, 60.0, 400.0, 1.0e6].into_iter().enumerate() {
            let center = [40.0 * k as f32, 30.0 * k as f32 - 20.0];
            Arc::make_mut(&mut scene.obstacles).push(Obstacle::new(center, radius));
        }
        Arc::make_mut(&mut scene.obstacles).push(Obstacle::new([9.0e6, -9.0e6], 10.0));
        Arc::make_mut(&mut scene.walls)
            .push(Wall::new([[-9.0e6, 50.0], [9.0e6, 60.0], [0.0, 9.0e6]]).closed().two_sided());
        assert_variants_agree(&scene, 20);
    }
}

/// The obstacle covers more cells than a cell number can represent.
#[test]
fn an_obstacle_far_larger_than_the_world_is_avoided() {
    let avoidance = ObstacleAvoidance { box_length: 1.0e5, ..ObstacleAvoidance::default() };
    let agents = Species::new("agents", 3).max_speed(0.05).behavior(avoidance);
    let mut scene = Scene::new(World::torus(1.0e-3, 1.0e-3)).species(agents);
    Arc::make_mut(&mut scene.obstacles).push(Obstacle::new([0.0, 0.0], 1.0e6));
    assert_variants_agree(&scene, 5);
}

#[test]
fn obstacles_are_avoided_across_the_seam_of_a_torus() {
    let obstacles = vec![Obstacle::new([10.0, 52.0], 10.0)];
    for behavior in [Behavior::from(ObstacleAvoidance::default()), LookAhead::default().into()] {
        let agent = one("agent", [375.0, 50.0], 0.0).behavior(behavior);
        let scene = Scene::new(World::torus(400.0, 300.0)).species(agent);
        let simulation = Scene { obstacles: obstacles.clone().into(), ..scene }.build().unwrap();
        let [_, across, _] = simulation.explain(id(0)).unwrap().force;
        assert!(across < 0.0, "it passes on the nearer side: {across}");
    }
    // A wall has no periodic images, so no feeler touches it across the seam.
    let agent = one("agent", [390.0, 50.0], 0.0).behavior(WallAvoidance::default());
    let mut scene = Scene::new(World::torus(400.0, 300.0)).species(agent);
    let points = vec![[5.0, 100.0], [5.0, 0.0]];
    Arc::make_mut(&mut scene.walls).push(Wall::new(points).two_sided());
    let simulation = scene.build().unwrap();
    assert_eq!(simulation.explain(id(0)).unwrap().force, [0.0; 3]);
}

#[test]
fn scenery_can_change_while_agents_run() {
    let mut scene = Scene::new(World::bounded(300.0, 200.0)).species(avoiders(100));
    let obstacles = vec![Obstacle::new([100.0, 100.0], 30.0)];
    let walls = vec![Wall::new([[200.0, 0.0], [200.0, 200.0]])];
    scene.obstacles = obstacles.clone().into();
    scene.walls = walls.into();
    let bare = Scene { obstacles: Arc::default(), walls: Arc::default(), ..scene.clone() };
    let mut changed = bare.build().unwrap();
    changed.set_scenery(&scene).unwrap();
    assert_eq!(changed.obstacles().collect::<Vec<_>>(), obstacles);
    changed.run(100).unwrap();
    assert_eq!(changed.state_hash(), hash_after(&scene, 100, |_| {}));
    let kept = changed.snapshot();
    changed.run(30).unwrap();
    let expected = changed.state_hash();
    changed.set_scenery(&bare).unwrap();
    changed.restore(&kept);
    changed.run(30).unwrap();
    assert_eq!(changed.state_hash(), expected);
}

/// Regression: `set_scenery` ignored a different world, flow field or paths.
#[test]
fn new_scenery_brings_its_paths_and_flow_field_and_must_be_of_the_same_world() {
    let long: Vec<[f32; 2]> = (0..9_u8).map(|k| [10.0 + 20.0 * f32::from(k), 50.0]).collect();
    let scene = |points: &[[f32; 2]], degrees: f32| {
        let follow = PathFollowing { path: "route".into(), ..PathFollowing::default() };
        let walkers =
            Species::new("walkers", 20).behavior(follow).behavior(FlowFollowing::default());
        Scene {
            flow: Some(FlowField::new(1, [degrees]).into()),
            ..Scene::new(World::bounded(200.0, 100.0)).species(walkers)
        }
        .path(WaypointPath::new("route", points.iter().copied()))
    };
    let mut crowd = scene(&long, 0.0).build().unwrap();
    crowd.run(600).unwrap();
    let other = scene(&long[..3], 90.0);
    crowd.set_scenery(&other).unwrap();
    assert_eq!((&crowd.scene().paths, &crowd.scene().flow), (&other.paths, &other.flow));
    // Some agents were past the third waypoint, which is now the last. A snapshot must still be
    // valid, and the agents must turn back.
    let mut restored = Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
    for crowd in [&mut crowd, &mut restored] {
        crowd.run(600).unwrap();
        let at = crowd.agents().x.iter();
        assert!(at.clone().all(|x| (x - 50.0).abs() < 15.0), "{:?}", at.collect::<Vec<_>>());
    }
    assert_eq!(restored.state_hash(), crowd.state_hash());

    let before = crowd.scene().clone();
    for (changed, said) in [
        (Scene { world: World::bounded(200.0, 90.0), ..other.clone() }, "height = 90"),
        (Scene { world: World::torus(200.0, 100.0), ..other.clone() }, "Torus"),
        (Scene { paths: Arc::default(), ..other.clone() }, "route"),
        (Scene { flow: None, ..other.clone() }, "flow"),
    ] {
        let message = crowd.set_scenery(&changed).unwrap_err().to_string();
        assert!(message.contains(said), "{message}");
        assert_eq!(*crowd.scene(), before);
    }
    crowd.set_scenery(&Scene { world: World::default(), ..other }).unwrap();
}

/// Regression: in worlds sized by `mean_neighbors`, scenery for `crowd.world()` was refused.
#[test]
fn scenery_for_the_actual_world_of_a_crowd_is_accepted() {
    let flat = Obstacle::new([1.0, 1.0], 0.5);
    let sphere = Obstacle::new([1.0, 1.0, 1.0], 0.5);
    for (dimensions, obstacle) in [(2, flat), (3, sphere)] {
        let world = World::with_mean_neighbors(10.0).dimensions(dimensions);
        let mut crowd = Scene::new(world).species(Species::new("fish", 100)).build().unwrap();
        let with_obstacle = |world: World| Scene::new(world).obstacle(obstacle);
        crowd.set_scenery(&with_obstacle(crowd.world())).unwrap();
        assert_eq!(crowd.obstacles().len(), 1);
        assert_eq!(crowd.scene().world, world);
        crowd.set_scenery(&with_obstacle(world)).unwrap();
        let [width, height] = crowd.world_size();
        for other in [
            World { width: Some(2.0 * width), ..crowd.world() },
            World::torus(width, height.next_up()),
        ] {
            let message = crowd.set_scenery(&with_obstacle(other)).unwrap_err().to_string();
            assert!(message.contains("mean_neighbors = 10"), "{message}");
        }
    }
}

#[test]
fn straight_walls_have_the_ends_and_sides_of_their_walls() {
    let wall = |points: &[[f32; 2]], closed, two_sided| Wall {
        closed,
        two_sided,
        ..Wall::new(points.to_vec())
    };
    let scene = Scene {
        walls: vec![
            wall(&[[1.0, 1.0], [5.0, 1.0], [5.0, 4.0]], true, false),
            wall(&[[7.0, 7.0], [9.0, 7.0]], false, true),
        ]
        .into(),
        ..Scene::new(World::bounded(50.0, 50.0))
    };
    let straight = |ends, two_sided| StraightWall { ends, two_sided };
    assert!(scene.build().unwrap().walls().eq([
        straight([[1.0, 1.0], [5.0, 1.0]], false),
        straight([[5.0, 1.0], [5.0, 4.0]], false),
        straight([[5.0, 4.0], [1.0, 1.0]], false),
        straight([[7.0, 7.0], [9.0, 7.0]], true),
    ]));
}

#[test]
fn ten_thousand_obstacles_far_away_change_nothing() {
    let run = |far: u16| {
        let species = flock(300)
            .behavior(ObstacleAvoidance::default())
            .behavior(LookAhead::default())
            .max_speed(100.0);
        let mut scene = Scene::new(World::bounded(500.0, 400.0)).species(species);
        scene.obstacles = vec![Obstacle::new([250.0, 200.0], 40.0)].into();
        let spread = (0..far).map(|k| Obstacle {
            center: [f32::from(k % 100) * 30.0 + 2_000.0, f32::from(k / 100) * 30.0 - 1_000.0]
                .into(),
            radius: 12.0,
        });
        Arc::make_mut(&mut scene.obstacles).extend(spread);
        let mut simulation = scene.build().unwrap();
        simulation.run(200).unwrap();
        (0..300).map(|agent| simulation.agent(id(agent)).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(run(0), run(10_000));
}

#[test]
fn an_obstacle_far_larger_than_its_torus_reaches_every_cell() {
    // The obstacle extends over more cells than an `i32` can count.
    let agent = resting("agent", [0.0, 0.0], 0.0).max_speed(0.01).max_force(1.0e9);
    let agent = agent.behavior(LookAhead { weight: 1.0, max_see_ahead: 1.0, max_avoid_force: 5.0 });
    let scene = Scene::new(World::torus(1.0e-3, 1.0e-3)).species(agent);
    let scene = scene.obstacle(Obstacle::new([0.0, 4.0e-4], 1.0e6));
    let [x, y, _] = scene.build().unwrap().forces()[0];
    assert!(x.abs() < 1.0e-3 && (y + 5.0).abs() < 1.0e-3, "{x}, {y}");
}
