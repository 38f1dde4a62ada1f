//! Finds the candidates of a batch: the runs of slots that can contain its neighbors.
//! Also lists, for display, the cells that a search reads.
//!
//! Usually, all agents of a batch are in one row. The first and last agents' columns then bound the
//! batch, and the search extends the bounds on each side by the view distance, in whole cells.
//! Otherwise, the search uses the AABB of the batch. If the AABB spans several rows and is much
//! wider than the view distance, the search merges the runs around compact parts of the batch.

use arrayvec::ArrayVec;
use wide::{f32x4, i32x4};

use crate::grid::{Grid, Images, Run, Runs, STRIP_BITS, Stretch};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::lanes::fused::mul_add;
use crate::math::lanes::{Lanes, MAX_WIDTH, compiled};
use crate::math::vec2::Vec2;
use crate::world::Topology;

/// Bound on the summed rounding errors of two positions, their cells and the sweep's own test,
/// as a fraction of the world's size. Each error is at most 2⁻²⁴, except for one of up to 2⁻²³.
const ROUNDING_MARGIN: f32 = 3.0e-7;

impl Grid {
    /// Fills `runs` with every slot that may contain a neighbor within the distance `view`.
    /// The batch has at most [`MAX_WIDTH`](crate::math::lanes::MAX_WIDTH) agents in consecutive
    /// slots. The grid must have been filled from these positions.
    pub(crate) fn candidates<L: Lanes>(&self, positions: Axes<&[f32]>, view: f32, runs: &mut Runs) {
        debug_assert!(!positions.is_empty());
        // For one agent, the AABB search is as fast as the row search and finds fewer candidates.
        let several = positions.len() > 1;
        let found = several && compiled!(L: self.row_of_candidates(positions, view, runs));
        if !found {
            self.candidates_anywhere::<L>(positions, view, runs);
        }
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    /// Usual case: all agents are in one row, so the first and last agents' columns bound the
    /// batch. Returns false if the general search is needed.
    #[inline(always)]
    fn row_of_candidates(&self, positions: Axes<&[f32]>, view: f32, runs: &mut Runs) -> bool {
        if !self.can_count_cells {
            return false;
        }
        let [front, back] = [positions.at(0), positions.at(positions.len() - 1)];
        // This computation must give exactly the same cells as `number_cells`.
        let counts = [self.rows, self.rows, self.columns, self.columns].map(|count| count as i32);
        let ends = f32x4::from([front.y, back.y, front.x, back.x]);
        // Agents are inside the world and a search spans few cells, so no conversion overflows.
        let cells = (ends * self.inverse_cells()).fast_trunc_int();
        let cells = cells.max(i32x4::splat(0)).min(i32x4::from(counts) - i32x4::splat(1));
        let [row, last_row, first, last] = cells.to_array();
        if row != last_row {
            return false;
        }
        let [up, _, aside, _] = self.in_cells(view).fast_trunc_int().to_array();
        let rows = self.clip((row - up - 1, row + up + 1), self.rows);
        let columns =
            self.clip((first.min(last) - aside - 1, first.max(last) + aside + 1), self.columns);
        let around_the_world = span(columns) > i64::from(self.columns);
        if span(rows) > i64::from(self.rows) || around_the_world && self.stretches.is_empty() {
            return false;
        }
        runs.begin();
        if around_the_world {
            runs.images = Images::X;
            self.push_stretches(rows, &self.stretches, runs);
        } else {
            self.push_rows(rows, columns, runs);
        }
        !runs.overflowed
    }

    #[inline(never)]
    pub(crate) fn candidates_anywhere<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        view: f32,
        runs: &mut Runs,
    ) {
        compiled!(L: self.candidates_around::<L>(positions, view, runs));
        if runs.overflowed {
            runs.set_all(self.slots(), &self.layout.space);
        }
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    #[inline(always)]
    fn candidates_around<L: Lanes>(&self, positions: Axes<&[f32]>, view: f32, runs: &mut Runs) {
        runs.begin();
        let around = Aabb::around(positions);
        // In a sparse crowd, a batch that spans several rows can be much wider than its view.
        let compact = self.is_compact(around);
        let (rows, columns) = self.window(around, view);
        let shifts_suffice = compact && self.shifts_suffice;
        let x_suffices = shifts_suffice && span(columns) <= i64::from(self.columns);
        let y_suffices = shifts_suffice && span(rows) <= i64::from(self.rows);
        runs.images = match (x_suffices, y_suffices) {
            _ if !self.layout.space.is_torus() => Images::None,
            (true, true) => Images::None,
            (false, true) if !self.stretches.is_empty() => Images::X,
            _ => Images::Both,
        };
        if compact && runs.images == Images::X {
            self.push_stretches(rows, &self.stretches, runs);
        } else if !compact {
            self.push_each_part::<L>(positions, view, runs);
            runs.merge();
        } else if !self.push_block(rows, columns, runs) {
            runs.merge();
        }
    }

    #[cold]
    fn push_each_part<L: Lanes>(&self, positions: Axes<&[f32]>, view: f32, runs: &mut Runs) {
        compiled!(L: self.push_each_part_inlined(positions, view, runs));
    }

    /// True if one search around the box serves all its agents. In an open world, agents in one row
    /// of the table may be arbitrarily far apart.
    #[inline(always)]
    fn is_compact(&self, around: Aabb) -> bool {
        let (size, most) = (around.size(), 4.0 * self.layout.view);
        let one_row = || self.row_at(around.low.y) == self.row_at(around.high.y);
        match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => size.x <= most || one_row(),
            Topology::Open => {
                size.all_le(Vec2::diagonal(most))
                    || size.x * self.inverse_cell.y <= MAX_WIDTH as f32 && one_row()
            }
        }
    }

