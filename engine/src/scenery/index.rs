//! A spatial index that finds the obstacles or walls near a position.
//!
//! The index is a uniform grid. Each cell lists, in ascending order, every item that an agent in
//! the cell or in an adjacent cell may have to test. The lists are rebuilt only when the scenery
//! changes. A cell is about as wide as the mean spacing of items, and as high as a row of the
//! agents' grid, so few batches of agents span more than two cells. A batch therefore usually
//! reads only the list of the cell at its center, and keeps the items that overlap its AABB.
//! The number of items tested per agent does not grow with the world.
//!
//! A batch may keep more items than its agents need. The extra items vary from batch to batch, but
//! results must not. Kernels therefore visit items in ascending order, and prefer a later item only
//! if it is strictly better.

use wide::f32x4;

use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::vec3::Vec3;
use crate::world::space::Space;

/// A static item: all points within `radius` of a line segment.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) from: Vec3<f32>,
    pub(crate) to: Vec3<f32>,
    pub(crate) radius: f32,
}

#[derive(Clone, Debug)]
pub(crate) struct Index {
    wraps: bool,
    origin: Vec3<f32>,
    cell: Vec3<f32>,
    inverse_cell: Vec3<f32>,
    columns: i32,
    rows: i32,
    /// The list of cell c is `lists[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    lists: Vec<u32>,
    /// AABB of each item, from [`Aabb::bounds`]. An item that crosses the seam
    /// gets an infinite box.
    boxes: Vec<f32x4>,
}

/// AABB of an item, with a margin for rounding errors in the index and the kernels.
fn aabb(item: &Item) -> Aabb {
    let (from, to) = (item.from, item.to);
    let margin = item.radius * 1.0001 + (from.length() + to.length()) * 1.0e-5 + 1.0e-3;
    Aabb::at(from).join(&Aabb::at(to)).expanded(Vec3::diagonal(margin))
}

#[derive(Debug)]
pub(crate) struct Near {
    pub(crate) is_filled: bool,
    count: usize,
    list: [u32; MAX_NEAR],
    /// True if the list would overflow. Every item in the index is then treated as near.
    all: bool,
}

impl Default for Near {
    fn default() -> Self {
        Self { is_filled: false, list: [0; MAX_NEAR], count: 0, all: false }
    }
}

const MAX_NEAR: usize = 512;
/// Approximate maximum of the total length of all cells' lists. Limits time and memory if the
/// scenery has many long walls.
const MAX_LISTED: f64 = 6.4e7;
/// Minimum height of a cell, as a fraction of its width.
const MIN_HEIGHT_PER_WIDTH: f64 = 1.0 / 32.0;

impl Index {
    /// Builds the index. `row` is the typical height of a batch, in world units. If `wraps`, items
    /// also act across the seams of the torus. Z coordinates are ignored.
    pub(crate) fn new(space: &Space, wraps: bool, items: &[Item], row: f32) -> Self {
        let flat = |item: &Item| {
            let [from, to] = [item.from, item.to].map(|end| Vec3::flat(end.x, end.y));
            Item { from, to, radius: item.radius }
        };
        let items: &[Item] = &items.iter().map(flat).collect::<Vec<_>>();
        let boxes: Vec<Aabb> = items.iter().map(aabb).collect();
        let (origin, size) = if wraps || items.is_empty() {
            (Vec3::ZERO, space.size)
        } else {
            let all = boxes.iter().fold(Aabb { low: space.size, high: Vec3::ZERO }, Aabb::join);
            (Vec3::flat(all.low.x, all.low.y), all.size())
        };
        let largest =
            items.iter().map(|item| item.radius).fold(0.0_f64, |a, b| a.max(f64::from(b)));
        let area = f64::from(size.x) * f64::from(size.y);
        let apart = (area / items.len() as f64).sqrt();
        // An item is listed in about as many cells as fit into a square as wide as the item's
        // longer side.
        let squares = boxes.iter().map(|near| f64::from(near.size().x.max(near.size().y)).powi(2));
        let least = (squares.sum::<f64>() / MAX_LISTED).sqrt();
        let width = apart.max(largest / 2.0).max(least).max(1.0e-3);
        let lowest = (MIN_HEIGHT_PER_WIDTH * width).max(least);
        let height = f64::from(row).max(largest / 2.0).clamp(lowest, width);
        let count =
            |length: f32, side: f64| (f64::from(length) / side).floor().clamp(1.0, 16_384.0) as i32;
        let (columns, rows) = (count(size.x, width), count(size.y, height));
        let mut index = Self {
            wraps,
            origin,
            cell: Vec3::flat(size.x / columns as f32, size.y / rows as f32),
            inverse_cell: Vec3::flat(columns as f32 / size.x, rows as f32 / size.y),
            columns,
            rows,
            starts: vec![0; columns as usize * rows as usize + 1],
            lists: Vec::new(),
            boxes: boxes
                .into_iter()
                .map(|near| if wraps && !near.is_inside(size) { Aabb::EVERYWHERE } else { near })
                .map(Aabb::bounds)
                .collect(),
        };
        let mut listed: Vec<(u32, u32)> = Vec::new();
        for (k, item) in (0..).zip(items) {
            index.cells_near(item, |cell| listed.push((cell, k)));
        }
        listed.sort_unstable();
        // On a small torus, a large item can reach the same cell from several sides.
        listed.dedup();
        for (cell, _) in &listed {
            index.starts[*cell as usize + 1] += 1;
        }
        for cell in 1..index.starts.len() {
            index.starts[cell] += index.starts[cell - 1];
        }
        index.lists = listed.into_iter().map(|(_, item)| item).collect();
        index
    }

