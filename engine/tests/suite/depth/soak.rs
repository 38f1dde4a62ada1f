//! Fifty million agent-steps among random solids in worlds with depth.

use std::ops::Range;
use std::thread;

use flockwork::behaviors::{Seek, Wander};
use flockwork::{Obstacle, Scene, Simulation, Species, Topology, Wall, World};

use crate::common::agents::ids;
use crate::common::rooms::{Draw, assert_clear, crosses};

const SIZE: [f32; 3] = [120.0, 90.0, 70.0];
const AGENTS: usize = 2_000;
const STEPS: usize = 250;

/// A world with spheres, upright walls and triangles, some of them across the seams of a torus.
/// The largest radius is from 0 to 2, the highest maximum speed from 1 to 4,000 units/s.
fn room(seed: u64) -> Scene {
    let mut draw = Draw::new(seed);
    let topology = [Topology::Torus, Topology::Bounded, Topology::Open][draw.below(3)];
    let speed = 10.0_f32.powf(draw.between(0.0, 3.6));
    let largest = [0.0, 0.5, 2.0][draw.below(3)];
    let place = |draw: &mut Draw| SIZE.map(|side| draw.between(0.0, side));
    let agents = Species::new("agent", AGENTS)
        .max_speed([0.3 * speed, speed])
        .max_force(speed * 40.0)
        .radius([0.0, largest])
        .behavior(Seek { weight: 20.0, target: place(&mut draw).into() })
        .behavior(Wander { weight: 5.0 * speed, ..Wander::default() });
    let [width, height, depth] = SIZE;
    let world = World { topology, ..World::torus(width, height) }.depth(depth);
    let mut scene = Scene::new(world).seed(seed).species(agents).solid(true);
    for _ in 0..6 {
        scene = scene.obstacle(Obstacle::new(place(&mut draw), draw.between(1.0, 14.0)));
    }
    let near = |center: [f32; 3], draw: &mut Draw| center.map(|x| x + draw.between(-15.0, 15.0));
    for k in 0..6 {
        let center = place(&mut draw);
        let corners = [(); 3].map(|()| near(center, &mut draw));
        let wall = match k % 2 {
            0 => Wall::new(corners),
            _ => Wall::new([corners[0], corners[1]].map(|[x, y, _]| [x, y])),
        };
        scene = scene.wall(wall.two_sided());
    }
    scene
}

type Exact = [f64; 3];

fn minus(a: Exact, b: Exact) -> Exact {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Exact, b: Exact) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Six times the signed volume of a tetrahedron.
fn volume([a, b, c, d]: [Exact; 4]) -> f64 {
    let ([x, y, z], [u, v, w]) = (minus(b, a), minus(c, a));
    dot([y * w - z * v, z * u - x * w, x * v - y * u], minus(d, a))
}

fn crosses_triangle([p, q]: [Exact; 2], [a, b, c]: [Exact; 3]) -> bool {
    let aside = [[p, q, a, b], [p, q, b, c], [p, q, c, a]].map(volume);
    volume([a, b, c, p]) * volume([a, b, c, q]) < 0.0
        && (aside.iter().all(|&side| side > 0.0) || aside.iter().all(|&side| side < 0.0))
}

fn distance_to_segment(at: Exact, [p, q]: [Exact; 2]) -> f64 {
    let (along, to) = (minus(q, p), minus(at, p));
    let share = (dot(to, along) / dot(along, along).max(1.0e-30)).clamp(0.0, 1.0);
    let off = minus(to, along.map(|x| x * share));
    dot(off, off).sqrt()
}

struct Shapes {
    spheres: Vec<(Exact, f64)>,
    walls: Vec<[[f32; 2]; 2]>,
    triangles: Vec<[Exact; 3]>,
    torus: bool,
}

impl Shapes {
    fn of(crowd: &Simulation) -> Self {
        let exact = |point: &[f32]| [point[0], point[1], point[2]].map(f64::from);
        let triangles = crowd.scene().walls.iter().filter(|wall| wall.points[0].len() == 3);
        Self {
            spheres: crowd
                .obstacles()
                .map(|one| (exact(&one.center), f64::from(one.radius)))
                .collect(),
            walls: crowd.walls().map(|wall| wall.ends).collect(),
            triangles: triangles
                .map(|wall| [0, 1, 2].map(|corner| exact(&wall.points[corner])))
                .collect(),
            torus: crowd.world().topology == Topology::Torus,
        }
    }

