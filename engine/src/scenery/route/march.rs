//! Distances to the goal, by first-order upwind fast marching (Sethian 1996), and their directions.
//!
//! Cells close to a goal, with room on the straight line to it, start with their exact distance. The
//! march then visits the free cells in the order of their distance; equally far ones by their number.
//! Only + - x / and square roots: the same bits on every machine.
//!
//! An agent at a wall stands in a cell that is not free, since it is nearer to the wall than the radius.
//! If the march went on there, it would lead through doors that are too narrow. A second march
//! therefore leads from such cells to the nearest free one, without crossing a wall.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::scenery::route::field::{FAR, Field, Sample};
use crate::scenery::route::floor::{DOWN, Exact, Floor, JOINED, LEFT, PASSES, RIGHT, SIDES, UP};
use crate::scenery::route::task::{Place, Task};

/// Cells whose centers are at most this many cells from a goal start with their exact distance.
const EXACT_CELLS: f64 = 8.0;
/// Within this many cells of a point, the speed falls in proportion to the distance.
const REST_CELLS: f64 = 2.0;
/// Room that a line of sight needs, as a fraction of a cell.
const SIGHT: f64 = 1.0e-6;

/// A cell with a straight way to a goal.
#[derive(Debug)]
pub(super) struct Seed {
    cell: usize,
    distance: f64,
    sample: Sample,
}

/// Cells where the march starts.
pub(super) fn seeds(floor: &Floor, task: &Task) -> Result<Vec<Seed>, Error> {
    let mut all = Vec::new();
    for goal in &task.goals {
        // No agent can reach a goal that is nearer to a wall than its radius. It gets as near as it can.
        let mut seeds = seeds_with(floor, goal, floor.radius);
        if seeds.is_empty() {
            seeds = seeds_with(floor, goal, sight(floor));
        }
        if seeds.is_empty() {
            let [low, high] = goal.corners().map(|corner| floor.space.written(corner));
            let value = if low == high { low } else { format!("{low} to {high}") };
            let allowed = format!(
                "where an agent of radius {} can get near it, outside walls and obstacles",
                task.radius
            );
            return Err(Error::refused(format!("{}.goal", task.field), value, allowed));
        }
        all.append(&mut seeds);
    }
    // Of several goals near a cell, the nearest one counts.
    all.sort_by(|a, b| a.cell.cmp(&b.cell).then(a.distance.total_cmp(&b.distance)));
    all.dedup_by_key(|seed| seed.cell);
    Ok(all)
}

/// Radius of a disk that has room wherever nothing is in the way.
fn sight(floor: &Floor) -> f64 {
    SIGHT * floor.largest_cell()
}

/// Cells from which a disk of this radius can move straight to the goal.
///
/// Agents that brake at a goal blend the directions of all cells around it. So there, cells that are not
/// free lead straight to it as well: otherwise, agents would rest beside a goal close to an obstacle.
fn seeds_with(floor: &Floor, goal: &Place, radius: f64) -> Vec<Seed> {
    let (rest, near) = (REST_CELLS * floor.largest_cell(), EXACT_CELLS * floor.largest_cell());
    let mut seeds = Vec::new();
    let needs_free = radius >= floor.radius;
    let mut visit = |cell: usize, center: Exact| {
        let offset = goal.offset_from(center);
        let distance = offset.length();
        let is_blocked = needs_free && !floor.is_free(cell);
        let brakes = matches!(goal, Place::Line(_)) && distance <= rest;
        let radius = if is_blocked { sight(floor) } else { radius };
        if distance > near || is_blocked && !brakes || !floor.has_room(center, offset, radius) {
            return;
        }
        let slowing = |offset: Exact| {
            let rest = offset.length().max(rest);
            Sample { direction: offset * (1.0 / rest), rest }
        };
        let sample = match goal {
            Place::Line(_) => slowing(offset),
            Place::Box([low, high]) if distance == 0.0 => {
                slowing((Exact::from_f32(*low) + Exact::from_f32(*high)) * 0.5 - center)
            }
            Place::Box(_) => Sample { direction: offset * (1.0 / distance), rest: FAR },
        };
        seeds.push(Seed { cell, distance, sample });
    };
    match *goal {
        Place::Line(ends) => floor.for_each_near(ends.map(Exact::from_f32), near, &mut visit),
        Place::Box(corners) => {
            let [low, high] = corners.map(Exact::from_f32);
            let middle = (low.y + high.y) * 0.5;
            let ends = [Vec3 { y: middle, ..low }, Vec3 { y: middle, ..high }];
            floor.for_each_near(ends, near + (high.y - low.y) * 0.5, &mut visit);
        }
    }
    seeds
}

