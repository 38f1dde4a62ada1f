//! Scenery at its limits: no reach, crowds of obstacles, seams, worlds too small for agents.

mod common;

use common::{hash_after, id, one, position, resting};
use flockwork::{
    Behavior, Hide, Interpose, LaneWidth, LookAhead, Method, Obstacle, ObstacleAvoidance,
    Partition, Scene, Simulation, Species, StraightWall, Target, Wall, WallAvoidance, Wander,
    World,
};

fn inside_an_obstacle(behavior: impl Into<Behavior>) -> Simulation {
    let agent = resting("agent", [5.0, 0.0], 0.0).max_force(1.0e6).steer(behavior);
    let scene = Scene::new(World::open(1_000.0, 1_000.0)).species(agent);
    let obstacles = vec![Obstacle { center: [0.0, 0.0], radius: 20.0 }];
    Scene { obstacles, ..scene }.build().unwrap()
}

#[test]
fn look_ahead_of_no_length_still_gets_out_of_an_obstacle() {
    let look = LookAhead { weight: 1.0, max_see_ahead: 0.0, max_avoid_force: 400.0 };
    let mut simulation = inside_an_obstacle(look);
    let force = simulation.explain(id(0)).unwrap().force;
    assert_eq!(simulation.oracle_step(id(0)).unwrap().force, [400.0, 0.0]);
    assert_eq!(force, [400.0, 0.0]);
}

#[test]
fn hide_with_no_search_distance_hides_behind_the_obstacle_it_is_in() {
    let hide = Hide {
        weight: 1.0,
        hunter: [-100.0, 0.0].into(),
        gap: 0.0,
        search_distance: Some(0.0),
        ..Hide::default()
    };
    let mut simulation = inside_an_obstacle(hide);
    let force = simulation.explain(id(0)).unwrap().force;
    let oracle = simulation.oracle_step(id(0)).unwrap().force;
    assert!((f64::from(force[0]) - oracle[0]).abs() < 1.0e-3, "{force:?}, {oracle:?}");
}

/// The same bits by kernels and reference, with the index and without.
fn alike(scene: &Scene, steps: u64) {
    let expected = hash_after(scene, steps, |s| {
        s.set_method(Method::Reference);
        s.set_partition(Partition::AllPairs);
    });
    for method in LaneWidth::ALL.map(Method::Kernels).into_iter().chain([Method::Reference]) {
        let hash = hash_after(scene, steps, |s| s.set_method(method));
        assert_eq!(hash, expected, "{method:?}");
    }
}

fn avoiders(agents: usize) -> Species {
    Species::new("agents", agents)
        .max_speed(80.0)
        .steer(WallAvoidance { weight: 5.0, ..WallAvoidance::default() })
        .steer(ObstacleAvoidance { weight: 5.0, ..ObstacleAvoidance::default() })
        .steer(LookAhead { weight: 0.2, ..LookAhead::default() })
        .steer(Wander { weight: 10.0, ..Wander::default() })
}

#[test]
fn more_obstacles_and_walls_than_a_batch_lists_are_all_minded() {
    for world in [World::torus(300.0, 200.0), World::bounded(300.0, 200.0)] {
        let mut scene = Scene::new(world).species(avoiders(150));
        for k in 0..1_500_u16 {
            let (x, y) = (f32::from(k % 41) * 7.3, f32::from(k / 41) * 5.4);
            scene.obstacles.push(Obstacle { center: [x, y], radius: f32::from(k % 5) });
            let points = vec![[x, y], [x + f32::from(k % 7) - 3.0, y + 2.0]];
            scene.walls.push(Wall { points, closed: false, two_sided: k % 2 == 0 });
        }
        alike(&scene, 20);
    }
}

#[test]
fn obstacles_of_every_size_are_minded_alike() {
    for world in [World::torus(300.0, 200.0), World::open(300.0, 200.0)] {
        let mut scene = Scene::new(world).species(avoiders(100));
        for (k, radius) in [0.0, 1.0e-3, 5.0, 60.0, 400.0, 1.0e6].into_iter().enumerate() {
            let center = [40.0 * k as f32, 30.0 * k as f32 - 20.0];
            scene.obstacles.push(Obstacle { center, radius });
        }
        scene.obstacles.push(Obstacle { center: [9.0e6, -9.0e6], radius: 10.0 });
        scene.walls.push(Wall {
            points: vec![[-9.0e6, 50.0], [9.0e6, 60.0], [0.0, 9.0e6]],
            closed: true,
            two_sided: true,
        });
        alike(&scene, 20);
    }
}

