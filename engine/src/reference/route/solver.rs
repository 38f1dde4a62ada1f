use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::reference::route::barrier::Barrier;
use crate::reference::route::layout::{Layout, SIDES};
use crate::reference::vector::V;
use crate::scenery::route::task::{GoalShape, Task};

/// Bias of comparisons, as a fraction of a cell or of the compared distances.
pub(super) const BIAS: f64 = 1.0e-9;
/// Cells whose centers are at most this many cells from a goal start with their exact distance.
pub(super) const EXACT_CELLS: f64 = 8.0;
/// Shortest stopping distance, in cells.
const REST_CELLS: f64 = 2.0;
/// Stopping distance where vehicles do not brake.
const NEVER: f64 = 1.0e9;

#[derive(Clone, Copy)]
pub(in crate::reference) struct RouteCell {
    /// Unit vector, but shorter close to a goal and zero if no way leads to a goal.
    pub(in crate::reference) direction: V,
    /// Distance within which the vehicle must be able to stop.
    pub(in crate::reference) rest: f64,
    pub(in crate::reference) is_certain: bool,
}

/// For each row of cells, the barriers within `reach` of the row's centers.
fn by_row(layout: &Layout, barriers: &[Barrier], reach: f64) -> Vec<Vec<Barrier>> {
    let near = |row: i64| {
        let y = layout.center((row * layout.columns) as usize).y;
        let is_near = |barrier: &&Barrier| {
            let (low, high) = barrier.bounds();
            low.y - reach <= y && y <= high.y + reach
        };
        barriers.iter().filter(is_near).copied().collect()
    };
    (0..layout.rows).map(near).collect()
}

/// A cell from which a straight way leads to a goal.
#[derive(Clone, Copy)]
struct Seed {
    distance: f64,
    direction: V,
    rest: f64,
}

pub(super) struct Solver<'a> {
    layout: &'a Layout,
    task: &'a Task,
    barriers: &'a [Barrier],
    /// For each row, the barriers that may be near its cells.
    near: Vec<Vec<Barrier>>,
    radius: f64,
    relative_bias: f64,
    bias: f64,
}

/// For each cell, a flag per side.
type Edges = Vec<[bool; 4]>;

impl<'a> Solver<'a> {
    pub(super) fn new(
        layout: &'a Layout,
        task: &'a Task,
        barriers: &'a [Barrier],
        bias: f64,
    ) -> Self {
        let radius = f64::from(task.radius);
        let near = by_row(layout, barriers, radius + 2.0 * layout.largest());
        let relative_bias = bias;
        Self { layout, task, barriers, near, radius, relative_bias, bias: bias * layout.largest() }
    }

    fn less(&self, a: f64, b: f64) -> bool {
        a < b + self.bias
    }

    fn count(&self) -> usize {
        self.near.len() * self.layout.columns as usize
    }

