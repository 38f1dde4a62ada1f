use flockwork::{Obstacle, Scene, Wall, World};

use crate::common::rooms::Draw;

/// A room with walls, disks and a goal.
pub(super) struct Plan {
    pub(super) size: [f64; 2],
    pub(super) walls: Vec<[[f64; 2]; 2]>,
    pub(super) disks: Vec<([f64; 2], f64)>,
    pub(super) goal: [f64; 2],
}

impl Plan {
    /// Walls across the room with doors 2.2 to 12 radii wide, plus random walls and disks.
    pub(super) fn random(seed: u64, radius: f64) -> Self {
        let mut draw = Draw::new(seed);
        let mut between = |low: f64, high: f64| f64::from(draw.between(low as f32, high as f32));
        let size = [between(40.0, 70.0), between(30.0, 50.0)].map(|side| side * radius);
        let mut walls = Vec::new();
        for k in 0..between(1.0, 4.0) as usize {
            let axis = if between(0.0, 1.0) < 0.7 { 0 } else { 1 };
            let (across, along) = (size[axis], size[1 - axis]);
            let at = across * (k as f64 + 0.7 + between(0.0, 0.6)) / 4.0;
            let (slant, door) = (between(-3.0, 3.0) * radius, between(2.2, 12.0) * radius);
            let low = between(0.0, along - door);
            let point = |share: f64| {
                let (x, y) = (at + slant * (share / along - 0.5), share);
                if axis == 0 { [x, y] } else { [y, x] }
            };
            walls.push([point(0.0), point(low)]);
            walls.push([point(low + door), point(along)]);
        }
        let mut inside = || [0, 1].map(|axis| between(0.05, 0.95) * size[axis]);
        let goal = inside();
        for _ in 0..3 {
            let from = inside();
            let to = inside();
            let share = 0.3;
            walls.push([from, [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))]);
        }
        let centers = [inside(), inside(), inside()];
        let disks = centers.map(|center| (center, between(0.5, 5.0) * radius)).to_vec();
        // The engine sees only `f32` values.
        let rounded = |at: [f64; 2]| at.map(|along| f64::from(along as f32));
        Self {
            size: rounded(size),
            walls: walls.into_iter().map(|wall| wall.map(rounded)).collect(),
            disks: disks
                .into_iter()
                .map(|(at, disk)| (rounded(at), f64::from(disk as f32)))
                .collect(),
            goal: rounded(goal),
        }
    }

    pub(super) fn scene(&self) -> Scene {
        let [width, height] = self.size.map(|side| side as f32);
        let point = |at: [f64; 2]| at.map(|along| along as f32);
        let mut scene = Scene::new(World::bounded(width, height)).solid(true);
        for wall in &self.walls {
            scene = scene.wall(Wall::new(wall.map(point)).two_sided());
        }
        for &(center, radius) in &self.disks {
            scene = scene.obstacle(Obstacle::new(point(center), radius as f32));
        }
        scene
    }

    /// Distance from a point to the nearest wall or disk.
    pub(super) fn clearance(&self, at: [f64; 2]) -> f64 {
        let to_disk =
            |&(center, disk): &([f64; 2], f64)| (at[0] - center[0]).hypot(at[1] - center[1]) - disk;
        let disks = self.disks.iter().map(to_disk);
        let walls = self.walls.iter().map(|&wall| super::visibility::to_segment(at, wall));
        disks.chain(walls).fold(f64::INFINITY, f64::min)
    }
}
