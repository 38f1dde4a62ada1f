//! Distances and directions to the goal, by first-order upwind fast marching (Sethian 1996).
//!
//! Cells close to a goal start with their exact distance if there is room along the straight line
//! to it. The march then visits the free cells in roughly increasing order of distance, sorted into
//! buckets. Buckets need no heap, but a cell whose distance falls after its visit is visited again.
//! Apart from rounding, the solution does not depend on the order of visits. It is bit-identical on
//! every machine, because all machines visit in the same order and use only + - x / and square
//! roots.
//!
//! An agent at a wall may be in a cell that is not free. If the march continued through such cells,
//! it would lead agents through doors that are too narrow. Instead, a second march leads from each
//! such cell to the nearest free cell, without crossing a wall.

use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::scenery::field::{FAR, Field};
use crate::scenery::route::floor::{Exact, Floor, JOINED, PASSES, ROUNDING, WaysToFree};
use crate::scenery::route::task::{GoalShape, Task};

/// Cells whose centers are at most this many cells from a goal start with their exact distance.
const EXACT_CELLS: f64 = 8.0;
/// Within this many cells of a goal where agents brake, the speed falls in proportion to the
/// distance.
const REST_CELLS: f64 = 2.0;
/// Buckets of the march per cell of distance. More buckets need a longer ring; fewer cause more
/// repeated visits.
const BUCKETS_PER_CELL: f64 = 2.0;
/// Length of the ring of buckets. It must cover the range of distances in the front: at most
/// `EXACT_CELLS` at the start, and then about one cell beyond the cell being visited.
const BUCKETS: usize = 32;
/// Radius of the disk that tests a line of sight, as a fraction of a cell.
const SIGHT: f64 = 1.0e-6;

/// A cell with a straight way to a goal. A large box has as many as the floor has cells, so seeds
/// exist only while a route is solved.
struct Seed {
    cell: usize,
    distance: f64,
    /// Unit vector, but shorter close to a goal.
    direction: Exact,
    /// Distance within which an agent must be able to stop.
    rest: f64,
}

/// Finds the cells where the march starts, sorted, and sets their distances. Of several goals near
/// a cell, the nearest one counts.
///
/// Agents that brake at a goal blend the directions of all cells around it. So the cells around it
/// that are not free also lead straight to the goal. Otherwise, agents would stop beside a goal
/// that is close to an obstacle.
fn seeds(floor: &Floor, goals: &[GoalShape], distances: &mut [f64]) -> Vec<Seed> {
    let mut seeds: Vec<Seed> = Vec::new();
    let rest = REST_CELLS * floor.largest_cell();
    for goal in goals {
        let Some(radius) = radius_at(floor, goal) else { continue };
        for_each_near(floor, goal, |cell, center, offset| {
            let distance = offset.length();
            let is_blocked = radius >= floor.radius && !floor.is_free(cell);
            let brakes = matches!(goal, GoalShape::Line(_)) && distance <= rest;
            let radius = if is_blocked { sight(floor) } else { radius };
            if distance >= distances[cell]
                || is_blocked && !brakes
                || !floor.has_room(center, offset, radius)
            {
                return;
            }
            let slowing = |offset: Exact| {
                let rest = offset.length().max(rest);
                (offset * (1.0 / rest), rest)
            };
            let (direction, rest) = match goal {
                GoalShape::Line(_) => slowing(offset),
                GoalShape::Box([low, high]) if distance == 0.0 => {
                    slowing((Exact::from_f32(*low) + Exact::from_f32(*high)) * 0.5 - center)
                }
                GoalShape::Box(_) => (offset * (1.0 / distance), FAR.into()),
            };
            distances[cell] = distance;
            seeds.push(Seed { cell, distance, direction, rest });
        });
        if seeds.len() > floor.len() {
            seeds.retain(|seed| seed.distance == distances[seed.cell]);
        }
    }
    seeds.retain(|seed| seed.distance == distances[seed.cell]);
    seeds.sort_by_key(|seed| seed.cell);
    seeds
}

/// Refuses goals that no agent can get near.
pub(super) fn check_goals(floor: &Floor, task: &Task) -> Result<(), Error> {
    let lost = task.goals.iter().find(|goal| radius_at(floor, goal).is_none());
    let Some(goal) = lost else { return Ok(()) };
    let [low, high] = goal.corners().map(|corner| floor.space.written(corner));
    let value = if low == high { low } else { format!("{low} to {high}") };
    let allowed = format!(
        "where an agent of radius {} can get near it, outside walls and obstacles",
        task.radius
    );
    Err(Error::refused(format!("{}.goal", task.field), value, allowed))
}