    fn near<'s>(
        barriers: &'s [Vec<Barrier>],
        layout: &Layout,
        cell: usize,
        reach: f64,
    ) -> Vec<&'s Barrier> {
        let x = layout.center(cell).x;
        let is_near = |barrier: &&Barrier| {
            let (low, high) = barrier.bounds();
            low.x - reach <= x && x <= high.x + reach
        };
        barriers[layout.column_and_row(cell).1 as usize].iter().filter(is_near).collect()
    }

    pub(super) fn cells(&self) -> Vec<RouteCell> {
        let rooms: Vec<Option<V>> = (0..self.count()).map(|cell| self.room(cell)).collect();
        let (joined, passed) = self.edges(&rooms);
        let seeds = self.seeds(&rooms);
        let starts: Vec<f64> =
            seeds.iter().map(|seed| seed.map_or(f64::INFINITY, |seed| seed.distance)).collect();
        let mut distances = self.march(&starts, &passed);
        let exact: Vec<Option<Seed>> = (seeds.iter().zip(&distances))
            .map(|(seed, distance)| {
                seed.filter(|seed| *distance >= seed.distance - self.bias.abs())
            })
            .collect();
        let to_free = self.lead_to_free(&mut distances, &rooms, &joined);
        let brakes = self.task.goals.iter().all(|goal| matches!(goal, GoalShape::Line(_)));
        let rest = REST_CELLS * self.layout.largest();
        let solved = |cell: usize| {
            if let Some(Seed { direction, rest, .. }) = exact[cell] {
                return (direction, rest);
            }
            let direction = match distances[cell] {
                f64::INFINITY => return (V::default(), NEVER),
                _ if to_free[cell] > 0.0 => self.downhill(&to_free, &joined, cell),
                _ => self.downhill(&distances, &passed, cell),
            };
            (direction, if brakes { distances[cell].max(rest) } else { NEVER })
        };
        let cell = |cell: usize| {
            let (direction, rest) = solved(cell);
            RouteCell { direction, rest, is_certain: true }
        };
        (0..self.count()).map(cell).collect()
    }

    /// For a free cell, the offset from its center to a point where the disk has room.
    fn room(&self, cell: usize) -> Option<V> {
        let (center, largest) = (self.layout.center(cell), self.layout.largest());
        let near = Self::near(&self.near, self.layout, cell, self.radius + 2.0 * largest);
        let clearance =
            |at: V| near.iter().map(|barrier| barrier.clearance(at)).fold(f64::INFINITY, f64::min);
        let here = clearance(center);
        if !self.less(here, self.radius) {
            return Some(V::default());
        }
        if here + largest < self.radius {
            return None;
        }
        // The disk may still fit if the cell is between two barriers that leave just enough room.
        let (wide, reach) = (2.0 * (self.radius + largest), self.radius + 2.0 * largest);
        let sides = near.iter().filter_map(|barrier| {
            let clearance = barrier.clearance(center);
            let away = barrier.offset_of(center).normalized();
            self.less(clearance, reach).then_some((clearance, away))
        });
        let sides: Vec<(f64, V)> = sides.collect();
        let is_between = sides.iter().enumerate().any(|(k, (a, from_a))| {
            sides[..k].iter().any(|(b, from_b)| {
                self.less(a + b, wide) && from_a.dot(*from_b) < self.relative_bias
            })
        });
        if !is_between {
            return None;
        }
        let (mut best, mut offset, mut step) = (here, V::default(), 0.25);
        while step >= 1.0 / 64.0 {
            let before = best;
            for direction in 0..9 {
                let (x, y) = (f64::from(direction % 3) - 1.0, f64::from(direction / 3) - 1.0);
                let next = offset + V::flat(x * self.layout.cell.x, y * self.layout.cell.y) * step;
                let is_inside = (next.map(f64::abs)).all_le(self.layout.cell * (0.5 + BIAS));
                if is_inside && self.less(best, clearance(center + next)) && next != offset {
                    (best, offset) = (clearance(center + next), next);
                }
            }
            if best <= before + self.bias.abs() {
                step /= 2.0;
            }
        }
        (!self.less(best, self.radius)).then_some(offset)
    }

    /// Returns the sides of cells that no wall separates, and the sides that the disk can cross.
    fn edges(&self, rooms: &[Option<V>]) -> (Edges, Edges) {
        let (layout, largest) = (self.layout, self.layout.largest());
        let reach = 2.0 * largest;
        let walls = self.barriers.iter().filter(|barrier| barrier.radius == 0.0).copied();
        let walls = by_row(layout, &walls.collect::<Vec<_>>(), reach);
        let throats = by_row(layout, &self.throats(), reach);
        let (mut joined, mut passed) =
            (vec![[false; 4]; rooms.len()], vec![[false; 4]; rooms.len()]);
        for cell in 0..rooms.len() {
            for side in [0, 2] {
                let Some(other) = layout.beside(cell, side) else { continue };
                let center = layout.center(cell);
                let (right, up) = SIDES[side];
                let next =
                    center + V::flat(right as f64 * layout.cell.x, up as f64 * layout.cell.y);
                let crossed = |lines: &[Vec<Barrier>], from: V, to: V| {
                    let path = Barrier::axis(from, to);
                    let lines = Self::near(lines, layout, cell, reach);
                    lines.into_iter().any(|line| line.crosses(&path, self.bias))
                };
                if crossed(&walls, center, next) {
                    continue;
                }
                (joined[cell][side], joined[other][side + 1]) = (true, true);
                if let (Some(from), Some(to)) = (rooms[cell], rooms[other]) {
                    let (from, to) = (center + from, next + to);
                    let passes = !crossed(&walls, from, to) && !crossed(&throats, from, to);
                    (passed[cell][side], passed[other][side + 1]) = (passes, passes);
                }
            }
        }
        (joined, passed)
    }

    /// The shortest lines between barriers that are less than the disk's diameter apart.
    fn throats(&self) -> Vec<Barrier> {
        let mut throats = Vec::new();
        for (k, barrier) in self.barriers.iter().enumerate() {
            for other in &self.barriers[..k] {
                let (a, b) = (barrier.bounds(), other.bounds());
                let diameter = V::flat(2.0 * self.radius, 2.0 * self.radius);
                if !((a.0 - diameter).all_le(b.1) && (b.0 - diameter).all_le(a.1)) {
                    continue;
                }
                let (width, line) = barrier.line_to(other, self.bias);
                if width > 0.0 && self.less(width, 2.0 * self.radius) {
                    throats.push(line);
                }
            }
        }
        throats
    }

    fn seeds(&self, rooms: &[Option<V>]) -> Vec<Option<Seed>> {
        let mut nearest: Vec<Option<Seed>> = vec![None; rooms.len()];
        for goal in &self.task.goals {
            let mut seeds = self.seeds_of(goal, |cell| rooms[cell].is_some(), self.radius);
            if !seeds.iter().any(|&(cell, _)| rooms[cell].is_some()) {
                // The disk has no room at the goal, so it gets as near as it can.
                seeds = self.seeds_of(goal, |_| true, self.sight());
            }
            for (cell, seed) in seeds {
                if nearest[cell].is_none_or(|other| self.less(seed.distance, other.distance)) {
                    nearest[cell] = Some(seed);
                }
            }
        }
        nearest
    }

    /// Radius of a disk that is small enough to fit wherever nothing is in the way.
    fn sight(&self) -> f64 {
        1.0e-6 * self.layout.largest()
    }

    fn seeds_of(
        &self,
        goal: &GoalShape,
        is_free: impl Fn(usize) -> bool,
        radius: f64,
    ) -> Vec<(usize, Seed)> {
        let layout = self.layout;
        let [low, high] = goal.corners().map(V::from_f32);
        let (rest, near) = (REST_CELLS * layout.largest(), EXACT_CELLS * layout.largest());
        let size =
            V::flat(layout.columns as f64 * layout.cell.x, layout.rows as f64 * layout.cell.y);
        let images: Vec<V> = if layout.is_torus {
            let goal = Barrier::axis(low, high);
            goal.images(size, near).map(|image| image.from - low).collect()
        } else {
            vec![V::default()]
        };
        let mut seeds = Vec::new();
        for (cell, &image) in
            (0..self.count()).flat_map(|cell| images.iter().map(move |at| (cell, at)))
        {
            let center = layout.center(cell);
            let (low, high) = (low + image, high + image);
            let is_line = matches!(goal, GoalShape::Line(_));
            let offset = match goal {
                GoalShape::Line(_) => -Barrier::axis(low, high).offset_of(center),
                GoalShape::Box(_) => center.zip(low, f64::max).zip(high, f64::min) - center,
            };
            let distance = offset.length();
            if self.less(near, distance) {
                continue;
            }
            let room = if is_free(cell) {
                radius
            } else if is_line && !self.less(rest, distance) {
                // Vehicles rest on the goal even if it is close to an obstacle.
                self.sight()
            } else {
                continue;
            };
            let way = Barrier { from: center, to: center + offset, radius: room };
            if self.barriers.iter().any(|barrier| self.less(way.gap(barrier), 0.0)) {
                continue;
            }
            let slowing = |offset: V| {
                let rest = offset.length().max(rest);
                (offset * (1.0 / rest), rest)
            };
            let (direction, rest) = if is_line {
                slowing(offset)
            } else if distance == 0.0 {
                slowing((low + high) * 0.5 - center)
            } else {
                (offset.normalized(), NEVER)
            };
            seeds.push((cell, Seed { distance, direction, rest }));
        }
        seeds
    }

    /// Fast marching (Sethian 1996): cells become known in order of distance.
    fn march(&self, starts: &[f64], edges: &[[bool; 4]]) -> Vec<f64> {
        let mut distances = starts.to_vec();
        let mut known = vec![false; distances.len()];
        // Distances are not negative, so they have the same order as their bits.
        let entry = |distance: f64, cell: usize| Reverse((distance.to_bits(), cell));
        let started = (0..starts.len()).filter(|&cell| starts[cell] < f64::INFINITY);
        let mut front: BinaryHeap<_> = started.map(|cell| entry(starts[cell], cell)).collect();
        while let Some(Reverse((_, cell))) = front.pop() {
            if std::mem::replace(&mut known[cell], true) {
                continue;
            }
            for side in 0..4 {
                let Some(other) = self.layout.beside(cell, side) else { continue };
                if !edges[cell][side] || known[other] {
                    continue;
                }
                let at = |side: usize| {
                    let beside = self.layout.beside(other, side).filter(|_| edges[other][side]);
                    beside.filter(|&cell| known[cell]).map_or(f64::INFINITY, |cell| distances[cell])
                };
                let distance = self.upwind(at(0).min(at(1)), at(2).min(at(3)));
                if distance < distances[other] {
                    distances[other] = distance;
                    front.push(entry(distance, other));
                }
            }
        }
        distances
    }

    /// Solves ((d - a) / width)² + ((d - b) / height)² = 1 for d. If there is no valid solution,
    /// solves the equation with only one of the two terms.
    fn upwind(&self, a: f64, b: f64) -> f64 {
        let V { x: width, y: height, .. } = self.layout.cell;
        let straight = (a + width).min(b + height);
        if a.max(b) == f64::INFINITY {
            return straight;
        }
        // Measures distances from the smaller of the two, to avoid cancellation.
        let low = a.min(b);
        let (a, b) = (a - low, b - low);
        let (p, q) = (width.powi(-2), height.powi(-2));
        let (half, last) = (p * a + q * b, p * a * a + q * b * b - 1.0);
        let root = half * half - (p + q) * last;
        let slanted = (half + root.max(0.0).sqrt()) / (p + q);
        if root > 0.0 && slanted >= a.max(b) { low + slanted } else { straight }
    }

    /// Completes the distances in cells that are not free, which lead to the nearest free cell.
    /// Returns each cell's distance to that cell.
    fn lead_to_free(&self, distances: &mut [f64], rooms: &[Option<V>], joined: &Edges) -> Vec<f64> {
        let is_start = |cell: usize| rooms[cell].is_some() || distances[cell] < f64::INFINITY;
        let starts = (0..rooms.len()).map(|cell| if is_start(cell) { 0.0 } else { f64::INFINITY });
        let to_free = self.march(&starts.collect::<Vec<_>>(), joined);
        let mut blocked: Vec<usize> = (0..rooms.len())
            .filter(|&cell| 0.0 < to_free[cell] && to_free[cell] < f64::INFINITY)
            .collect();
        blocked.sort_by(|&a, &b| to_free[a].total_cmp(&to_free[b]));
        for cell in blocked {
            let mut nearest: Option<usize> = None;
            for side in (0..4).filter(|&side| joined[cell][side]) {
                let Some(other) = self.layout.beside(cell, side) else { continue };
                let is_nearer = |least: usize| self.shorter(to_free[other], to_free[least]);
                if nearest.is_none_or(is_nearer) {
                    nearest = Some(other);
                }
            }
            if let Some(nearest) = nearest {
                distances[cell] = distances[nearest] + (to_free[cell] - to_free[nearest]);
            }
        }
        to_free
    }

    /// Compares two distances. Two distances of 0 compare as equal despite the bias.
    fn shorter(&self, a: f64, b: f64) -> bool {
        a < b && b == f64::INFINITY || a < b + self.relative_bias * (a + b)
    }

    /// Unit vector in the direction of decreasing distance.
    fn downhill(&self, distances: &[f64], edges: &[[bool; 4]], cell: usize) -> V {
        let here = distances[cell];
        let at = |side: usize| {
            let beside = self.layout.beside(cell, side).filter(|_| edges[cell][side]);
            beside.map(|other| distances[other]).filter(|there| *there < here).unwrap_or(here)
        };
        let along = |ahead: usize, behind: usize, size: f64| {
            let (ahead, behind) = (at(ahead), at(behind));
            if self.shorter(behind, ahead) { (behind - here) / size } else { (here - ahead) / size }
        };
        V::flat(along(0, 1, self.layout.cell.x), along(2, 3, self.layout.cell.y)).normalized()
    }
}