    /// Indices of the first and last columns, or rows, between two coordinates. On a torus, they
    /// may lie outside the index.
    fn cells_between(&self, low: f32, high: f32, cell: f32, count: i32) -> (i32, i32) {
        let [low, high] = [low, high].map(|at| (at / cell).floor() as i32);
        // Beyond the range of `i32`, both ends may be equal although cells lie between them.
        let saturates = low == i32::MIN || high == i32::MAX;
        match self.wraps {
            true if high.saturating_sub(low) >= count || saturates => (0, count - 1),
            true => (low, high),
            false => (low.clamp(0, count - 1), high.clamp(0, count - 1)),
        }
    }

    fn cells_near(&self, item: &Item, mut visit: impl FnMut(u32)) {
        let slack = (self.origin.length() + item.from.length() + 1.0) * 1.0e-5;
        let reach = item.radius * 1.0001 + slack;
        let span = |from: f32, to: f32, cell: f32, count: i32| {
            let (low, high) = if from < to { (from, to) } else { (to, from) };
            let beside = reach + cell * 1.001;
            self.cells_between(low - beside, high + beside, cell, count)
        };
        let (from, to) = (item.from - self.origin, item.to - self.origin);
        let (left, right) = span(from.x, to.x, self.cell.x, self.columns);
        let (bottom, top) = span(from.y, to.y, self.cell.y, self.rows);
        let corner = self.cell.length() * 1.501;
        for row in bottom..=top {
            for column in left..=right {
                let center = Vec3::flat(
                    (column as f32 + 0.5) * self.cell.x,
                    (row as f32 + 0.5) * self.cell.y,
                );
                let whole = (right - left + 1 == self.columns) || (top - bottom + 1 == self.rows);
                if (self.wraps && whole) || distance_to_segment(center, from, to) <= reach + corner
                {
                    let (column, row) =
                        (column.rem_euclid(self.columns), row.rem_euclid(self.rows));
                    visit((row * self.columns + column) as u32);
                }
            }
        }
    }

    /// Returns the nearest cell's list. Outside the grid, no item is near, so any list is correct.
    #[inline(always)]
    fn list(&self, at: Vec3<f32>) -> &[u32] {
        let from_origin = at - self.origin;
        let column = (from_origin.x * self.inverse_cell.x) as i32;
        let row = (from_origin.y * self.inverse_cell.y) as i32;
        self.list_of(column.clamp(0, self.columns - 1), row.clamp(0, self.rows - 1))
    }

