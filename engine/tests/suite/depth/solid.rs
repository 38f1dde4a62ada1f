use flockwork::behaviors::{Seek, Wander};
use flockwork::{Obstacle, Partition, Scene, Simulation, Species, Start, Topology, Wall, World};

use crate::common::agents::ids;
use crate::common::rooms::{assert_clear, crosses};

const SIZE: [f32; 3] = [120.0, 90.0, 70.0];

fn scene(topology: Topology, speed: f32, passes: u32) -> Scene {
    let [width, height, depth] = SIZE;
    let world = World { topology, ..World::torus(width, height) }.depth(depth);
    let agents = Species::new("agent", 60)
        .max_speed([0.3 * speed, speed])
        .max_force(speed * 40.0)
        .radius([0.0, 2.0])
        .view_distance(10.0)
        .start(Start::in_box([1.0, 1.0, 1.0], [119.0, 89.0, 69.0]))
        .behavior(Seek { weight: 20.0, target: [60.0, 45.0, 30.0].into() })
        .behavior(Wander { weight: 5.0 * speed, ..Wander::default() });
    Scene::new(world)
        .species(agents)
        .obstacle(Obstacle::new([60.0, 45.0, 30.0], 14.0))
        .obstacle(Obstacle::new([70.0, 50.0, 45.0], 9.0))
        .obstacle(Obstacle::new([2.0, 3.0, 1.0], 12.0))
        .obstacle(Obstacle::new([90.0, 30.0, 66.0], 11.0))
        .wall(Wall::new([[30.0, 20.0], [35.0, 60.0], [10.0, 70.0]]).two_sided())
        .wall(Wall::new([[80.0, 70.0], [110.0, 60.0]]).two_sided())
        .solid(true)
        .non_penetration(passes)
}

#[test]
fn fast_agents_neither_enter_spheres_nor_cross_walls() {
    let mut steps = 0;
    for topology in [Topology::Torus, Topology::Bounded, Topology::Open] {
        // On a torus, the fastest agents move up to nearly its shorter side per step.
        for (speed, passes) in [(100.0, 0), (1_000.0, 2), (4_000.0, 0)] {
            let mut crowd = scene(topology, speed, passes).build().unwrap();
            let walls: Vec<_> = crowd.walls().map(|wall| wall.ends).collect();
            let all = ids(&crowd);
            let places = |crowd: &Simulation| -> Vec<[f32; 3]> {
                all.iter().map(|&id| crowd.agent(id).unwrap().position).collect()
            };
            for step in 0..40 {
                let before = places(&crowd);
                crowd.step().unwrap();
                assert_clear(&crowd, &format!("{topology:?}, {speed} units/s, step {step}"));
                for (from, to) in before.into_iter().zip(places(&crowd)) {
                    let offset = crowd.displacement(from, to);
                    let end = [from[0] + offset[0], from[1] + offset[1]];
                    let crossed =
                        walls.iter().find(|&&wall| crosses([from[0], from[1]], end, wall));
                    // Beyond a quarter of the world, the shortest offset may not be the path taken.
                    let is_far = (0..3).any(|axis| offset[axis].abs() > 0.25 * SIZE[axis]);
                    assert!(is_far || crossed.is_none(), "{topology:?}: {from:?} to {to:?}");
                    steps += 1;
                }
            }
        }
    }
    assert!(steps > 10_000, "{steps} agent-steps");
}

/// Spheres and walls turn the box's corners and edges into niches, each with a way out.
#[test]
fn no_corner_of_a_bounded_world_holds_an_agent_for_ever() {
    let [width, height, _] = SIZE;
    let mut scene = scene(Topology::Bounded, 60.0, 0);
    scene.obstacles = vec![].into();
    for bits in 0..8 {
        let corner =
            [0, 1, 2].map(|axis| if bits >> axis & 1 == 0 { 4.0 } else { SIZE[axis] - 4.0 });
        scene = scene.obstacle(Obstacle::new(corner, 1.9));
    }
    scene = scene
        .wall(Wall::new([[0.0, 25.0], [20.0, 0.0]]).two_sided())
        .wall(Wall::new([[width, 60.0], [100.0, height]]).two_sided());
    let agents = &mut scene.species[0];
    agents.behaviors = vec![Wander { weight: 300.0, ..Wander::default() }.into()];
    let mut crowd = scene.build().unwrap();
    let all = ids(&crowd);
    for round in 0..4 {
        let start: Vec<_> = all.iter().map(|&id| crowd.agent(id).unwrap().position).collect();
        let mut farthest = vec![0.0_f32; all.len()];
        for _ in 0..600 {
            crowd.step().unwrap();
            for ((&id, &from), far) in all.iter().zip(&start).zip(&mut farthest) {
                let [x, y, z] = crowd.displacement(from, crowd.agent(id).unwrap().position);
                *far = far.max(x.hypot(y).hypot(z));
            }
        }
        for (id, far) in all.iter().zip(farthest) {
            assert!(far > 5.0, "round {round}: {id} moved {far} units in 10 s");
        }
    }
}

