//! Which obstacles or walls are near a place.
//!
//! A uniform grid whose cells list, in ascending order, every item that an agent somewhere in
//! the cell may have to look at. The lists are worked out once, when the scenery changes, so
//! a batch only copies those of the cells that its agents are in; what an agent meets does
//! not grow with the size of the world.
//!
//! A list may hold more than an agent needs, and batches merge theirs; kernels must not
//! depend on that. They visit items in ascending order and take a later one only if it is
//! strictly better.

use arrayvec::ArrayVec;

use crate::grid::bounds;
use crate::vec2::Vec2;
use crate::world::Space;

/// Something static: all places within `radius` of the straight line between two points.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) from: Vec2<f32>,
    pub(crate) to: Vec2<f32>,
    pub(crate) radius: f32,
}

/// Cells and their lists.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    items: u32,
    wraps: bool,
    origin: Vec2<f32>,
    cell: Vec2<f32>,
    inverse_cell: Vec2<f32>,
    columns: i32,
    rows: i32,
    /// The list of cell c is `lists[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    lists: Vec<u32>,
}

/// The items near a batch, ascending.
#[derive(Debug, Default)]
pub(crate) struct Near {
    /// Whether `list` is that of the present batch.
    pub(crate) known: bool,
    pub(crate) list: ArrayVec<u32, MOST_NEAR>,
    /// Whether there were too many to list: all are near then.
    pub(crate) all: bool,
}

const MOST_NEAR: usize = 512;
/// The grid is no finer than this many cells per item.
const CELLS_PER_ITEM: f64 = 4.0;

impl Index {
    /// Indexes `items`; with `wraps`, across the seam of the torus as well.
    pub(crate) fn new(space: &Space, wraps: bool, items: &[Item]) -> Self {
        let (origin, size) =
            if wraps { (Vec2::ZERO, space.size) } else { bounding_box(items, space) };
        let largest =
            items.iter().map(|item| item.radius).fold(0.0_f64, |a, b| a.max(f64::from(b)));
        let area = f64::from(size.x) * f64::from(size.y);
        let finest = (area / (CELLS_PER_ITEM * items.len().max(1) as f64)).sqrt();
        let side = finest.max(largest / 4.0).max(1.0e-3);
        let count = |length: f32| (f64::from(length) / side).floor().clamp(1.0, 16_384.0) as i32;
        let (columns, rows) = (count(size.x), count(size.y));
        let mut index = Self {
            items: items.len() as u32,
            wraps,
            origin,
            cell: Vec2::new(size.x / columns as f32, size.y / rows as f32),
            inverse_cell: Vec2::new(columns as f32 / size.x, rows as f32 / size.y),
            columns,
            rows,
            starts: vec![0; columns as usize * rows as usize + 1],
            lists: Vec::new(),
        };
        index.fill(items);
        index
    }