    #[inline(always)]
    fn push_each_part_inlined(&self, positions: Axes<&[f32]>, view: f32, runs: &mut Runs) {
        let mut left: ArrayVec<Aabb, MAX_WIDTH> = positions.iter().map(Aabb::at).collect();
        while let Some(mut around) = left.pop() {
            left.retain(|&mut other| {
                let both = around.join(&other);
                let fits = self.is_compact(both);
                if fits {
                    around = both;
                }
                !fits
            });
            let (rows, columns) = self.window(around, view);
            self.push_block(rows, columns, runs);
        }
    }

    /// Row and column ranges that the box overlaps, before folding into the table. The box is
    /// first expanded by `view` and a margin for rounding errors, including the sweep's own.
    #[inline(always)]
    pub(crate) fn window(&self, around: Aabb, view: f32) -> ((i32, i32), (i32, i32)) {
        let Aabb { low, high } = around;
        let largest = match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => self.layout.space.size,
            Topology::Open => {
                let larger = |a: f32, b: f32| if a.abs() > b.abs() { a.abs() } else { b.abs() };
                low.zip(high, larger)
            }
        };
        let margin = Vec2::diagonal(view) * 1.0001 + largest * 1.0e-6;
        let Aabb { low, high } = around.expanded(margin);
        let edges = f32x4::from([low.y, high.y, low.x, high.x]);
        let Vec2 { x, y } = self.home;
        let cells = edges * self.inverse_cells() + f32x4::from([y, y, x, x]);
        let [bottom, top, left, right] = cells.floor().trunc_int().to_array();
        (self.clip((bottom, top), self.rows), self.clip((left, right), self.columns))
    }

    /// True if searches may round the view distance up to whole cells, because it is at most one
    /// cell or rounding adds at most 10%. Otherwise, and in open worlds and small tori, searches
    /// use an AABB.
    pub(super) fn can_count_cells(&self) -> bool {
        let [up, _, aside, _] = self.in_cells(self.layout.view).to_array();
        let nearly_whole = |cells: f32| cells < 1.0e6 && cells.ceil() <= cells.max(0.91) * 1.1;
        self.layout.space.topology != Topology::Open
            && self.shifts_suffice
            && nearly_whole(up)
            && nearly_whole(aside)
    }

    /// View distance in cell heights (lanes 0 and 1) and cell widths (lanes 2 and 3),
    /// plus a margin for all rounding errors.
    #[inline(always)]
    fn in_cells(&self, view: f32) -> f32x4 {
        let size = self.layout.space.size;
        let margin = f32x4::from([size.y, size.y, size.x, size.x]) * f32x4::splat(ROUNDING_MARGIN);
        (margin + f32x4::splat(view * 1.0001)) * self.inverse_cells()
    }

    #[inline(always)]
    fn inverse_cells(&self) -> f32x4 {
        let Vec2 { x, y } = self.inverse_cell;
        f32x4::from([y, y, x, x])
    }

    #[inline(always)]
    fn row_at(&self, y: f32) -> i32 {
        (y * self.inverse_cell.y).floor() as i32
    }

    #[inline(always)]
    fn clip(&self, (from, to): (i32, i32), count: u32) -> (i32, i32) {
        let last = count as i32 - 1;
        if self.layout.space.topology == Topology::Bounded {
            (from.clamp(0, last), to.clamp(0, last))
        } else {
            (from, to)
        }
    }

    /// Adds the slots in a block of cells. Returns false if the runs must then be merged.
    #[inline(always)]
    fn push_block(&self, rows: (i32, i32), (from, to): (i32, i32), runs: &mut Runs) -> bool {
        if self.layout.space.topology != Topology::Open {
            self.push_rows(at_most(rows, self.rows), at_most((from, to), self.columns), runs);
            return true;
        }
        let (strip, all_rows) = (from >> STRIP_BITS, self.rows as i32);
        let unfolded = from >= 0 && to < self.columns as i32 && strip == to >> STRIP_BITS;
        if unfolded && rows.0 >= -strip && rows.1 < all_rows - strip {
            for row in rows.0 + strip..rows.1 + strip + 1 {
                self.push(row, (from, to), Run::default(), runs);
            }
            return true;
        }
        self.push_folded(rows, (from, to), runs);
        runs.ascend()
    }

    /// Adds the slots in a block of the open plane, strip by strip, perhaps not in ascending order.
    #[inline(never)]
    fn push_folded(&self, rows: (i32, i32), (from, to): (i32, i32), runs: &mut Runs) {
        let end = self.columns as i32 - 1;
        if span((from, to)) > i64::from(self.columns) || span(rows) > i64::from(self.rows) {
            let [low, high] = [(rows.0, from), (rows.1, to)]
                .map(|(row, column)| row.saturating_add(column >> STRIP_BITS));
            let (low, high) = at_most((low, high), self.rows);
            for row in low..=high {
                self.push(row & (self.rows as i32 - 1), (0, end), Run::default(), runs);
            }
            return;
        }
        // Cells of a strip adjoin in the table, too, unless the table is narrower than the strip.
        let bits = STRIP_BITS.min(self.columns.ilog2());
        for strip in from >> bits..=to >> bits {
            let (first, last) = (strip << bits, strip << bits | ((1 << bits) - 1));
            let (from, to) = (from.max(first), to.min(last));
            for row in rows.0..=rows.1 {
                let [row, first] = self.folded_cell(row as u32, from as u32).map(|at| at as i32);
                let last = first + (to - from);
                self.push(row, (first, last.min(end)), Run::default(), runs);
                if last > end {
                    self.push(row, (0, last - end - 1), Run::default(), runs);
                }
            }
        }
    }

    #[inline(always)]
    fn push_rows(&self, rows: (i32, i32), (from, to): (i32, i32), runs: &mut Runs) {
        if rows.0 >= 0 && rows.1 < self.rows as i32 && from >= 0 && to < self.columns as i32 {
            for row in rows.0..rows.1 + 1 {
                self.push(row, (from, to), Run::default(), runs);
            }
        } else {
            let columns = self.folded((from, to), self.columns, self.layout.space.size.x);
            self.push_stretches(rows, &columns, runs);
        }
    }

    /// Adds the slots in these column ranges for each row. Rows outside the table wrap around.
    #[inline(never)]
    fn push_stretches(&self, rows: (i32, i32), columns: &[Stretch], runs: &mut Runs) {
        for rows in &self.folded(rows, self.rows, self.layout.space.size.y) {
            for row in rows.first..rows.last + 1 {
                let add = |&Stretch { first, last, shift, middle }: &Stretch| {
                    let shift = Vec2::new(shift, rows.shift);
                    self.push(row, (first, last), Run { shift, middle, ..Run::default() }, runs);
                };
                if self.is_mirrored(row) {
                    columns.iter().rev().for_each(add);
                } else {
                    columns.iter().for_each(add);
                }
            }
        }
    }

    #[inline(always)]
    fn push(&self, row: i32, columns: (i32, i32), like: Run, runs: &mut Runs) {
        let (first, last) = self.mirrored(row, columns);
        let base = self.first_cells[row as usize] as usize;
        let start = self.starts[base + first as usize];
        let end = self.starts[base + last as usize + 1];
        if let Some(before) = runs.list.last_mut()
            && before.end == start
            && (before.shift, before.middle) == (like.shift, like.middle)
        {
            before.end = end;
        } else if start < end && runs.list.try_push(Run { start, end, ..like }).is_err() {
            runs.overflowed = true;
        }
    }

    /// Wraps a range of at most `count` rows or columns into the table. Returns one or two ranges
    /// in ascending order, each with the torus shift to apply.
    #[inline(always)]
    fn folded(&self, cells: (i32, i32), count: u32, size: f32) -> ArrayVec<Stretch, 2> {
        let count = count as i32;
        let before = cells.0.div_euclid(count) * count;
        let (first, last) = (cells.0 - before, cells.1 - before);
        let shift = |before: i32| match self.layout.space.topology {
            Topology::Torus if before < 0 => size,
            Topology::Torus if before > 0 => -size,
            _ => 0.0,
        };
        let stretch =
            |first, last, before| Stretch { first, last, shift: shift(before), middle: 0.0 };
        let mut parts = ArrayVec::new();
        if last < count {
            parts.push(stretch(first, last, before));
        } else {
            parts.push(stretch(0, last - count, before + count));
            parts.push(stretch(first, count - 1, before));
        }
        parts
    }

    /// Cuts rows into stretches so short that only one periodic image of an agent sees into each:
    /// the image nearest to the stretch's middle. Empty if even one column is too wide.
    pub(super) fn stretches(&self) -> Vec<Stretch> {
        let columns = f64::from(self.columns);
        let seen =
            f64::from(self.layout.view) * 1.01 / f64::from(self.layout.space.size.x) * columns;
        // Half a stretch of cells plus the view distance must fit in half the width of the world.
        // Otherwise, the nearest image would not be unique.
        let longest = (columns - 2.0 * seen) as u32;
        if longest == 0 {
            return Vec::new();
        }
        let count = self.columns.div_ceil(longest);
        let stretch = |k: u32| {
            let [first, end] = [k, k + 1].map(|k| k * self.columns / count);
            let middle = (first + end) as f32 * 0.5 / self.inverse_cell.x;
            Stretch { first: first as i32, last: end as i32 - 1, shift: 0.0, middle }
        };
        (0..count).map(stretch).collect()
    }
}