#[test]
fn obstacles_are_minded_across_the_seam_of_a_torus() {
    let obstacles = vec![Obstacle { center: [10.0, 52.0], radius: 10.0 }];
    for behavior in [Behavior::from(ObstacleAvoidance::default()), LookAhead::default().into()] {
        let agent = one("agent", [375.0, 50.0], 0.0).steer(behavior);
        let scene = Scene::new(World::torus(400.0, 300.0)).species(agent);
        let mut simulation = Scene { obstacles: obstacles.clone(), ..scene }.build().unwrap();
        let [_, across] = simulation.explain(id(0)).unwrap().force;
        assert!(across < 0.0, "it passes on the nearer side: {across}");
    }
    // A wall stands as drawn: no one feels it from across the seam.
    let agent = one("agent", [390.0, 50.0], 0.0).steer(WallAvoidance::default());
    let mut scene = Scene::new(World::torus(400.0, 300.0)).species(agent);
    let points = vec![[5.0, 100.0], [5.0, 0.0]];
    scene.walls.push(Wall { points, closed: false, two_sided: true });
    let mut simulation = scene.build().unwrap();
    assert_eq!(simulation.explain(id(0)).unwrap().force, [0.0, 0.0]);
}

#[test]
fn a_target_that_is_gone_leaves_interpose_without_force() {
    for gone in [1, 2] {
        let (a, b) = (Target::member("a", 0), Target::member("b", 0));
        let guard = one("guard", [0.0, 0.0], 0.0).steer(Interpose { weight: 1.0, a, b });
        let guests = [one("a", [50.0, 0.0], 0.0), one("b", [50.0, 90.0], 0.0)];
        let scene = Scene::new(World::open(100.0, 100.0)).species(guard);
        let mut simulation = guests.into_iter().fold(scene, Scene::species).build().unwrap();
        assert_ne!(simulation.explain(id(0)).unwrap().force, [0.0, 0.0]);
        simulation.remove(id(gone)).unwrap();
        assert_eq!(simulation.explain(id(0)).unwrap().force, [0.0, 0.0], "{gone}");
    }
}

#[test]
fn agents_too_large_for_their_world_stay_in_it_and_agree() {
    for world in [World::torus(20.0, 15.0), World::bounded(20.0, 15.0)] {
        let species = Species::new("whales", 9)
            .radius([5.0, 30.0])
            .max_speed(5.0)
            .view_distance(10.0)
            .steer(Wander::default());
        let scene = Scene { non_penetration: 5, ..Scene::new(world).species(species) };
        alike(&scene, 50);
        let mut simulation = scene.build().unwrap();
        simulation.run(50).unwrap();
        for agent in 0..9 {
            let [x, y] = position(&simulation, agent);
            assert!((0.0..=20.0).contains(&x) && (0.0..=15.0).contains(&y), "{x}, {y}");
        }
    }
}

#[test]
fn scenery_can_change_while_agents_run() {
    let mut scene = Scene::new(World::bounded(300.0, 200.0)).species(avoiders(100));
    let obstacles = vec![Obstacle { center: [100.0, 100.0], radius: 30.0 }];
    let walls = vec![Wall { points: vec![[200.0, 0.0], [200.0, 200.0]], ..Wall::default() }];
    scene.obstacles.clone_from(&obstacles);
    scene.walls = walls;
    // From nothing to all of it at step 0 is as if it had always been there.
    let bare = Scene { obstacles: Vec::new(), walls: Vec::new(), ..scene.clone() };
    let mut changed = bare.build().unwrap();
    changed.set_scenery(&scene).unwrap();
    assert_eq!(changed.obstacles().collect::<Vec<_>>(), obstacles);
    changed.run(100).unwrap();
    assert_eq!(changed.state_hash(), hash_after(&scene, 100, |_| {}));
    // And a snapshot brings back what was there.
    let kept = changed.snapshot();
    changed.run(30).unwrap();
    let expected = changed.state_hash();
    changed.set_scenery(&bare).unwrap();
    changed.restore(&kept);
    changed.run(30).unwrap();
    assert_eq!(changed.state_hash(), expected);
}

#[test]
fn straight_walls_tell_their_ends_and_sides() {
    let wall = |points: &[[f32; 2]], closed, two_sided| Wall {
        points: points.to_vec(),
        closed,
        two_sided,
    };
    let scene = Scene {
        walls: vec![
            wall(&[[1.0, 1.0], [5.0, 1.0], [5.0, 4.0]], true, false),
            wall(&[[7.0, 7.0], [9.0, 7.0]], false, true),
        ],
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