/// Radius of the largest disk that can move straight to the goal from some cell: an agent, or a
/// tiny disk, since no agent can reach a goal that is nearer to a wall than the agent's radius. The
/// route then leads as near to the goal as possible.
fn radius_at(floor: &Floor, goal: &GoalShape) -> Option<f64> {
    [floor.radius, sight(floor)].into_iter().find(|&radius| {
        let mut found = false;
        for_each_near(floor, goal, |_, center, offset| {
            found = found || floor.has_room(center, offset, radius);
        });
        found
    })
}

/// Radius of a disk that is small enough to fit wherever nothing is in the way.
fn sight(floor: &Floor) -> f64 {
    SIGHT * floor.largest_cell()
}

/// Calls `visit` with each cell near a goal, its center, and the offset from there to the goal.
fn for_each_near(floor: &Floor, goal: &GoalShape, mut visit: impl FnMut(usize, Exact, Exact)) {
    let near = EXACT_CELLS * floor.largest_cell();
    let visit = |cell: usize, center: Exact| {
        let offset = goal.offset_from(center);
        if offset.length() <= near {
            visit(cell, center, offset);
        }
    };
    let [low, high] = goal.corners().map(Exact::from_f32);
    match goal {
        GoalShape::Line(_) => floor.for_each_near([low, high], near, visit),
        GoalShape::Box(_) => {
            let columns = [low.x - near, high.x + near];
            floor.for_each_between([low.y - near, high.y + near], |_| columns, visit);
        }
    }
}

pub(super) fn solve(floor: &Floor, goals: &[GoalShape]) -> Field {
    let mut distances = vec![f64::INFINITY; floor.len()];
    let seeds = seeds(floor, goals, &mut distances);
    let mut to_goal = March::<PASSES>::new(floor, distances);
    seeds.iter().for_each(|seed| to_goal.front.push(seed.cell, seed.distance));
    to_goal.run();
    let mut distances = to_goal.distances;
    let own_ways;
    let ways = if seeds.iter().all(|seed| floor.is_free(seed.cell)) {
        floor.ways.get_or_init(|| ways_to_free(floor, |cell| floor.is_free(cell)))
    } else {
        own_ways = ways_to_free(floor, |cell| floor.is_free(cell) || distances[cell].is_finite());
        &own_ways
    };
    for &(cell, nearest, length) in &ways.steps {
        distances[cell as usize] = distances[nearest as usize] + length;
    }

    // Agents slow down near a line or a point, but enter a box at full speed.
    let brakes = goals.iter().all(|goal| matches!(goal, GoalShape::Line(_)));
    let rest = REST_CELLS * floor.largest_cell();
    // Rounding alone may have lowered an exact distance slightly.
    let is_exact = |seed: &&Seed| distances[seed.cell] >= seed.distance * (1.0 - ROUNDING);
    let mut exact = seeds.iter().filter(is_exact).peekable();
    let Exact { x: width, y: height, .. } = floor.cell;
    let in_cells = |origin: f64, cell: f64| (-origin / cell - 0.5) as f32;
    let origin = Vec3::flat(in_cells(floor.origin.x, width), in_cells(floor.origin.y, height));
    let inverse_cell = Vec3::flat((1.0 / width) as f32, (1.0 / height) as f32);
    let counts = [floor.columns, floor.rows];
    Field::new([origin, inverse_cell], counts, floor.space.is_torus(), |cell| {
        let distance = distances[cell];
        let (direction, rest) = if let Some(seed) = exact.next_if(|seed| seed.cell == cell) {
            (seed.direction, seed.rest)
        } else if distance == f64::INFINITY {
            (Exact::default(), FAR.into())
        } else {
            let direction = match ways.distances[cell] > 0.0 {
                true => downhill::<JOINED>(floor, &ways.distances, cell),
                false => downhill::<PASSES>(floor, &distances, cell),
            };
            (direction, if brakes { distance.max(rest) } else { FAR.into() })
        };
        [direction.x as f32, direction.y as f32, rest as f32, distance as f32]
    })
}

/// Leads from all other cells to the nearest start: a free cell, or a seed in a cell that is not.
fn ways_to_free(floor: &Floor, is_start: impl Fn(usize) -> bool) -> WaysToFree {
    let joined = |cell: usize| floor.beside::<JOINED>(cell).into_iter();
    let start = |cell| if is_start(cell) { 0.0 } else { f64::INFINITY };
    let mut march = March::<JOINED>::new(floor, (0..floor.len()).map(start).collect());
    let mut blocked: Vec<usize> = (0..floor.len()).filter(|&cell| !is_start(cell)).collect();
    for &cell in &blocked {
        let starts = joined(cell).filter(|&other| is_start(other));
        starts.for_each(|start| march.front.push(start, 0.0));
    }
    march.run();
    let distances = march.distances;
    blocked.retain(|&cell| distances[cell] < f64::INFINITY);
    blocked.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    let step = |cell: usize| {
        let nearest = joined(cell).min_by(|&a, &b| distances[a].total_cmp(&distances[b]))?;
        Some((cell as u32, nearest as u32, distances[cell] - distances[nearest]))
    };
    WaysToFree { steps: blocked.into_iter().filter_map(step).collect(), distances }
}