    fn fill(&mut self, items: &[Item]) {
        let mut listed: Vec<(u32, u32)> = Vec::new();
        for (k, item) in (0..).zip(items) {
            self.cells_near(item, |cell| listed.push((cell, k)));
        }
        listed.sort_unstable();
        // A large item on a small torus meets a cell from several sides.
        listed.dedup();
        for (cell, _) in &listed {
            self.starts[*cell as usize + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.lists = listed.into_iter().map(|(_, item)| item).collect();
    }

    /// Calls `note` with each cell that may hold a place near `item`.
    fn cells_near(&self, item: &Item, mut note: impl FnMut(u32)) {
        // Half a cell's diagonal; and more, for every rounding between here and the kernels.
        let slack = self.cell.length() * 0.501 + (self.origin.length() + 1.0) * 1.0e-5;
        let reach = item.radius * 1.0001 + slack + item.from.length() * 1.0e-5;
        let span = |from: f32, to: f32, cell: f32, count: i32| {
            let (low, high) = if from < to { (from, to) } else { (to, from) };
            let place = |x: f32| (x / cell).floor() as i32;
            let (low, high) = (place(low - reach), place(high + reach));
            if !self.wraps {
                (low.clamp(0, count - 1), high.clamp(0, count - 1))
            } else if high - low >= count {
                (0, count - 1)
            } else {
                (low, high)
            }
        };
        let (from, to) = (item.from - self.origin, item.to - self.origin);
        let (left, right) = span(from.x, to.x, self.cell.x, self.columns);
        let (bottom, top) = span(from.y, to.y, self.cell.y, self.rows);
        for row in bottom..=top {
            for column in left..=right {
                let middle = Vec2::new(
                    (column as f32 + 0.5) * self.cell.x,
                    (row as f32 + 0.5) * self.cell.y,
                );
                let whole = (right - left + 1 == self.columns) || (top - bottom + 1 == self.rows);
                if (self.wraps && whole) || distance_to_line(middle, from, to) <= reach {
                    let (column, row) =
                        (column.rem_euclid(self.columns), row.rem_euclid(self.rows));
                    note((row * self.columns + column) as u32);
                }
            }
        }
    }

    /// The column and row of a place; beyond the grid, those at its edge, whose lists may be
    /// longer than what is out there, which is nothing.
    fn cell_at(&self, x: f32, y: f32) -> (i32, i32) {
        let column = ((x - self.origin.x) * self.inverse_cell.x) as i32;
        let row = ((y - self.origin.y) * self.inverse_cell.y) as i32;
        (column.clamp(0, self.columns - 1), row.clamp(0, self.rows - 1))
    }

    fn list(&self, (column, row): (i32, i32)) -> &[u32] {
        let cell = (row * self.columns + column) as usize;
        &self.lists[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// What is near one place.
    pub(crate) fn at(&self, x: f32, y: f32) -> &[u32] {
        self.list(self.cell_at(x, y))
    }

    /// Fills `near` with what is near any of the places, at least one.
    pub(crate) fn near(&self, x: &[f32], y: &[f32], near: &mut Near) {
        near.clear();
        let ((left, right), (bottom, top)) = (bounds(x), bounds(y));
        let (low, high) = (self.cell_at(left, bottom), self.cell_at(right, top));
        let cells = (high.0 - low.0 + 1) * (high.1 - low.1 + 1);
        if cells as usize <= x.len() {
            for row in low.1..=high.1 {
                (low.0..=high.0).for_each(|column| near.add(self.list((column, row))));
            }
        } else {
            // Scattered over more cells than there are places.
            x.iter().zip(y).for_each(|(&x, &y)| near.add(self.at(x, y)));
        }
    }

    pub(crate) fn items(&self) -> u32 {
        self.items
    }
}

impl Near {
    fn clear(&mut self) {
        (self.known, self.all) = (true, false);
        self.list.clear();
    }

    /// Adds what is new, in order.
    fn add(&mut self, items: &[u32]) {
        for item in items {
            match self.list.binary_search(item) {
                Ok(_) => {}
                Err(at) if self.list.len() < MOST_NEAR => self.list.insert(at, *item),
                Err(_) => self.all = true,
            }
        }
    }

    /// All items, without an index: all pairs.
    pub(crate) fn set_all(&mut self) {
        self.known = true;
        self.all = true;
    }

    /// Calls `visit` with each item, ascending, of `items` in all.
    #[inline(always)]
    pub(crate) fn for_each(&self, items: u32, mut visit: impl FnMut(usize)) {
        if self.all {
            (0..items).for_each(|item| visit(item as usize));
        } else {
            self.list.iter().for_each(|&item| visit(item as usize));
        }
    }
}

/// The smallest box around all places near an item.
fn bounding_box(items: &[Item], space: &Space) -> (Vec2<f32>, Vec2<f32>) {
    let (mut low, mut high) = (space.size, Vec2::ZERO);
    for item in items {
        for point in [item.from, item.to] {
            let reach = item.radius * 1.001 + 1.0 + point.length() * 1.0e-5;
            low = Vec2::new(low.x.min(point.x - reach), low.y.min(point.y - reach));
            high = Vec2::new(high.x.max(point.x + reach), high.y.max(point.y + reach));
        }
    }
    (low, high - low)
}

fn distance_to_line(point: Vec2<f32>, from: Vec2<f32>, to: Vec2<f32>) -> f32 {
    let (way, to_point) = (to - from, point - from);
    let length_sq = way.dot(way);
    let along = if length_sq > 0.0 { (to_point.dot(way) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (to_point - way * along).length()
}

#[cfg(test)]
mod tests;
