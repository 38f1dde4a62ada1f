//! Solid scenery that is moved onto agents pushes them out.

use std::sync::Arc;

use flockwork::behaviors::Wander;
use flockwork::{Obstacle, Scene, Snapshot, Species, Wall, World};

use crate::common::agents::{one, position, resting};
use crate::common::measures::distance;
use crate::slab::slabs::Slabs;

/// Moves solid scenery onto an agent of radius 3 at (50, 50), and returns its new position.
fn pushed(world: World, scenery: impl Fn(Scene) -> Scene) -> [f32; 2] {
    let scene =
        Scene::new(world).species(resting("agent", [50.0, 50.0], 0.0).radius(3.0)).solid(true);
    let mut crowd = scene.build().unwrap();
    crowd.set_scenery(&scenery(scene)).unwrap();
    position(&crowd, 0)
}

#[test]
fn solid_scenery_that_is_moved_onto_agents_pushes_them_out_by_the_shortest_free_way() {
    let room = || World::bounded(400.0, 300.0);
    let is_near = |at: [f32; 2], to: [f32; 2]| distance(at, to) < 1.0e-3;
    let disk = |x: f32, y: f32, radius: f32| {
        move |scene: Scene| scene.obstacle(Obstacle::new([x, y], radius))
    };
    let at = pushed(room(), disk(44.0, 50.0, 10.0));
    assert!(is_near(at, [57.0, 50.0]), "{at:?}");
    let center = pushed(room(), disk(50.0, 50.0, 10.0));
    assert!((distance(center, [50.0, 50.0]) - 13.0).abs() < 1.0e-3, "{center:?}");
    let wall =
        |x: f32| move |scene: Scene| scene.wall(Wall::new([[x, 0.0], [x, 300.0]]).two_sided());
    let at = pushed(room(), wall(49.0));
    assert!(is_near(at, [52.0, 50.0]), "{at:?}");
    // Two disks push the agent out at once; then, one disk pushes it into another.
    let at = pushed(room(), |scene| disk(46.0, 46.0, 4.0)(disk(46.0, 54.0, 4.0)(scene)));
    assert!(at[0] > 51.0 && (at[1] - 50.0).abs() < 2.0, "{at:?}");
    let at = pushed(room(), |scene| disk(62.0, 50.0, 4.0)(disk(44.0, 50.0, 10.0)(scene)));
    assert!(distance(at, [62.0, 50.0]) > 6.999 && distance(at, [44.0, 50.0]) > 12.999, "{at:?}");
    // A disk pushes the agent across the seam.
    let torus = World::torus(400.0, 300.0);
    let scene =
        Scene::new(torus).species(resting("agent", [398.0, 50.0], 0.0).radius(3.0)).solid(true);
    let mut crowd = scene.build().unwrap();
    crowd.set_scenery(&disk(392.0, 50.0, 10.0)(scene)).unwrap();
    assert!(is_near(position(&crowd, 0), [5.0, 50.0]), "{:?}", position(&crowd, 0));
}

#[test]
fn agents_stay_where_solid_scenery_leaves_no_free_way() {
    // The disk pushes the agent into a wall, and a way around would cross the wall.
    let blocked = |scene: Scene| {
        let scene = scene.obstacle(Obstacle::new([44.0, 50.0], 10.0));
        scene.wall(Wall::new([[55.0, 0.0], [55.0, 300.0]]).two_sided())
    };
    let world = World::bounded(400.0, 300.0);
    let at = pushed(world, blocked);
    assert!(at[0] <= 52.0 + 1.0e-3, "the wall holds: {at:?}");
    let walls = |scene: Scene| {
        let scene = scene.wall(Wall::new([[48.0, 0.0], [48.0, 300.0]]).two_sided());
        scene.wall(Wall::new([[52.0, 0.0], [52.0, 300.0]]).two_sided())
    };
    assert_eq!(pushed(world, walls), [50.0, 50.0]);
}

/// The agent's shortest free way out leads around the thin torus more than once.
#[test]
fn an_agent_that_is_pushed_out_of_scenery_stays_in_its_torus() {
    let scene = Scene::new(World::torus(1_000.0, 20.0)).solid(true);
    let agent = one("agent", [200.0, 10.0], 0.0).radius(15.0).max_speed(10.0);
    let mut crowd = scene.species(agent).build().unwrap();
    crowd
        .edit(|scene| {
            let points = (0..40_u8).map(|k| Obstacle::new([5.0 + 10.0 * f32::from(k), 0.0], 0.5));
            let beside = [190.0, 210.0].map(|x| Obstacle::new([x, 10.0], 1.0));
            Arc::make_mut(&mut scene.obstacles).extend(points.chain(beside));
        })
        .unwrap();
    let [_, y] = position(&crowd, 0);
    assert!((0.0..20.0).contains(&y), "{y}");
    Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap();
}

#[test]
fn an_agent_is_not_pushed_out_of_the_coordinate_limits_of_an_open_world() {
    // Regression: the agent ended at 10,000,056, and all later steps and snapshots were refused.
    let agent = resting("agent", [9_999_990.0, 0.0], 0.0).radius(5.0);
    let mut crowd =
        Scene::new(World::open(100.0, 100.0)).species(agent).solid(true).build().unwrap();
    let block = Obstacle::new([9_999_950.0, 0.0], 100.0);
    crowd.edit(|scene| scene.obstacles = vec![block].into()).unwrap();
    crowd.step().unwrap();
    assert_eq!(crowd.agents_in_scenery(), [], "{:?}", position(&crowd, 0));
    Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
}

#[test]
fn slabs_push_out_the_same_agents_when_solid_scenery_moves() {
    for seed in 0..6 {
        let species = Species::new("agent", 400).radius([0.5, 4.0]);
        let species = species.behavior(Wander::default());
        let scene = Scene::new(World::torus(400.0, 300.0)).seed(seed).species(species).solid(true);
        let mut whole = scene.build().unwrap();
        let mut parts = Slabs::of_snapshot(&whole.snapshot(), 1 + seed as usize % 4);
        for step in 0..20_u8 {
            let moved = |scene: &mut Scene| {
                let x = 100.0 + f32::from(step) * 8.0;
                scene.obstacles =
                    vec![Obstacle::new([x, 150.0], 30.0), Obstacle::new([x, 0.0], 20.0)].into();
            };
            whole.edit(moved).unwrap();
            parts.each_slab(|slab| slab.edit(moved), &Ok(()));
            whole.step().unwrap();
            parts.step(|_| None).unwrap();
            parts.assert_are(&whole, &format!("seed {seed}, step {step}"));
            assert_eq!(whole.agents_in_scenery(), [], "seed {seed}, step {step}");
        }
    }
}
