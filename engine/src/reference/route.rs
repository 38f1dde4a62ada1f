//! Routes, solved from the scenery by the rules of `docs/model.md`, "Routes".
//!
//! Rounding may decide whether a cell is free, whether a wall separates two cells, or which of two
//! ways is shorter. So each route is solved twice: all comparisons are biased by a tiny length, in
//! one solution toward true, in the other toward false. A cell in which the two differ is
//! uncertain.
//!
//! The engine marches in `f64` as well, so in certain cells, both solutions have the same
//! distances, give or take rounding. An update of the march rounds by at most 8 spacings of `f64`
//! and passes on no error enlarged, so the distance after n cells is wrong by at most n times 8
//! spacings of it. That is below 1e-9 of a cell on routes of up to 700 cells. Directions are
//! differences of neighboring distances, and their error is at most twice as large. What remains
//! is the kernels' `f32`: directions and distances are rounded once, and positions in cells by 3
//! spacings of the number of cells.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use crate::reference::vector::V;
use crate::reference::vehicle::Vehicle;
use crate::scenery::route::SolvedRoute;
use crate::scenery::route::task::{Place, Task};
use crate::world::Topology;

/// Bias of comparisons, in cells, and relative to distances.
const BIAS: f64 = 1.0e-9;
/// Cells whose centers are at most this many cells from a goal have their exact distance.
const EXACT_CELLS: f64 = 8.0;
/// Shortest stopping distance, in cells.
const REST_CELLS: f64 = 2.0;
/// Stopping distance where vehicles do not brake.
const NEVER: f64 = 1.0e9;
/// Steps to the neighbors of a cell.
const SIDES: [(i64, i64); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

#[derive(Clone, Copy)]
pub(super) struct RouteCell {
    /// Unit vector; shorter close to a goal, and zero where there is no way.
    pub(super) direction: V,
    /// Distance in which the vehicle must be able to stop.
    pub(super) rest: f64,
    pub(super) is_certain: bool,
}

pub(super) struct RouteField {
    layout: Layout,
    cells: Vec<RouteCell>,
}

/// The four cells around a position.
pub(super) struct Around {
    /// Lower left, lower right, upper left, upper right.
    pub(super) corners: [RouteCell; 4],
    /// Position between the centers, from 0 to 1, to the right and up.
    pub(super) fractions: [f64; 2],
    /// Magnitude of the numbers from which the fractions were computed, in cells.
    pub(super) scale: f64,
}

thread_local! {
    /// The route that was solved last: all vehicles of a test follow the same one.
    static SOLVED: RefCell<Option<(Weak<SolvedRoute>, Rc<RouteField>)>> =
        const { RefCell::new(None) };
}

impl RouteField {
    pub(super) fn named(name: &str, vehicle: &Vehicle<'_>) -> Option<Rc<Self>> {
        let route = vehicle.scenery.routes.iter().find(|route| route.task.name == name)?;
        let key = Arc::downgrade(route);
        let solved = SOLVED.with_borrow(|solved| {
            let same = solved.as_ref().filter(|(other, _)| other.ptr_eq(&key));
            same.map(|(_, field)| Rc::clone(field))
        });
        Some(solved.unwrap_or_else(|| {
            let field = Rc::new(Self::solve(&route.task, vehicle));
            SOLVED.set(Some((key, Rc::clone(&field))));
            field
        }))
    }

    fn solve(task: &Task, vehicle: &Vehicle<'_>) -> Self {
        let walls = vehicle.scenery.walls.iter().map(|wall| {
            let [from, to] = [wall.from, wall.to].map(V::from_f32);
            Shape::axis(from, to)
        });
        let obstacles = vehicle.obstacles();
        let obstacles = obstacles.map(|(at, radius)| Shape { from: at, to: at, radius });
        let mut shapes: Vec<Shape> = walls.chain(obstacles).collect();
        let layout = Layout::new(task, vehicle, &shapes);
        let radius = f64::from(task.radius);
        let mut is_certain = true;
        if layout.is_torus {
            // The page promises nothing for such walls.
            is_certain = shapes.iter().all(|shape| {
                let extent = (shape.to - shape.from).map(f64::abs);
                extent.all_le(vehicle.size * 2.0)
            });
            let reach = 2.0 * radius + (EXACT_CELLS + 2.0) * layout.largest();
            shapes = shapes.iter().flat_map(|shape| shape.images(vehicle.size, reach)).collect();
        }
        let solve = |sign: f64| Solver::new(&layout, task, &shapes, sign * BIAS).cells();
        let (mut cells, others) = (solve(1.0), solve(-1.0));
        for (cell, other) in cells.iter_mut().zip(others) {
            let turned = (cell.direction - other.direction).length();
            cell.is_certain = is_certain
                && turned < 1.0e-6
                && (cell.rest - other.rest).abs() <= 1.0e-6 * cell.rest;
        }
        Self { layout, cells }
    }

    pub(super) fn around(&self, at: V) -> Around {
        let Layout { origin, cell, columns, rows, .. } = self.layout;
        let along = |at: f64, origin: f64, cell: f64, count: i64| {
            let at = (at - origin) / cell - 0.5;
            let first = at.floor().clamp(-1.0, count as f64 - 1.0);
            // Beyond the outermost centers, the field is as it is there.
            (first as i64, (at - first).clamp(0.0, 1.0), at.abs() + (origin / cell).abs())
        };
        let (column, right, x) = along(at.x, origin.x, cell.x, columns);
        let (row, above, y) = along(at.y, origin.y, cell.y, rows);
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let corners = corners.map(|(x, y)| self.cells[self.layout.index(column + x, row + y)]);
        Around { corners, fractions: [right, above], scale: x.max(y) }
    }

    /// Cells with a shorter stopping distance are close to a goal.
    pub(super) fn close(&self) -> f64 {
        2.001 * self.layout.largest()
    }
}

struct Layout {
    is_torus: bool,
    origin: V,
    cell: V,
    columns: i64,
    rows: i64,
}

impl Layout {
    fn new(task: &Task, vehicle: &Vehicle<'_>, shapes: &[Shape]) -> Self {
        let (mut low, mut high) = (V::default(), vehicle.size);
        if vehicle.topology == Topology::Open {
            let goals = task.goals.iter().flat_map(|goal| goal.corners()).map(V::from_f32);
            let goals = goals.map(|at| Shape::axis(at, at));
            for (from, to) in goals.chain(shapes.iter().copied()).map(|shape| shape.bounds()) {
                (low, high) = (low.zip(from, f64::min), high.zip(to, f64::max));
            }
            let margin = 4.0 * (f64::from(task.radius) + f64::from(task.cell));
            (low, high) = (low - V::flat(margin, margin), high + V::flat(margin, margin));
        }
        let count = |side: f64| (side / f64::from(task.cell)).ceil().max(1.0);
        let (columns, rows) = (count(high.x - low.x), count(high.y - low.y));
        Self {
            is_torus: vehicle.topology == Topology::Torus,
            origin: low,
            cell: V::flat((high.x - low.x) / columns, (high.y - low.y) / rows),
            columns: columns as i64,
            rows: rows as i64,
        }
    }

    fn largest(&self) -> f64 {
        self.cell.x.max(self.cell.y)
    }

    /// The cell in a column and a row. Beyond the edge, a torus continues on the opposite side, and
    /// other worlds repeat the outermost cell.
    fn index(&self, column: i64, row: i64) -> usize {
        let inside = |at: i64, count: i64| {
            if self.is_torus { at.rem_euclid(count) } else { at.clamp(0, count - 1) }
        };
        (inside(row, self.rows) * self.columns + inside(column, self.columns)) as usize
    }

    fn column_and_row(&self, cell: usize) -> (i64, i64) {
        (cell as i64 % self.columns, cell as i64 / self.columns)
    }

    fn center(&self, cell: usize) -> V {
        let (column, row) = self.column_and_row(cell);
        self.origin + V::flat((column as f64 + 0.5) * self.cell.x, (row as f64 + 0.5) * self.cell.y)
    }

    fn beside(&self, cell: usize, side: usize) -> Option<usize> {
        let (column, row) = self.column_and_row(cell);
        let other = self.index(column + SIDES[side].0, row + SIDES[side].1);
        (other != cell).then_some(other)
    }
}

/// A wall, an obstacle, or a line that no way crosses: all points within `radius` of a segment.
#[derive(Clone, Copy)]
struct Shape {
    from: V,
    to: V,
    radius: f64,
}

impl Shape {
    fn axis(from: V, to: V) -> Self {
        Self { from, to, radius: 0.0 }
    }

    /// Lowest and highest coordinates of the segment.
    fn ends(&self) -> (V, V) {
        (self.from.zip(self.to, f64::min), self.from.zip(self.to, f64::max))
    }

    /// Lowest and highest coordinates.
    fn bounds(&self) -> (V, V) {
        let ((low, high), radius) = (self.ends(), V::flat(self.radius, self.radius));
        (low - radius, high + radius)
    }

    /// Copies of the shape on a torus that are within reach of the world.
    fn images(self, size: V, reach: f64) -> impl Iterator<Item = Self> {
        let (low, high) = self.bounds();
        let turns = |low: f64, high: f64, size: f64| {
            // Beyond two worlds, copies only repeat.
            let reach = reach.min(2.0 * size);
            let (first, last) = ((-reach - high) / size, (size + reach - low) / size);
            let last = last.floor().min(first.ceil() + 9.0);
            first.ceil() as i64..=last as i64
        };
        let rows = turns(low.y, high.y, size.y);
        turns(low.x, high.x, size.x).flat_map(move |x| {
            rows.clone().map(move |y| {
                let shift = V::flat(x as f64 * size.x, y as f64 * size.y);
                Self { from: self.from + shift, to: self.to + shift, ..self }
            })
        })
    }

    /// `at` minus the nearest point on the segment.
    fn offset_of(&self, at: V) -> V {
        let along = self.to - self.from;
        let length_sq = along.dot(along);
        let t = if length_sq > 0.0 { (at - self.from).dot(along) / length_sq } else { 0.0 };
        at - (self.from + along * t.clamp(0.0, 1.0))
    }

    fn clearance(&self, at: V) -> f64 {
        self.offset_of(at).length() - self.radius
    }

    /// Distance to another shape.
    fn gap(&self, other: &Self) -> f64 {
        let radii = self.radius + other.radius;
        if self.crosses(other, 0.0) { -radii } else { self.line_to(other, 0.0).0 }
    }

    /// The shortest line from an end of one segment to the other segment, and the room between the
    /// two shapes there.
    fn line_to(&self, other: &Self, bias: f64) -> (f64, Self) {
        let lines = [self.from, self.to].map(|end| Self::axis(end, end - other.offset_of(end)));
        let others = [other.from, other.to].map(|end| Self::axis(end, end - self.offset_of(end)));
        let mut shortest = (f64::INFINITY, *self);
        for line in lines.into_iter().chain(others) {
            let length = (line.to - line.from).length();
            if length < shortest.0 + bias {
                shortest = (length, line);
            }
        }
        (shortest.0 - self.radius - other.radius, shortest.1)
    }

    /// True if two segments, without a radius, have a common point.
    fn crosses(&self, other: &Self, bias: f64) -> bool {
        let (a, b) = (self.ends(), other.ends());
        let (low, high) = (a.0.zip(b.0, f64::max), a.1.zip(b.1, f64::min));
        let is_split = |line: &Self, by: &Self| {
            let left = (by.to - by.from).normalized().quarter_turn();
            let heights = [line.from, line.to].map(|end| left.dot(end - by.from));
            heights[0].min(heights[1]) <= bias && heights[0].max(heights[1]) >= -bias
        };
        (low - V::flat(bias, bias)).all_le(high) && is_split(self, other) && is_split(other, self)
    }
}

/// For each row of cells, the shapes within `reach` of the row's centers.
fn by_row(layout: &Layout, shapes: &[Shape], reach: f64) -> Vec<Vec<Shape>> {
    let near = |row: i64| {
        let y = layout.center((row * layout.columns) as usize).y;
        let is_near = |shape: &&Shape| {
            let (low, high) = shape.bounds();
            low.y - reach <= y && y <= high.y + reach
        };
        shapes.iter().filter(is_near).copied().collect()
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

struct Solver<'a> {
    layout: &'a Layout,
    task: &'a Task,
    shapes: &'a [Shape],
    /// Shapes by row that may be near a cell.
    near: Vec<Vec<Shape>>,
    radius: f64,
    relative_bias: f64,
    bias: f64,
}

/// For each cell, a flag per side.
type Edges = Vec<[bool; 4]>;

impl<'a> Solver<'a> {
    fn new(layout: &'a Layout, task: &'a Task, shapes: &'a [Shape], bias: f64) -> Self {
        let radius = f64::from(task.radius);
        let near = by_row(layout, shapes, radius + 2.0 * layout.largest());
        let relative_bias = bias;
        Self { layout, task, shapes, near, radius, relative_bias, bias: bias * layout.largest() }
    }

    fn less(&self, a: f64, b: f64) -> bool {
        a < b + self.bias
    }

    fn count(&self) -> usize {
        self.near.len() * self.layout.columns as usize
    }

    fn near<'s>(
        shapes: &'s [Vec<Shape>],
        layout: &Layout,
        cell: usize,
        reach: f64,
    ) -> Vec<&'s Shape> {
        let x = layout.center(cell).x;
        let is_near = |shape: &&Shape| {
            let (low, high) = shape.bounds();
            low.x - reach <= x && x <= high.x + reach
        };
        shapes[layout.column_and_row(cell).1 as usize].iter().filter(is_near).collect()
    }

    fn cells(&self) -> Vec<RouteCell> {
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
        let brakes = self.task.goals.iter().all(|goal| matches!(goal, Place::Line(_)));
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
            |at: V| near.iter().map(|shape| shape.clearance(at)).fold(f64::INFINITY, f64::min);
        let here = clearance(center);
        if !self.less(here, self.radius) {
            return Some(V::default());
        }
        if here + largest < self.radius {
            return None;
        }
        // The cell lies between two shapes that the disk nearly fits between.
        let (wide, reach) = (2.0 * (self.radius + largest), self.radius + 2.0 * largest);
        let sides = near.iter().filter_map(|shape| {
            let clearance = shape.clearance(center);
            let away = shape.offset_of(center).normalized();
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

    /// Which sides of cells no wall separates, and which the disk passes.
    fn edges(&self, rooms: &[Option<V>]) -> (Edges, Edges) {
        let (layout, largest) = (self.layout, self.layout.largest());
        let reach = 2.0 * largest;
        let walls = self.shapes.iter().filter(|shape| shape.radius == 0.0).copied();
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
                let crossed = |lines: &[Vec<Shape>], from: V, to: V| {
                    let path = Shape::axis(from, to);
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

    /// The shortest lines between shapes that are less than the disk's diameter apart.
    fn throats(&self) -> Vec<Shape> {
        let mut throats = Vec::new();
        for (k, shape) in self.shapes.iter().enumerate() {
            for other in &self.shapes[..k] {
                let (a, b) = (shape.bounds(), other.bounds());
                let diameter = V::flat(2.0 * self.radius, 2.0 * self.radius);
                if !((a.0 - diameter).all_le(b.1) && (b.0 - diameter).all_le(a.1)) {
                    continue;
                }
                let (width, line) = shape.line_to(other, self.bias);
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
            if seeds.is_empty() {
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

    /// Radius of a disk that has room wherever nothing is in the way.
    fn sight(&self) -> f64 {
        1.0e-6 * self.layout.largest()
    }

    fn seeds_of(
        &self,
        goal: &Place,
        is_free: impl Fn(usize) -> bool,
        radius: f64,
    ) -> Vec<(usize, Seed)> {
        let layout = self.layout;
        let [low, high] = goal.corners().map(V::from_f32);
        let (rest, near) = (REST_CELLS * layout.largest(), EXACT_CELLS * layout.largest());
        let size =
            V::flat(layout.columns as f64 * layout.cell.x, layout.rows as f64 * layout.cell.y);
        let images: Vec<V> = if layout.is_torus {
            let goal = Shape::axis(low, high);
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
            let is_line = matches!(goal, Place::Line(_));
            let offset = match goal {
                Place::Line(_) => -Shape::axis(low, high).offset_of(center),
                Place::Box(_) => center.zip(low, f64::max).zip(high, f64::min) - center,
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
            let way = Shape { from: center, to: center + offset, radius: room };
            if self.shapes.iter().any(|shape| self.less(way.gap(shape), 0.0)) {
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

    /// Fast marching (Sethian 1996): cells become known in the order of their distance.
    fn march(&self, starts: &[f64], edges: &[[bool; 4]]) -> Vec<f64> {
        let mut distances = starts.to_vec();
        let mut known = vec![false; distances.len()];
        // Distances are not negative, so their bits have the same order.
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

    /// Solves ((d - a) / width)² + ((d - b) / height)² = 1 for d, or one term of it.
    fn upwind(&self, a: f64, b: f64) -> f64 {
        let V { x: width, y: height, .. } = self.layout.cell;
        let straight = (a + width).min(b + height);
        if a.max(b) == f64::INFINITY {
            return straight;
        }
        // Distances from the smaller of the two, so that no digits cancel.
        let low = a.min(b);
        let (a, b) = (a - low, b - low);
        let (p, q) = (width.powi(-2), height.powi(-2));
        let (half, last) = (p * a + q * b, p * a * a + q * b * b - 1.0);
        let root = half * half - (p + q) * last;
        let slanted = (half + root.max(0.0).sqrt()) / (p + q);
        if root > 0.0 && slanted >= a.max(b) { low + slanted } else { straight }
    }

    /// Completes the distances in cells that are not free: there, the way leads to the nearest free
    /// cell. Returns the distance to that cell.
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

    /// Compares two distances. Two that are 0 are equal in spite of the bias.
    fn shorter(&self, a: f64, b: f64) -> bool {
        a < b && b == f64::INFINITY || a < b + self.relative_bias * (a + b)
    }

    /// Unit vector in the direction in which the distance falls.
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