pub(super) fn solve(floor: &Floor, seeds: &[Seed], brakes: bool) -> Field {
    let mut to_goal = March::new(floor, PASSES);
    for seed in seeds {
        to_goal.reach(seed.cell, seed.distance);
    }
    to_goal.run(|_, _| {});
    let mut distances = to_goal.distances;
    let exact = seeds.iter().filter(|seed| distances[seed.cell] == seed.distance);
    let exact: Vec<&Seed> = exact.collect();

    let mut to_free = March::new(floor, JOINED);
    for (cell, &distance) in distances.iter().enumerate() {
        if floor.is_free(cell) || distance < f64::INFINITY {
            (to_free.distances[cell], to_free.done[cell]) = (0.0, true);
        }
    }
    for cell in 0..floor.len() {
        if !to_free.done[cell] {
            to_free.update(cell);
        }
    }
    to_free.run(|march, cell| {
        let beside = (0..SIDES).filter_map(|side| floor.beside(cell, side, JOINED));
        let known = beside
            .filter(|&other| march.done[other] && march.distances[other] < march.distances[cell]);
        let nearest = known.min_by(|&a, &b| march.distances[a].total_cmp(&march.distances[b]));
        if let Some(nearest) = nearest {
            let farther = march.distances[cell] - march.distances[nearest];
            distances[cell] = distances[nearest] + farther;
        }
    });

    let rest = REST_CELLS * floor.largest_cell();
    let mut exact = exact.into_iter().peekable();
    Field::new(floor, |cell| {
        let distance = distances[cell];
        if let Some(seed) = exact.next_if(|seed| seed.cell == cell) {
            return (distance, seed.sample);
        }
        if distance == f64::INFINITY {
            return (distance, Sample { direction: Exact::default(), rest: FAR });
        }
        let blocked = to_free.distances[cell] > 0.0;
        let direction = match blocked {
            true => downhill(floor, &to_free.distances, cell, JOINED),
            false => downhill(floor, &distances, cell, PASSES),
        };
        let rest = if brakes { distance.max(rest) } else { FAR };
        (distance, Sample { direction, rest })
    })
}

/// Unit vector in the direction in which the distance falls.
fn downhill(floor: &Floor, distances: &[f64], cell: usize, kind: u16) -> Exact {
    let here = distances[cell];
    let along = |ahead: usize, behind: usize, size: f64| {
        let fall = |side: usize| {
            let beside = floor.beside(cell, side, kind);
            beside.map_or(0.0, |other| (here - distances[other]).max(0.0)) / size
        };
        let (ahead, behind) = (fall(ahead), fall(behind));
        if ahead >= behind { ahead } else { -behind }
    };
    let (x, y) = (along(RIGHT, LEFT, floor.cell.x), along(UP, DOWN, floor.cell.y));
    Vec3 { x, y, z: 0.0 }.normalized()
}

struct March<'a> {
    floor: &'a Floor,
    kind: u16,
    distances: Vec<f64>,
    done: Vec<bool>,
    /// Bits of a positive distance sort like the distance.
    front: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> March<'a> {
    fn new(floor: &'a Floor, kind: u16) -> Self {
        let (distances, done) = (vec![f64::INFINITY; floor.len()], vec![false; floor.len()]);
        Self { floor, kind, distances, done, front: BinaryHeap::new() }
    }

    fn reach(&mut self, cell: usize, distance: f64) {
        if distance < self.distances[cell] {
            self.distances[cell] = distance;
            self.front.push(Reverse((distance.to_bits(), cell as u32)));
        }
    }

    fn run(&mut self, mut visit: impl FnMut(&Self, usize)) {
        while let Some(Reverse((_, cell))) = self.front.pop() {
            let cell = cell as usize;
            if std::mem::replace(&mut self.done[cell], true) {
                continue;
            }
            visit(self, cell);
            for side in 0..SIDES {
                if let Some(other) = self.floor.beside(cell, side, self.kind)
                    && !self.done[other]
                {
                    self.update(other);
                }
            }
        }
    }

    /// Computes a cell's distance from the neighbors that are done.
    fn update(&mut self, cell: usize) {
        let nearest = |sides: [usize; 2]| {
            let known = sides.map(|side| match self.floor.beside(cell, side, self.kind) {
                Some(other) if self.done[other] => self.distances[other],
                _ => f64::INFINITY,
            });
            known[0].min(known[1])
        };
        let (a, b) = (nearest([RIGHT, LEFT]), nearest([UP, DOWN]));
        let Exact { x: width, y: height, .. } = self.floor.cell;
        let straight = (a + width).min(b + height);
        let (of_a, of_b) = (1.0 / (width * width), 1.0 / (height * height));
        let (sum, apart) = (of_a + of_b, a - b);
        let root = sum - of_a * of_b * apart * apart;
        let slanted = (of_a * a + of_b * b + root.max(0.0).sqrt()) / sum;
        let distance = if root > 0.0 && slanted >= a.max(b) { slanted } else { straight };
        self.reach(cell, distance);
    }
}
