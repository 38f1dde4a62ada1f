use flockwork::behaviors::{Seek, Wander};
use flockwork::{Number, Obstacle, Scene, Simulation, Species, Start, Topology, Wall, World};

use crate::common::agents::ids;
use crate::common::measures::sides;
use crate::common::space::lifted;

const SIDE: f32 = 1_000.0;

pub(crate) struct Room {
    pub(crate) scene: Scene,
    corners: Vec<[f32; 2]>,
}

/// A xorshift random-number generator.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub(crate) fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f32) as usize).min(count - 1)
    }
}

impl Room {
    /// A room with acute and obtuse corners, obstacles, and walls that start at its corners, in any
    /// world and across seams. Agents of radius 0 to 50 try to leave at 1 to 1e5 units/s.
    pub(crate) fn random(seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let topology = [Topology::Torus, Topology::Bounded, Topology::Open][draw.below(3)];
        let torus = topology == Topology::Torus;
        let far = if torus { 230.0 } else { 600.0 };
        let center = if torus {
            [draw.between(0.0, SIDE), draw.between(0.0, SIDE)]
        } else {
            [SIDE / 2.0, SIDE / 2.0]
        };
        let at = |angle: f32, radius: f32| {
            [center[0] + radius * angle.cos(), center[1] + radius * angle.sin()]
        };
        let count = 3 + draw.below(6);
        let turn = draw.between(0.0, 7.0);
        let (mut corners, mut least) = (Vec::new(), far);
        for k in 0..count {
            let radius = draw.between(0.3, 1.0) * far;
            least = least.min(radius);
            corners.push(at(turn + std::f32::consts::TAU * k as f32 / count as f32, radius));
        }
        let mut walls = Wall::new(corners.clone()).closed();
        walls.two_sided = draw.below(2) == 0;
        let largest = [0.0, 0.01, 1.0, 5.0, 20.0, 50.0][draw.below(6)];
        let fastest = if torus { 4.6 } else { 5.0 };
        let speed = 10.0_f32.powf(draw.between(0.0, fastest));
        let outside = at(draw.between(0.0, 7.0), 2.0 * far);
        let species = Species {
            start: Start::in_circle(center, least * 0.3),
            radius: [largest * draw.unit(), largest].into(),
            ..Species::new("agent", 40)
        };
        let species = species
            .max_speed([speed * 0.5, speed])
            .max_force(speed * 40.0)
            .behavior(Wander { weight: speed, ..Wander::default() })
            .behavior(Seek { weight: 20.0, target: outside.into() });
        let mut scene = Scene::new(World { topology, ..World::torus(SIDE, SIDE) })
            .seed(seed)
            .species(species)
            .wall(walls)
            .solid(true)
            .non_penetration([0, 0, 1, 2, 4, 8][draw.below(6)]);
        for _ in 0..draw.below(4) {
            let place = at(draw.between(0.0, 7.0), least * draw.unit());
            scene = scene.obstacle(Obstacle::new(place, draw.between(0.0, 20.0)));
        }
        for _ in 0..draw.below(3) {
            let corner = corners[draw.below(count)];
            let inner = at(draw.between(0.0, 7.0), least * draw.between(0.1, 0.4));
            scene = scene.wall(Wall::new([corner, inner]).two_sided());
        }
        Self { scene, corners }
    }

    /// A random room in a world with depth: its walls stand upright, and its obstacles are spheres.
    pub(crate) fn in_space(seed: u64) -> Self {
        let Self { scene, corners } = Self::random(seed);
        let mut draw = Draw::new(!seed);
        let torus = scene.world.topology == Topology::Torus;
        // A torus must be deeper than the distance that an agent can move per step.
        let depth = draw.between(if torus { 800.0 } else { 50.0 }, SIDE);
        Self { scene: lifted(scene, depth, || draw.between(0.0, depth)), corners }
    }

    pub(crate) fn assert_holds(&self, crowd: &Simulation, context: &str) {
        let nearest = |point: [f64; 2]| {
            let offset = [0, 1].map(|axis| f64::from(self.corners[0][axis]) - point[axis]);
            let turns = if crowd.world().topology == Topology::Torus {
                offset.map(|along| (along / f64::from(SIDE)).round() * f64::from(SIDE))
            } else {
                [0.0; 2]
            };
            [point[0] + turns[0], point[1] + turns[1]]
        };
        for id in ids(crowd) {
            let [x, y, _] = crowd.agent(id).unwrap().position.map(f64::from);
            let at = nearest([x, y]);
            assert!(is_inside(at, &self.corners), "{context}: agent {id} is outside, at {at:?}");
        }
        assert_clear(crowd, context);
    }
}

fn is_inside([x, y]: [f64; 2], corners: &[[f32; 2]]) -> bool {
    let mut inside = false;
    for (k, &to) in corners.iter().enumerate() {
        let from = corners[(k + corners.len() - 1) % corners.len()];
        let ([ax, ay], [bx, by]) = (from.map(f64::from), to.map(f64::from));
        if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
            inside = !inside;
        }
    }
    inside
}

/// Asserts that every agent stays at least its radius away from solid scenery, with a tolerance of
/// 1e-4 of the radius plus four gaps between `f32` numbers at its coordinates.
pub(crate) fn assert_clear(crowd: &Simulation, context: &str) {
    let torus = crowd.world().topology == Topology::Torus;
    let size = sides(crowd);
    let image = |from: [f64; 3], to: [f64; 3]| {
        [0, 1, 2].map(|axis| {
            let (offset, size) = (to[axis] - from[axis], f64::from(size[axis]));
            if torus && size > 0.0 { offset - (offset / size).round() * size } else { offset }
        })
    };
    for id in ids(crowd) {
        let position = crowd.agent(id).unwrap().position;
        let at = position.map(f64::from);
        let radius = crowd.get(Number::Radius, id).unwrap();
        let largest = position.iter().chain(&size).map(|x| x.abs()).fold(0.0, f32::max);
        let least =
            f64::from(radius) * (1.0 - 1.0e-4) - 4.0 * f64::from(largest.next_up() - largest);
        for obstacle in crowd.obstacles() {
            let [x, y] = obstacle.center.xy().map(f64::from);
            let z = obstacle.center.get(2).copied().unwrap_or_default();
            let [x, y, z] = image(at, [x, y, z.into()]);
            let clear = x.hypot(y).hypot(z) - f64::from(obstacle.radius);
            assert!(clear >= least, "{context}: {id} at {at:?}, {clear} from {obstacle:?}");
        }
        for wall in crowd.walls() {
            let [from, to] = wall.ends.map(|end| end.map(f64::from));
            let middle = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0, at[2]];
            let [x, y, _] = image(at, middle);
            let half = [(to[0] - from[0]) / 2.0, (to[1] - from[1]) / 2.0];
            let share = (-(x * half[0] + y * half[1]) / (half[0].powi(2) + half[1].powi(2)))
                .clamp(-1.0, 1.0);
            let clear = (x + half[0] * share).hypot(y + half[1] * share);
            assert!(clear >= least, "{context}: {id} at {at:?}, {clear} from {wall:?}");
        }
    }
}

pub(crate) fn crosses(from: [f32; 2], to: [f32; 2], wall: [[f32; 2]; 2]) -> bool {
    let [p, q, a, b] = [from, to, wall[0], wall[1]].map(|point| point.map(f64::from));
    let side = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    side(a, b, p) * side(a, b, q) < 0.0 && side(p, q, a) * side(p, q, b) < 0.0
}