    #[inline(always)]
    fn list_of(&self, column: i32, row: i32) -> &[u32] {
        let cell = (row * self.columns + column) as usize;
        &self.lists[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Fills `near` with the items near a box of any size, which may cross the torus's seams.
    pub(crate) fn near_box(&self, around: Aabb, near: &mut Near) {
        (near.is_filled, near.all, near.count) = (true, false, 0);
        let meets = self.meets(self.in_world(around));
        for list in self.lists_in(around) {
            list.iter().filter(|&&item| meets(item)).for_each(|&item| near.insert(item));
            if near.all {
                return self.all_near(near);
            }
        }
    }

    /// Returns, in ascending order, the items near a box. Unlike [`Near`], the list has no maximum
    /// length.
    pub(crate) fn all_in(&self, around: Aabb) -> Vec<u32> {
        let meets = self.meets(self.in_world(around));
        let items = self.lists_in(around).flatten().copied();
        let mut items: Vec<u32> = items.filter(|&item| meets(item)).collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// Lists that together contain every item near a box.
    fn lists_in(&self, around: Aabb) -> impl Iterator<Item = &[u32]> {
        let (low, high) = (around.low - self.origin, around.high - self.origin);
        let (left, right) = self.cells_between(low.x, high.x, self.cell.x, self.columns);
        let (bottom, top) = self.cells_between(low.y, high.y, self.cell.y, self.rows);
        // A cell's list also covers the adjacent cells, so every third cell suffices.
        let rows = (bottom..=top).step_by(3);
        rows.map(move |row| top.min(row + 1).rem_euclid(self.rows)).flat_map(move |row| {
            let columns = (left..=right).step_by(3);
            let columns = columns.map(move |column| right.min(column + 1).rem_euclid(self.columns));
            columns.map(move |column| self.list_of(column, row))
        })
    }

    /// Fills `near` with the items near any of the positions. The list of positions must not be
    /// empty, and `around` must be its AABB.
    #[inline(always)]
    pub(crate) fn near(&self, positions: Axes<&[f32]>, around: Aabb, near: &mut Near) {
        (near.is_filled, near.all, near.count) = (true, false, 0);
        match self.list_around(around) {
            Some(list) => near.list_where(list, self.meets(around)),
            None => self.insert_near_halves(positions, near),
        }
        debug_assert!(near.list[..near.count].is_sorted_by(|a, b| a < b), "{near:?}");
        if near.all {
            self.all_near(near);
        }
    }

    /// Splits a batch that covers too large an area for a single list, e.g. in a sparse crowd,
    /// and inserts the items near each half.
    #[cold]
    fn insert_near_halves(&self, positions: Axes<&[f32]>, near: &mut Near) {
        let middle = positions.len().div_ceil(2);
        for half in [0..middle, middle..positions.len()].map(|rows| positions.rows(rows)) {
            let around = Aabb::around(half);
            let meets = self.meets(around);
            if let Some(list) = self.list_around(around) {
                list.iter().filter(|&&item| meets(item)).for_each(|&item| near.insert(item));
            } else {
                self.insert_near_halves(half, near);
            }
        }
    }

    #[inline(always)]
    fn list_around(&self, aabb: Aabb) -> Option<&[u32]> {
        // A box of at most 2 × 2 cells overlaps only the cell at its center and adjacent cells.
        let Aabb { low, high } = aabb;
        (high.x - low.x <= self.cell.x * 2.0 && high.y - low.y <= self.cell.y * 2.0)
            .then(|| self.list(aabb.center()))
    }

    #[inline(always)]
    fn meets(&self, aabb: Aabb) -> impl Fn(u32) -> bool + '_ {
        let batch = aabb.opposite_bounds();
        move |item| self.boxes[item as usize].simd_le(batch).all()
    }

    /// Side length, in world units, of a box that takes only a few lists to search.
    pub(crate) fn box_size(&self) -> f32 {
        4.0 * self.cell.x.max(self.cell.y)
    }

    /// Returns false if no item of `near` meets the box, which may cross the torus's seams.
    pub(crate) fn may_meet(&self, around: Aabb, near: &Near) -> bool {
        let meets = self.meets(self.in_world(around));
        near.all || near.list[..near.count].iter().any(|&item| meets(item))
    }

    /// Returns the box, or an infinite one if it crosses a seam.
    fn in_world(&self, around: Aabb) -> Aabb {
        let size = Vec3::flat(self.cell.x * self.columns as f32, self.cell.y * self.rows as f32);
        if self.wraps && !around.is_inside(size) { Aabb::EVERYWHERE } else { around }
    }

    pub(crate) fn all_near(&self, near: &mut Near) {
        (near.is_filled, near.all, near.count) = (true, true, self.boxes.len());
    }
}

impl Near {
    /// Filters the items branch-free, because branches on the condition would be mispredicted.
    #[inline(always)]
    fn list_where(&mut self, items: &[u32], condition: impl Fn(u32) -> bool) {
        let mut count = 0;
        for &item in items {
            self.list[count % MAX_NEAR] = item;
            count += usize::from(condition(item));
        }
        self.all = count >= MAX_NEAR;
        self.count = count % MAX_NEAR;
    }

    fn insert(&mut self, item: u32) {
        if let Err(at) = self.list[..self.count].binary_search(&item) {
            self.list.copy_within(at..self.count, at + 1);
            self.list[at] = item;
            self.count += 1;
            self.all |= self.count == MAX_NEAR;
            self.count %= MAX_NEAR;
        }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.all
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.count).map(|k| if self.all { k } else { self.list[k] as usize })
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        // With a single call site, `visit` is inlined and lanes stay in registers.
        for k in 0..self.count {
            visit(if self.all { k } else { self.list[k] as usize });
        }
    }
}

fn distance_to_segment(point: Vec3<f32>, from: Vec3<f32>, to: Vec3<f32>) -> f32 {
    let (segment, to_point) = (to - from, point - from);
    let length_sq = segment.dot(segment);
    let along =
        if length_sq > 0.0 { (to_point.dot(segment) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (to_point - segment * along).length()
}

#[cfg(test)]
mod tests;
