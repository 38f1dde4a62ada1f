use flockwork::inspect::Met;
use flockwork::{Number, Obstacle, Scene, Species, Topology, Vector, Wall, World};

use crate::common::agents::{flat, ids};
use crate::common::rooms::{Draw, Room};

/// The fraction of the line from `from` to `to` at which it first meets a wall or an obstacle, by
/// brute force over all periodic images of the scenery.
fn expected(crowd: &flockwork::Simulation, [from, to]: [[f32; 2]; 2]) -> Option<f64> {
    let size = [1_000.0, 1_000.0];
    let turns: &[f64] = if crowd.world().topology == Topology::Torus {
        &[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
    } else {
        &[0.0]
    };
    let [from, to] = [from, to].map(|end| end.map(f64::from));
    let line = [to[0] - from[0], to[1] - from[1]];
    let mut first: Option<f64> = None;
    let mut meet = |share: f64| {
        if (0.0..=1.0).contains(&share) && first.is_none_or(|least| share < least) {
            first = Some(share);
        }
    };
    for &across in turns {
        for &up in turns {
            let moved = |[x, y]: [f32; 2]| {
                [f64::from(x) + across * size[0] - from[0], f64::from(y) + up * size[1] - from[1]]
            };
            for wall in crowd.walls() {
                // Solves from + s·line = a + t·(b − a) by Cramer's rule.
                let [a, b] = wall.ends.map(moved);
                let along = [b[0] - a[0], b[1] - a[1]];
                let det = along[0] * line[1] - along[1] * line[0];
                let s = (along[0] * a[1] - along[1] * a[0]) / det;
                let t = (line[0] * a[1] - line[1] * a[0]) / det;
                if (0.0..=1.0).contains(&t) {
                    meet(s);
                }
            }
            for Obstacle { center, radius } in crowd.obstacles() {
                let (c, radius) = (moved(center.xy()), f64::from(radius));
                if c[0].hypot(c[1]) < radius {
                    meet(0.0);
                }
                let length = line[0].hypot(line[1]);
                let along = (c[0] * line[0] + c[1] * line[1]) / length;
                let aside = (c[0] * line[1] - c[1] * line[0]) / length;
                if aside.abs() < radius {
                    meet((along - (radius * radius - aside * aside).sqrt()) / length);
                }
            }
        }
    }
    first
}

#[test]
fn rays_meet_the_first_wall_or_obstacle_of_random_rooms() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..200 {
        let mut scene = Room::random(seed).scene;
        scene.species.clear();
        let crowd = scene.build().unwrap();
        let mut draw = Draw::new(seed + 7);
        for _ in 0..20 {
            let mut end = || [draw.between(-500.0, 1_500.0), draw.between(-500.0, 1_500.0)];
            let line = [end(), end()];
            let expected = expected(&crowd, line);
            let hit = crowd.ray(line[0], line[1]).unwrap();
            assert_eq!(
                hit.is_some(),
                expected.is_some(),
                "{seed}: {line:?}, {hit:?}, {expected:?}"
            );
            let (Some(hit), Some(share)) = (hit, expected) else {
                misses += 1;
                continue;
            };
            hits += 1;
            let [dx, dy] = [0, 1].map(|axis| f64::from(line[1][axis]) - f64::from(line[0][axis]));
            let off = f64::from(hit.distance) - share * dx.hypot(dy);
            assert!(off.abs() < 1.0e-3, "{seed}: {line:?}, {hit:?}, {share}");
            let off = match hit.met {
                Met::Obstacle(number) => {
                    let Obstacle { center, radius } = crowd.obstacles().nth(number).unwrap();
                    let [x, y, _] = crowd.displacement(center.xy(), flat(hit.position));
                    if hit.distance == 0.0 { 0.0 } else { x.hypot(y) - radius }
                }
                Met::Wall(number) => {
                    let [a, b] = crowd.walls().nth(number).unwrap().ends;
                    let [x, y, _] = crowd.displacement(a, flat(hit.position));
                    let along = [b[0] - a[0], b[1] - a[1]];
                    (x * along[1] - y * along[0]) / along[0].hypot(along[1])
                }
                other => panic!("{other:?}"),
            };
            assert!(off.abs() < 1.0e-2, "{seed}: {hit:?} is {off} off what it meets");
        }
    }
    assert!(hits > 1_000 && misses > 300, "{hits}, {misses}");
}