/// The agent must not stop where the floor and the boulder meet.
#[test]
fn an_agent_on_the_floor_slides_around_a_boulder() {
    for aside in [0.0, 0.5, 3.0, 9.0] {
        let agent = Species::new("agent", 0)
            .max_speed(60.0)
            .max_force(600.0)
            .radius(1.0)
            .behavior(Seek { weight: 30.0, target: [110.0, 45.0, 0.0].into() });
        let [width, height, depth] = SIZE;
        let scene = Scene::new(World::bounded(width, height).depth(depth)).species(agent);
        let boulder = Obstacle::new([60.0, 45.0, 2.0], 10.0);
        let mut crowd = scene.obstacle(boulder).solid(true).build().unwrap();
        let id = crowd.spawn("agent", [20.0, 45.0 + aside, 0.0], [1.0, 0.0, 0.0]).unwrap();
        crowd.run(300).unwrap();
        let [x, ..] = crowd.agent(id).unwrap().position;
        assert!(x > 75.0 || aside == 0.0, "{aside}: it stopped at {x}");
    }
}

#[test]
fn an_agent_passes_above_a_sphere_in_a_straight_line() {
    let agent = Species::new("agent", 0).max_speed(60.0).radius(2.0);
    let [width, height, depth] = SIZE;
    let scene = Scene::new(World::bounded(width, height).depth(depth)).species(agent);
    let sphere = Obstacle::new([50.0, 45.0, 30.0], 14.0);
    let mut crowd = scene.obstacle(sphere).solid(true).build().unwrap();
    let id = crowd.spawn("agent", [20.0, 45.0, 47.0], [1.0, 0.0, 0.0]).unwrap();
    crowd.run(60).unwrap();
    let [x, y, z] = crowd.agent(id).unwrap().position;
    assert!((x - 80.0).abs() < 1.0e-3 && [y, z] == [45.0, 47.0], "{x}, {y}, {z}");
}

#[test]
fn a_ball_that_falls_onto_a_slope_among_many_solids_stops_at_the_wall_beside_it() {
    // Regression: among 512 solids or more, the search ignored how far a slope turns a fall aside.
    for partition in [Partition::Cells, Partition::AllPairs] {
        let agent = Species::new("agent", 0).max_speed(600.0).max_force(1.0).radius(1.0);
        let mut scene = Scene::new(World::bounded(100.0, 100.0).depth(100.0)).species(agent);
        for k in 0..600_u16 {
            let [x, y] = [k % 25, k / 25].map(|at| 45.0 + 0.4 * f32::from(at));
            scene = scene.obstacle(Obstacle::new([x, y, 99.0], 0.1));
        }
        let slope =
            [[20.0, 20.0, 85.0], [80.0, 20.0, 25.0], [80.0, 80.0, 25.0], [20.0, 80.0, 85.0]];
        scene = scene.wall(Wall::new(slope).two_sided());
        scene = scene.wall(Wall::new([[53.0, 20.0], [53.0, 80.0]]).two_sided());
        let mut crowd = scene.solid(true).build().unwrap();
        crowd.set_execution(crowd.execution().partition(partition)).unwrap();
        let id = crowd.spawn("agent", [50.0, 50.0, 57.5], [0.0, 0.0, -1.0]).unwrap();
        crowd.step().unwrap();
        let at = crowd.agent(id).unwrap().position;
        assert!((at[0] - 52.0).abs() < 1.0e-3, "{partition:?}: {at:?}");
    }
}