/// Unit vector in the direction of decreasing distance.
fn downhill<const KIND: u16>(floor: &Floor, distances: &[f64], cell: usize) -> Exact {
    let here = distances[cell];
    let [right, left, up, down] = floor.beside::<KIND>(cell).map(|other| distances[other]);
    let along = |ahead: f64, behind: f64, size: f64| {
        let nearest = if ahead <= behind { ahead } else { behind };
        let fall = if nearest < here { here - nearest } else { 0.0 };
        (if ahead <= behind { fall } else { -fall }) / size
    };
    let (x, y) = (along(right, left, floor.cell.x), along(up, down, floor.cell.y));
    Vec3 { x, y, z: 0.0 }.normalized()
}

/// A march in progress: the distances found so far, and a front of cells whose neighbors may still
/// get shorter distances.
struct March<'a, const KIND: u16> {
    floor: &'a Floor,
    /// The inverse squares of a cell's width and height, and the inverse of the sum of these
    /// squares.
    inverse_sq: [f64; 2],
    inverse_sum: f64,
    distances: Vec<f64>,
    front: Front,
}

impl<'a, const KIND: u16> March<'a, KIND> {
    fn new(floor: &'a Floor, distances: Vec<f64>) -> Self {
        let inverse_sq = [floor.cell.x, floor.cell.y].map(|side| 1.0 / (side * side));
        let inverse_sum = 1.0 / (inverse_sq[0] + inverse_sq[1]);
        let front = Front::new(floor.largest_cell());
        Self { floor, inverse_sq, inverse_sum, distances, front }
    }

    /// Lowers a cell's distance if the new one is shorter.
    #[inline]
    fn relax(&mut self, cell: usize, distance: f64) {
        if distance < self.distances[cell] {
            self.distances[cell] = distance;
            self.front.push(cell, distance);
        }
    }

    fn run(&mut self) {
        while let Some(cell) = self.front.pop() {
            let here = self.distances[cell];
            for other in self.floor.beside::<KIND>(cell) {
                if self.distances[other] > here {
                    self.update(other);
                }
            }
        }
    }

    /// Computes the distance of a cell, given the distances of its neighbors.
    #[inline]
    fn update(&mut self, cell: usize) {
        let at = |other: usize| if other == cell { f64::INFINITY } else { self.distances[other] };
        let [right, left, up, down] = self.floor.beside::<KIND>(cell).map(at);
        let (a, b) = (right.min(left), up.min(down));
        let Exact { x: width, y: height, .. } = self.floor.cell;
        let straight = (a + width).min(b + height);
        let ([of_a, of_b], apart) = (self.inverse_sq, a - b);
        let root = of_a + of_b - of_a * of_b * apart * apart;
        let slanted = (of_a * a + of_b * b + root.max(0.0).sqrt()) * self.inverse_sum;
        let distance = if root > 0.0 && slanted >= a.max(b) { slanted } else { straight };
        self.relax(cell, distance);
    }
}

/// Cells to visit, sorted by distance into a ring of buckets.
struct Front {
    buckets: Vec<Vec<u32>>,
    /// Index of the bucket that is being visited, and number of its cells visited so far.
    bucket: usize,
    visited: usize,
    waiting: usize,
    buckets_per_unit: f64,
}

impl Front {
    fn new(cell: f64) -> Self {
        let (buckets, buckets_per_unit) = (vec![Vec::new(); BUCKETS], BUCKETS_PER_CELL / cell);
        Self { buckets, bucket: 0, visited: 0, waiting: 0, buckets_per_unit }
    }

    fn push(&mut self, cell: usize, distance: f64) {
        let bucket = ((distance * self.buckets_per_unit) as usize).max(self.bucket);
        self.buckets[bucket % BUCKETS].push(cell as u32);
        self.waiting += 1;
    }

    fn pop(&mut self) -> Option<usize> {
        self.waiting = self.waiting.checked_sub(1)?;
        loop {
            let bucket = &mut self.buckets[self.bucket % BUCKETS];
            if let Some(&cell) = bucket.get(self.visited) {
                self.visited += 1;
                return Some(cell as usize);
            }
            bucket.clear();
            (self.bucket, self.visited) = (self.bucket + 1, 0);
        }
    }
}
