//! The floor of a route: cells in which an agent of the route's radius can stand, and the cell
//! sides that it can cross.
//!
//! A cell is free if its center is at least the radius from all walls and obstacles. Passages
//! little wider than an agent may have no such center. So a cell between two solids is also free if
//! some point in it is far enough from both.
//!
//! Two neighboring cells may be free although the gap between their centers is too narrow for the
//! agent. So the agent must not cross a *throat*: the shortest line between two solids less than
//! the agent's diameter apart. If neither a throat nor a wall separates two free cells, the agent
//! can move between them, because solids are convex.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::memory;
use crate::scenery::route::task::{MAX_CELL, Task};
use crate::scenery::solid::{Solid, Solids};
use crate::world::Topology;
use crate::world::space::Space;

pub(super) type Exact = Vec3<f64>;

/// Maximum number of cells per route.
const MAX_CELLS: f64 = 16_777_216.0;
/// Maximum number of tests of solids against cells and against each other, for all routes of a
/// scene together. A test takes about 10 ns.
const MAX_TESTS: f64 = 1.0e9;
/// Cost of looking for a throat between two solids, in tests.
const TESTS_PER_PAIR: f64 = 64.0;
/// Upper bound on rounding errors, as a fraction of a cell or of a distance.
pub(super) const ROUNDING: f64 = 1.0e-9;
/// Bytes per cell while a route is solved.
pub(super) const BYTES_PER_CELL: u64 = 128;
/// Maximum bytes per cell of a floor's [`WaysToFree`].
pub(super) const BYTES_PER_WAY: u64 = 24;
/// An open world's cells extend beyond its scenery and goals by this many radii plus this many
/// cells.
const MARGIN: f64 = 4.0;

/// Sides of a cell. In a cell's flags, bit `side + PASSES` is set if an agent can cross that side,
/// and bit `side + JOINED` if no wall separates the cell's center from its neighbor's.
const SIDES: usize = 4;
const RIGHT: usize = 0;
const LEFT: usize = 1;
const UP: usize = 2;
const DOWN: usize = 3;
pub(super) const PASSES: u16 = 0;
pub(super) const JOINED: u16 = 4;
const FREE: u16 = 1 << 8;
/// Set for cells at the edge of a torus, whose neighbors may be at the opposite edge.
const SEAM: u16 = 1 << 9;

/// For each cell that is free although its center is not: the offset from its center to a free
/// point.
type Offsets = BTreeMap<usize, Exact>;

#[derive(Debug)]
pub(super) struct Floor {
    pub(super) space: Space,
    solids: Arc<Solids>,
    pub(super) radius: f64,
    pub(super) origin: Exact,
    pub(super) cell: Exact,
    pub(super) columns: usize,
    pub(super) rows: usize,
    flags: Vec<u16>,
    /// Shared by routes whose seeds are all in free cells.
    pub(super) ways: OnceLock<WaysToFree>,
}

#[derive(Debug)]
pub(super) struct WaysToFree {
    /// For each cell, the distance to the nearest free cell.
    pub(super) distances: Vec<f64>,
    /// Cells that are not free, nearest first, each with its neighbor on the way to the nearest
    /// free cell and with the distance to that neighbor.
    pub(super) steps: Vec<(u32, u32, f64)>,
}