#[inline(always)]
fn at_most((from, to): (i32, i32), count: u32) -> (i32, i32) {
    if span((from, to)) > i64::from(count) { (0, count as i32 - 1) } else { (from, to) }
}

#[inline(always)]
pub(crate) fn span((from, to): (i32, i32)) -> i64 {
    i64::from(to) - i64::from(from) + 1
}

/// Block of grid cells, e.g. the cells that an agent searches for neighbors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    /// Lower-left corner of the block, in world units. A block may cross the seam of a torus:
    /// each cell then appears at its periodic image nearest to the searching agent.
    pub low: [f32; 2],
    /// Width and height of a cell, in world units.
    pub size: [f32; 2],
    /// Number of cells per row.
    pub columns: u32,
    /// Number of rows of cells in the block.
    pub rows: u32,
    /// True if agents are sorted from right to left in odd rows of the grid.
    pub serpentine: bool,
}

impl Cells {
    /// Lower-left and upper-right corners of all cells, row by row from the bottom, left to right.
    pub fn boxes(self) -> impl Iterator<Item = [[f32; 2]; 2]> {
        let Self { low, size, columns, rows, .. } = self;
        let corner = move |column: u32, row: u32| {
            [mul_add(column as f32, size[0], low[0]), mul_add(row as f32, size[1], low[1])]
        };
        (0..rows).flat_map(move |row| {
            (0..columns).map(move |column| [corner(column, row), corner(column + 1, row + 1)])
        })
    }
}