    /// The agent's straight path, shifted to the periodic image nearest to `center`.
    fn image(&self, from: Exact, offset: Exact, center: Exact) -> [Exact; 2] {
        let mut from = from;
        for axis in 0..3 {
            let size = f64::from(SIZE[axis]);
            if self.torus {
                from[axis] -= ((from[axis] - center[axis]) / size).round() * size;
            }
        }
        [from, [0, 1, 2].map(|axis| from[axis] + offset[axis])]
    }

    /// True if the agent's straight path leads through a solid.
    fn are_crossed(&self, from: Exact, offset: Exact) -> bool {
        let in_sphere = self.spheres.iter().any(|&(center, radius)| {
            distance_to_segment(center, self.image(from, offset, center)) < radius * (1.0 - 1.0e-4)
        });
        let through_triangle = self.triangles.iter().any(|&corners| {
            let [a, b, c] = corners;
            let center = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            crosses_triangle(self.image(from, offset, center), corners)
        });
        let through_wall = self.walls.iter().any(|&wall| {
            let middle = [0, 1].map(|axis| f64::from(wall[0][axis] + wall[1][axis]) / 2.0);
            let way = self.image(from, offset, [middle[0], middle[1], from[2]]);
            let [from, to] = way.map(|[x, y, _]| [x as f32, y as f32]);
            crosses(from, to, wall)
        });
        in_sphere || through_triangle || through_wall
    }
}

/// Returns the number of agent-steps, how many of them were next to a solid, and the number of
/// crossings.
fn walked(seed: u64) -> [u64; 3] {
    // Some rooms have no space for all of their large agents.
    let Ok(mut crowd) = room(seed).build() else { return [0; 3] };
    crowd.set_execution(crowd.execution().threads(1)).unwrap();
    let (shapes, all) = (Shapes::of(&crowd), ids(&crowd));
    let places = |crowd: &Simulation| -> Vec<[f32; 3]> {
        all.iter().map(|&id| crowd.agent(id).unwrap().position).collect()
    };
    let [mut steps, mut slid, mut crossed] = [0; 3];
    let mut before = places(&crowd);
    for step in 0..STEPS {
        crowd.step().unwrap();
        let after = places(&crowd);
        for ((&from, &to), &id) in before.iter().zip(&after).zip(&all) {
            let offset = crowd.displacement(from, to);
            steps += 1;
            // Beyond a quarter of the world, the shortest offset may not be the path taken.
            if (0..3).any(|axis| offset[axis].abs() > 0.25 * SIZE[axis]) {
                continue;
            }
            // Solid scenery removes part of the velocity, but leaves the heading.
            let state = crowd.agent(id).unwrap();
            let along = (0..3).map(|axis| state.velocity[axis] * state.heading[axis]).sum::<f32>();
            let speed = state.velocity.iter().map(|x| x * x).sum::<f32>().sqrt();
            slid += u64::from(along < 0.999 * speed);
            crossed += u64::from(shapes.are_crossed(from.map(f64::from), offset.map(f64::from)));
        }
        if step % 50 == 0 {
            assert_clear(&crowd, &format!("room {seed}, step {step}"));
        }
        before = after;
    }
    [steps, slid, crossed]
}

fn walk(rooms: Range<u64>) -> [u64; 3] {
    let threads = [0, 1].map(|half| {
        let rooms = rooms.clone().filter(move |seed| seed % 2 == half);
        thread::spawn(move || rooms.map(walked).fold([0; 3], added))
    });
    threads.into_iter().map(|thread| thread.join().unwrap()).fold([0; 3], added)
}

fn added(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[test]
fn a_million_agent_steps_among_solids_in_depth_cross_none() {
    let [steps, slid, crossed] = walk(0..2);
    assert!(steps == 1_000_000 && slid > 1_000, "{steps} agent-steps, {slid} at solids");
    assert_eq!(crossed, 0);
}

/// Run this test with `cargo test -p flockwork-suite fifty_million -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn fifty_million_agent_steps_among_solids_in_depth_cross_none() {
    let mut sum = [0; 3];
    for rooms in (0..100).step_by(4) {
        sum = added(sum, walk(rooms..rooms + 4));
        let [steps, slid, crossed] = sum;
        println!("{steps} agent-steps, {slid} of them at solids, {crossed} crossings");
    }
    let [steps, slid, crossed] = sum;
    assert!(steps >= 40_000_000 && slid > 100_000);
    assert_eq!(crossed, 0);
}