impl Floor {
    /// Adds the tests that the floor needs to `tests`.
    pub(super) fn new(
        task: &Task,
        solids: &Arc<Solids>,
        space: &Space,
        tests: &mut f64,
    ) -> Result<Self, Error> {
        let (low, high) = match space.topology {
            Topology::Open => extent(task, solids, space),
            Topology::Torus | Topology::Bounded => (Exact::default(), Exact::from_f32(space.size)),
        };
        let size = high - low;
        let asked = f64::from(task.cell);
        let counts = |cell: f64| [size.x, size.y].map(|side| (side / cell).ceil().max(1.0));
        let [columns, rows] = counts(asked);
        if columns * rows > MAX_CELLS {
            let now = format!("{columns} x {rows}");
            let least_with = |margin: f64| {
                let added = if space.topology == Topology::Open { 2.0 * margin } else { 0.0 };
                let mut least = (size.x * size.y / MAX_CELLS).sqrt() as f32;
                while counts(least.into()).into_iter().map(|count| count + added).product::<f64>()
                    > MAX_CELLS
                {
                    least *= 1.001;
                }
                least
            };
            // Larger cells widen the margins of an open world, and so do larger radii.
            let least = least_with(MARGIN);
            if least > task.max_cell {
                let radius = least_with(MARGIN + MARGIN / f64::from(MAX_CELL)) / MAX_CELL;
                let allowed = format!(
                    "at most 16,777,216 cells: make the world smaller, or the smallest radius at \
                     least {}",
                    radius.next_up()
                );
                return Err(Error::refused(&task.field, now + " cells", allowed));
            }
            let allowed = format!(
                "at least {least}, so that the route has at most 16,777,216 cells (now {now})"
            );
            return Err(Error::refused(format!("{}.cell", task.field), task.cell, allowed));
        }
        memory::check(BYTES_PER_CELL * (columns * rows) as u64)?;
        let mut floor = Self {
            space: *space,
            solids: Arc::clone(solids),
            radius: f64::from(task.radius),
            origin: low,
            cell: Vec3 { x: size.x / columns, y: size.y / rows, z: 0.0 },
            columns: columns as usize,
            rows: rows as usize,
            flags: Vec::new(),
            ways: OnceLock::new(),
        };
        // Estimated first, so that a floor that would take hours is refused at once.
        floor.count_tests(task, tests)?;
        floor.fill();
        Ok(floor)
    }

    /// True if the floor serves all tasks with the same radius and cell. The extent of an open
    /// world depends on the goals.
    pub(super) fn is_shared(&self) -> bool {
        self.space.topology != Topology::Open
    }

    pub(super) fn len(&self) -> usize {
        self.columns * self.rows
    }

    pub(super) fn largest_cell(&self) -> f64 {
        self.cell.x.max(self.cell.y)
    }

    pub(super) fn center(&self, column: i64, row: i64) -> Exact {
        let x = self.origin.x + (column as f64 + 0.5) * self.cell.x;
        Vec3 { x, y: self.origin.y + (row as f64 + 0.5) * self.cell.y, z: 0.0 }
    }

    fn center_of(&self, cell: usize) -> Exact {
        self.center((cell % self.columns) as i64, (cell / self.columns) as i64)
    }

    pub(super) fn is_free(&self, cell: usize) -> bool {
        self.flags[cell] & FREE != 0
    }

    /// Returns a cell's neighbors in the order of the sides: for each side whose flag is not set,
    /// the cell itself. `KIND` is [`PASSES`] or [`JOINED`].
    #[inline(always)]
    pub(super) fn beside<const KIND: u16>(&self, cell: usize) -> [usize; SIDES] {
        let (flags, all) = (self.flags[cell], 0b1111 << KIND);
        if flags & (all | SEAM) == all {
            return [cell + 1, cell - 1, cell + self.columns, cell - self.columns];
        }
        [RIGHT, LEFT, UP, DOWN].map(|side| {
            let is_set = flags >> KIND >> side & 1 != 0;
            let neighbor = if is_set { self.neighbor(cell, side) } else { None };
            neighbor.unwrap_or(cell)
        })
    }

    /// On a torus, the neighbor of a cell at the edge may be at the opposite edge.
    fn neighbor(&self, cell: usize, side: usize) -> Option<usize> {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let (at, count, step) = match side {
            RIGHT | LEFT => (column, self.columns, 1),
            _ => (row, self.rows, self.columns),
        };
        let (wraps, across) = (self.space.is_torus() && count > 1, (count - 1) * step);
        match side {
            RIGHT | UP if at + 1 < count => Some(cell + step),
            RIGHT | UP => wraps.then(|| cell - across),
            _ if at > 0 => Some(cell - step),
            _ => wraps.then(|| cell + across),
        }
    }

    fn is_at_seam(&self, cell: usize) -> bool {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let is_edge = |at: usize, count: usize| at == 0 || at + 1 == count;
        self.space.is_torus() && (is_edge(column, self.columns) || is_edge(row, self.rows))
    }