#[test]
fn a_ray_over_thousands_of_obstacles_meets_the_first() {
    let mut scene = Scene::new(World::open(1.0e6, 1.0e6));
    for k in 0..5_000_u16 {
        let along = 9.0e5 - f32::from(k) * 150.0;
        scene = scene.obstacle(Obstacle::new([along, along + 30.0 * f32::from(k % 3)], 10.0));
    }
    let crowd = scene.build().unwrap();
    let hit = crowd.ray([0.0, 0.0], [1.0e6, 1.0e6]).unwrap().unwrap();
    assert_eq!(hit.met, Met::Obstacle(4_998), "obstacle 4,999 is beside the ray");
    let back = crowd.ray([1.0e6, 1.0e6], [0.0, 0.0]).unwrap().unwrap();
    assert_eq!(back.met, Met::Obstacle(0));
    assert_eq!(crowd.ray([0.0, 0.0], [0.0, 1.0e6]).unwrap(), None);
}

#[test]
fn a_ray_goes_around_a_torus_many_times() {
    let torus = |width: f32, obstacle: [f32; 2]| {
        let scene = Scene::new(World::torus(width, 10.0));
        scene.obstacle(Obstacle::new(obstacle, 1.0)).build().unwrap()
    };
    let hit = torus(10.0, [4.0, 4.0]).ray([0.0, 0.0], [39.5, 4.647]).unwrap().unwrap();
    assert!((hit.distance - 33.25).abs() < 0.1, "{hit:?}");
    // This ray crosses seven worlds along y, and meets the obstacle in the sixth.
    let thin = torus(1_000.0, [60.0, 5.0]);
    let hit = thin.ray([0.0, 0.0], [70.0, 64.2]).unwrap().unwrap();
    assert!((hit.distance - 80.4).abs() < 1.0, "{hit:?}");
    assert_eq!(thin.ray([0.0, 0.0], [0.0, 1.0e6]).unwrap(), None);
    let refused = thin.ray([0.0, 0.0], [0.0, 1.1e6]).unwrap_err().to_string();
    assert!(refused.contains("100,000 times the shorter side of the torus"), "{refused}");
}

/// Regression: the columns of the index overflowed.
#[test]
fn a_ray_far_from_a_tiny_torus_meets_obstacles() {
    let side = 0.008_f32;
    for start in [1.0e7_f32, -1.0e7] {
        let x = f64::from(start).rem_euclid(f64::from(side)) as f32;
        let beside = (x + side / 2.0) % side;
        let [hit, missed] = [x, beside].map(|x| {
            let mut scene = Scene::new(World::torus(side, side));
            for y in [0.002, 0.003, 0.004, 0.005] {
                scene = scene.obstacle(Obstacle::new([x, y], 0.001));
            }
            scene.build().unwrap().ray([start, 0.0], [start, 0.004]).unwrap()
        });
        let hit = hit.unwrap();
        assert!(hit.met == Met::Obstacle(0) && (hit.distance - 0.001).abs() < 1.0e-5, "{hit:?}");
        assert_eq!(missed, None);
    }
}