impl Grid {
    /// Cells that [`Self::candidates`] reads for a single agent with neighbors up to `view` away.
    /// The block is centered on the agent and contains each cell only once.
    pub(crate) fn around(&self, position: Vec2<f32>, view: f32) -> Cells {
        let (rows, columns) = self.window(Aabb::at(position), view);
        self.block(once(columns, self.columns), once(rows, self.rows))
    }

    pub(crate) fn all(&self) -> Cells {
        self.block((0, self.columns as i32 - 1), (0, self.rows as i32 - 1))
    }

    fn block(&self, columns: (i32, i32), rows: (i32, i32)) -> Cells {
        let size =
            [self.inverse_cell.x, self.inverse_cell.y].map(|inverse| 1.0 / f64::from(inverse));
        let Vec2 { x, y } = self.home;
        let low = [f64::from(columns.0) - f64::from(x), f64::from(rows.0) - f64::from(y)];
        let low = [low[0] * size[0], low[1] * size[1]];
        Cells {
            low: low.map(|low| low as f32),
            size: size.map(|size| size as f32),
            columns: span(columns) as u32,
            rows: span(rows) as u32,
            serpentine: self.serpentine,
        }
    }
}

fn once((from, to): (i32, i32), count: u32) -> (i32, i32) {
    if span((from, to)) <= i64::from(count) {
        return (from, to);
    }
    let middle = from.midpoint(to);
    let from = middle.saturating_sub(count as i32 / 2);
    (from, from.saturating_add(count as i32 - 1))
}