    /// Calls `visit` with each cell whose center may be within `reach` of a line, and with that
    /// center. On a torus, the center is shifted to the image near the line.
    pub(super) fn for_each_near(
        &self,
        [from, to]: [Exact; 2],
        reach: f64,
        visit: impl FnMut(usize, Exact),
    ) {
        let along = to - from;
        let columns = |y: f64| {
            // Use only the part of the line that is near this row.
            let t_at = |y: f64| if along.y == 0.0 { None } else { Some((y - from.y) / along.y) };
            let (start, end) = match (t_at(y - reach), t_at(y + reach)) {
                (Some(a), Some(b)) => (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0)),
                _ => (0.0, 1.0),
            };
            let [a, b] = [start, end].map(|t| from.x + along.x * t);
            [a.min(b) - reach, a.max(b) + reach]
        };
        let rows = [from.y.min(to.y) - reach, from.y.max(to.y) + reach];
        self.for_each_between(rows, columns, visit);
    }

    /// Calls `visit` with each cell whose center is in a range of y and in the range of x that
    /// `columns` returns for that y.
    pub(super) fn for_each_between(
        &self,
        rows: [f64; 2],
        columns: impl Fn(f64) -> [f64; 2],
        mut visit: impl FnMut(usize, Exact),
    ) {
        let range = |ends: [f64; 2], origin: f64, cell: f64, count: usize| {
            let [low, high] = ends.map(|at| (at - origin) / cell - 0.5);
            let (low, high) = (low.ceil() as i64, high.floor() as i64);
            if self.space.is_torus() {
                // A disk larger than the world meets its own images. Beyond two world sizes, these
                // images only repeat.
                let (middle, count) = (low / 2 + high / 2, count as i64);
                low.max(middle - count)..high.min(middle + count) + 1
            } else {
                low.max(0)..(high + 1).min(count as i64)
            }
        };
        for row in range(rows, self.origin.y, self.cell.y, self.rows) {
            let columns = columns(self.center(0, row).y);
            let first = row.rem_euclid(self.rows as i64) as usize * self.columns;
            for column in range(columns, self.origin.x, self.cell.x, self.columns) {
                let cell = first + column.rem_euclid(self.columns as i64) as usize;
                visit(cell, self.center(column, row));
            }
        }
    }

    fn count_tests(&self, task: &Task, tests: &mut f64) -> Result<(), Error> {
        let cell = self.largest_cell();
        for solid in self.solids.all() {
            let near = |reach: f64| self.cells_near(solid.ends(), reach.max(0.0) + solid.radius);
            *tests += near(self.radius);
            // In cells at these distances, close solids are tested for a passage between them.
            let edge = near(self.radius + 2.0 * cell) - near(self.radius - cell);
            for other in self.throat_partners(solid) {
                let (width, line) = shortest(solid, &other);
                *tests += TESTS_PER_PAIR;
                if width < 2.0 * self.radius + 4.0 * cell {
                    *tests += edge / 4.0;
                }
                if self.is_throat(width) {
                    *tests += self.cells_near(line, 2.0 * cell);
                }
            }
            if *tests > MAX_TESTS {
                let allowed = "smaller, or `cell` larger, so that at most a billion tests of walls \
                               and obstacles against cells and each other solve all routes";
                return Err(Error::refused(format!("{}.radius", task.field), task.radius, allowed));
            }
        }
        Ok(())
    }

    /// Estimates the number of cells that [`Self::for_each_near`] visits.
    fn cells_near(&self, [from, to]: [Exact; 2], reach: f64) -> f64 {
        let along = (to - from).map(f64::abs);
        let in_row = along.x * (2.0 * reach / along.y).min(1.0) + 2.0 * reach;
        let rows = (along.y + 2.0 * reach) / self.cell.y;
        rows.min(self.rows as f64) * (in_row / self.cell.x).min(self.columns as f64)
    }

    fn fill(&mut self) {
        let mut clearances = vec![f64::MAX; self.len()];
        for solid in self.solids.all() {
            self.for_each_near(solid.ends(), self.radius + solid.radius, |cell, center| {
                clearances[cell] = solid.clearance(center).0.min(clearances[cell]);
            });
        }
        // No point of a cell is farther from its center than the cell's longer side.
        let nearly = self.radius - self.largest_cell()..self.radius;
        let narrow: Offsets = (0..self.len())
            .filter(|&cell| nearly.contains(&clearances[cell]))
            .filter_map(|cell| Some((cell, self.clear_point(cell)? - self.center_of(cell))))
            .collect();
        let is_free = |cell: usize| clearances[cell] >= self.radius;
        let free = (0..self.len()).map(|cell| is_free(cell) || narrow.contains_key(&cell));
        let flags = free.enumerate().map(|(cell, free)| {
            (if free { FREE } else { 0 }) | (if self.is_at_seam(cell) { SEAM } else { 0 })
        });
        self.flags = flags.collect();
        drop(clearances);
        let walls: Vec<[Exact; 2]> =
            self.solids.all().iter().filter(|solid| solid.radius == 0.0).map(Solid::ends).collect();
        let (mut separated, mut narrows) = (vec![0; self.len()], vec![0; self.len()]);
        for &wall in &walls {
            self.separate(wall, &Offsets::new(), &mut separated);
            self.separate(wall, &narrow, &mut narrows);
        }
        for solid in self.solids.all() {
            for other in self.throat_partners(solid) {
                let (width, line) = shortest(solid, &other);
                if self.is_throat(width) {
                    self.separate(line, &narrow, &mut narrows);
                }
            }
        }
        for (cell, (walls, narrows)) in separated.into_iter().zip(narrows).enumerate() {
            for (side, opposite) in [(RIGHT, LEFT), (UP, DOWN)] {
                let Some(other) = self.neighbor(cell, side) else { continue };
                if walls >> side & 1 != 0 {
                    continue;
                }
                let passes = self.is_free(cell) && self.is_free(other) && narrows >> side & 1 == 0;
                for (cell, side) in [(cell, side), (other, opposite)] {
                    self.flags[cell] |= 1 << (JOINED as usize + side) | u16::from(passes) << side;
                }
            }
        }
    }

    /// Sets bits of [`RIGHT`] and [`UP`] in the bit mask of each cell: a bit is set if the line
    /// crosses the segment from the cell to its neighbor on that side. A segment joins the centers
    /// of the two cells, each shifted by the cell's entry in `offsets`, if any.
    fn separate(&self, line: [Exact; 2], offsets: &Offsets, separated: &mut [u8]) {
        let [right, up] = [
            Vec3 { x: self.cell.x, ..Exact::default() },
            Vec3 { y: self.cell.y, ..Exact::default() },
        ];
        let point = |cell: usize, center: Exact| match offsets.get(&cell) {
            Some(&offset) => center + offset,
            None => center,
        };
        self.for_each_near(line, self.largest_cell() * 2.0, |cell, center| {
            for (side, step) in [(RIGHT, right), (UP, up)] {
                if separated[cell] >> side & 1 != 0 {
                    continue;
                }
                let Some(neighbor) = self.neighbor(cell, side) else { continue };
                if cross(line, [point(cell, center), point(neighbor, center + step)]) {
                    separated[cell] |= 1 << side;
                }
            }
        });
    }

    /// Solids that may be less than an agent's diameter from this one.
    fn throat_partners(&self, solid: &Solid) -> Vec<Solid> {
        let [from, to] = solid.ends();
        let middle = (from + to) * 0.5;
        self.solids_near(middle, (to - middle).length() + solid.radius + 2.0 * self.radius)
    }

    fn is_throat(&self, width: f64) -> bool {
        0.0 < width && width < 2.0 * self.radius
    }

    /// If the cell is in a passage little wider than the agent, finds the cell's point that is
    /// farthest from all solids. Returns that point if it is at least the radius away from them.
    fn clear_point(&self, cell: usize) -> Option<Exact> {
        let center = self.center_of(cell);
        let (wide, reach) = (
            // A passage wider than this has a free center in every row or column of cells across
            // it.
            2.0 * (self.radius + self.largest_cell()),
            self.radius + 2.0 * self.largest_cell(),
        );
        let mut solids = self.solids_near(center, reach);
        let sides = solids.iter().map(|solid| solid.clearance(center));
        let sides: Vec<(f64, Exact)> = sides.filter(|&(clearance, _)| clearance < reach).collect();
        let is_between = sides.iter().enumerate().any(|(k, &(a, from_a))| {
            sides[..k].iter().any(|&(b, from_b)| a + b < wide && from_a.dot(from_b) < 0.0)
        });
        if !is_between {
            return None;
        }
        // Near solids rule out most steps of the search, so test these first.
        let distance = |solid: &Solid| solid.clearance(center).0;
        solids.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let is_clearer =
            |at: Exact, best: f64| solids.iter().all(|solid| solid.clearance(at).0 > best);
        let clearance = |at: Exact| {
            solids.iter().map(|solid| solid.clearance(at).0).fold(f64::INFINITY, f64::min)
        };
        let (mut best, mut at, mut step) = (clearance(center), center, 0.25);
        while step > 0.01 {
            let before = best;
            for direction in 0..9 {
                let (x, y) = (f64::from(direction % 3) - 1.0, f64::from(direction / 3) - 1.0);
                let next = at + Vec3 { x: x * self.cell.x, y: y * self.cell.y, z: 0.0 } * step;
                // The tolerance accepts points on the cell's edge despite rounding.
                let half = self.cell * (0.5 + ROUNDING);
                if (next - center).map(f64::abs).all_le(half) && is_clearer(next, best) {
                    (best, at) = (clearance(next), next);
                }
            }
            if best == before {
                step /= 2.0;
            }
        }
        (best >= self.radius).then_some(at)
    }

    /// True if a disk can move along a straight line without overlapping a solid.
    pub(super) fn has_room(&self, from: Exact, offset: Exact, radius: f64) -> bool {
        let solids = self.solids_near(from, radius + offset.length());
        solids.iter().all(|solid| solid.lets_pass(from, offset, radius))
    }

    fn solids_near(&self, at: Exact, reach: f64) -> Vec<Solid> {
        self.solids.near(at.to_f32(), (reach * 1.01) as f32, &self.space)
    }
}