#[test]
fn rays_in_space_meet_spheres_polygons_and_upright_walls() {
    let crowd = Scene::new(World::bounded(100.0, 100.0).depth(100.0))
        .obstacle(Obstacle::new([50.0, 50.0, 50.0], 5.0))
        .wall(Wall::new([[70.0, 0.0], [70.0, 100.0]]))
        .wall(Wall::new([
            [0.0, 0.0, 20.0],
            [60.0, 0.0, 20.0],
            [60.0, 60.0, 20.0],
            [0.0, 60.0, 20.0],
        ]))
        .build()
        .unwrap();
    let ray = |from: [f32; 3], to: [f32; 3]| {
        let hit = crowd.ray(from, to).unwrap();
        hit.map(|hit| (hit.met, hit.position.map(f32::round), hit.distance.round()))
    };
    let ball = ray([0.0, 50.0, 50.0], [100.0, 50.0, 50.0]);
    assert_eq!(ball, Some((Met::Obstacle(0), [45.0, 50.0, 50.0], 45.0)));
    let wall = ray([0.0, 50.0, 60.0], [100.0, 50.0, 60.0]);
    assert_eq!(wall, Some((Met::Wall(0), [70.0, 50.0, 60.0], 70.0)));
    for x in [10.0, 50.0] {
        // One ray for each of the floor's two triangles.
        let floor = ray([x, 30.0, 0.0], [x, 30.0, 40.0]);
        assert_eq!(floor, Some((Met::Polygon(1), [x, 30.0, 20.0], 20.0)));
    }
    assert_eq!(ray([65.0, 30.0, 0.0], [65.0, 30.0, 100.0]), None);
    let refused = crowd.ray([0.0, 0.0], [1.0, 1.0]).unwrap_err().to_string();
    assert!(refused.contains("from"), "{refused}");
    let refused = crowd.ray([0.0; 3], [f32::NAN, 0.0, 0.0]).unwrap_err().to_string();
    assert!(refused.contains("to"), "{refused}");
}

#[test]
fn rays_pass_neither_through_joints_of_walls_nor_between_the_triangles_of_a_floor() {
    // Regression: rounding let rays through where two pieces meet.
    let joint = Scene::new(World::bounded(100.0, 100.0))
        .wall(Wall::new([[54.0, 33.0], [72.0, 21.0], [99.0, 32.0]]))
        .build()
        .unwrap();
    for [from, to] in [[[69.0, 9.0], [74.0, 29.0]], [[74.0, 29.0], [69.0, 9.0]]] {
        assert!(joint.ray(from, to).unwrap().is_some(), "{from:?} to {to:?}");
    }
    let mut draw = Draw::new(3);
    let random = (0..300).map(|_| [1.0 + draw.below(90) as f32, 1.0 + draw.below(90) as f32]);
    for [width, height] in random.chain([[10.0, 30.0]]) {
        let corners = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]];
        let floor = Scene::new(World::bounded(100.0, 100.0).depth(100.0))
            .wall(Wall::new(corners.map(|[x, y]| [x, y, 20.0])))
            .build()
            .unwrap();
        let [x, y] = [width / 2.0, height / 2.0];
        for [from, to] in [[0.0, 40.0], [40.0, 0.0]].map(|ends| ends.map(|z| [x, y, z])) {
            assert!(floor.ray(from, to).unwrap().is_some(), "{from:?} to {to:?}");
        }
    }
}

#[test]
fn agents_in_scenery_are_those_that_overlap_it() {
    for seed in 0..40 {
        // Some rooms have no space for all of their large agents.
        let Ok(mut crowd) = Room::random(seed).scene.build() else { continue };
        crowd.run(30).unwrap();
        assert_eq!(crowd.agents_in_scenery(), [], "{seed}: solid scenery holds");
    }
    let species = Species::new("agent", 500).radius([0.0, 6.0]);
    let scene = Scene::new(World::torus(200.0, 150.0)).species(species);
    let scene = scene.obstacle(Obstacle::new([195.0, 3.0], 20.0));
    let crowd = scene.build().unwrap();
    let overlaps = |&id: &flockwork::AgentId| {
        let [x, y, _] = crowd.displacement([195.0, 3.0], crowd.get(Vector::Position, id).unwrap());
        x.hypot(y) < 20.0 + crowd.get(Number::Radius, id).unwrap()
    };
    let mut expected: Vec<_> = ids(&crowd).into_iter().filter(overlaps).collect();
    expected.sort_unstable();
    assert!(expected.len() > 10);
    assert_eq!(crowd.agents_in_scenery(), expected);
}