/// Corners of the part of an open world that contains the scenery, the goals and the start area.
fn extent(task: &Task, solids: &Solids, space: &Space) -> (Exact, Exact) {
    let goals = task.goals.iter().flat_map(|goal| goal.corners());
    let start = [Vec3::ZERO, space.size];
    let points = goals.chain(start).map(Exact::from_f32).map(|point| (point, 0.0));
    let ends = |solid: &Solid| solid.ends().map(|end| (end, solid.radius));
    let all = points.chain(solids.all().iter().flat_map(ends));
    let (mut low, mut high) = (Exact::default(), Exact::default());
    for (point, radius) in all {
        let radius = Vec3 { x: radius, y: radius, z: 0.0 };
        (low, high) = (low.zip(point - radius, f64::min), high.zip(point + radius, f64::max));
    }
    let margin = MARGIN * (f64::from(task.radius) + f64::from(task.cell));
    let margin = Vec3 { x: margin, y: margin, z: 0.0 };
    (low - margin, high + margin)
}

/// Distance between two solids that do not cross, and the line that joins the closest points of
/// their axes.
fn shortest(solid: &Solid, other: &Solid) -> (f64, [Exact; 2]) {
    let from_ends = |ends: [Exact; 2], to: &Solid, radius: f64| {
        ends.map(|end| {
            let (clearance, away) = to.clearance(end);
            (clearance - radius, [end, end - away * (clearance + to.radius)])
        })
    };
    let [a, b] = from_ends(solid.ends(), other, solid.radius);
    let [c, d] = from_ends(other.ends(), solid, other.radius);
    [b, c, d].into_iter().fold(a, |least, next| if next.0 < least.0 { next } else { least })
}

/// True if two segments have a common point.
fn cross([a, b]: [Exact; 2], [p, q]: [Exact; 2]) -> bool {
    // If both segments are on the same line, only this comparison of their bounds can separate
    // them.
    let starts = a.zip(b, f64::min).zip(p.zip(q, f64::min), f64::max);
    if !starts.all_le(a.zip(b, f64::max).zip(p.zip(q, f64::max), f64::min)) {
        return false;
    }
    let (along, line) = (b - a, q - p);
    along.cross(p - a) * along.cross(q - a) <= 0.0 && line.cross(a - p) * line.cross(b - p) <= 0.0
}
