//! Finding the candidates of a batch: the runs of slots that can hold its neighbors.
//!
//! In the usual case a handful of operations: a batch in one row is no wider than the columns of
//! its first and last agent, and its neighbors are no more whole cells away than the view
//! distance has. Else the box around the batch is taken, and where not even that can be (from one
//! end of the world to the other, few agents in many rows, worlds hardly larger than the view
//! distance) the boxes around its agents in each row are merged.

use arrayvec::ArrayVec;
use wide::{f32x4, i32x4};

use super::{Grid, LOWEST_CELLS};
use crate::lanes::{Lanes, MAX_WIDTH};
use crate::vec2::Vec2;
use crate::world::{Space, Topology};

/// Slots `start..end`, to be seen from positions shifted by `shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) shift: Vec2<f32>,
}

/// A lane's circle meets at most this many rows of the lowest cells (of the usual ones three),
/// each in at most two stretches, as long as coordinates are precise enough to tell cells apart.
const MAX_ROWS: usize = (2.0 / LOWEST_CELLS) as usize + 1;
const MAX_RUNS: usize = MAX_WIDTH * MAX_ROWS * 2;

/// What the roundings of two positions, their cells and the sweep's own test can add up to at
/// most, as a share of the world's size: each is at most 2⁻²⁴, one of them twice that.
const SLACK: f32 = 3.0e-7;

/// The candidates of a batch: disjoint runs in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Whether the runs are those of the present batch.
    pub(crate) known: bool,
    pub(crate) list: ArrayVec<Run, MAX_RUNS>,
    /// Whether the sweep has to take the minimum image of every pair.
    pub(crate) need_images: bool,
    /// Whether there were more runs than fit: where rounding errors are larger than cells.
    pub(super) overflowed: bool,
}

impl Runs {
    fn begin(&mut self) {
        self.known = true;
        self.list.clear();
        self.need_images = false;
        self.overflowed = false;
    }

    /// Every slot: all pairs.
    pub(crate) fn set_all(&mut self, agents: usize, space: &Space) {
        self.known = true;
        self.list.clear();
        self.list.push(Run { start: 0, end: agents as u32, shift: Vec2::ZERO });
        self.need_images = space.is_torus();
    }

    /// How many slots the runs hold.
    pub(crate) fn candidates(&self) -> usize {
        self.list.iter().map(|run| (run.end - run.start) as usize).sum()
    }
}

impl Grid {
    /// Fills `runs` with every slot that may hold a neighbor, up to `view` away, of agents in
    /// consecutive slots, at most [`MAX_WIDTH`], at the positions (`x`, `y`) that the grid was
    /// filled with.
    pub(crate) fn candidates(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) {
        // One agent's box is found as quickly, and is tighter.
        let several = x.len() > 1;
        if !(several && self.row_of_candidates(x, y, view, runs)) {
            self.candidates_anywhere(x, y, view, runs);
        }
    }

    /// The usual case: all in one row. Then no agent is in a column beyond those of the first
    /// and the last, and nobody else has to be looked at. False if it is another case.
    #[inline(always)]
    fn row_of_candidates(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) -> bool {
        if !self.whole_cells_suffice {
            return false;
        }
        let last = x.len() - 1;
        // The very cells that `number_cells` gives them.
        let counts = [self.rows, self.rows, self.columns, self.columns].map(|count| count as i32);
        let ends = f32x4::from([y[0], y[last], x[0], x[last]]);
        let cells = (ends * self.inverse_cells()).trunc_int();
        let cells = cells.max(i32x4::splat(0)).min(i32x4::from(counts) - i32x4::splat(1));
        let [row, last_row, first, last] = cells.to_array();
        if row != last_row {
            return false;
        }
        let [up, _, aside, _] = self.reach(view).trunc_int().to_array();
        let rows = self.clip((row - up - 1, row + up + 1), self.rows);
        let columns =
            self.clip((first.min(last) - aside - 1, first.max(last) + aside + 1), self.columns);
        if span(rows) > i64::from(self.rows) || span(columns) > i64::from(self.columns) {
            return false;
        }
        runs.begin();
        self.push_box(rows, columns, runs);
        !runs.overflowed
    }

    /// The same for positions anywhere.
    #[inline(never)]
    pub(crate) fn candidates_anywhere(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) {
        runs.begin();
        let (low, high) = corners(x, y);
        // Few agents in many rows can be far apart.
        let compact =
            high.x - low.x <= 4.0 * self.view || self.row_at(low.y) == self.row_at(high.y);
        let (rows, columns) = self.window(low, high, view);
        let disjoint =
            span(rows) <= i64::from(self.rows) && span(columns) <= i64::from(self.columns);
        if compact && disjoint && self.shifts_suffice {
            self.push_box(rows, columns, runs);
        } else {
            runs.need_images = self.space.is_torus();
            self.merge_rows(x, y, view, runs);
        }
        if runs.overflowed {
            runs.set_all(self.agents, &self.space);
        }
    }

    /// The general case: the runs of the agents in each row, sorted and merged.
    #[cold]
    fn merge_rows(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) {
        let mut agents = 0..0;
        while let Some(&first) = y.get(agents.end) {
            let row = self.row_at(first);
            let others = y[agents.end..].iter().take_while(|&&y| self.row_at(y) == row);
            agents = agents.end..agents.end + others.count();
            let (low, high) = corners(&x[agents.clone()], &y[agents.clone()]);
            let (mut rows, mut columns) = self.window(low, high, view);
            if span(rows) > i64::from(self.rows) {
                rows = (0, self.rows as i32 - 1);
            }
            if span(columns) > i64::from(self.columns) {
                columns = (0, self.columns as i32 - 1);
            }
            self.push_rows(rows, columns, runs);
        }
        runs.list.sort_unstable_by_key(|run| run.start);
        let mut kept = 0;
        for k in 0..runs.list.len() {
            let run = Run { shift: Vec2::ZERO, ..runs.list[k] };
            if kept > 0 && run.start <= runs.list[kept - 1].end {
                runs.list[kept - 1].end = runs.list[kept - 1].end.max(run.end);
            } else {
                runs.list[kept] = run;
                kept += 1;
            }
        }
        runs.list.truncate(kept);
    }

    /// Rows and columns, not yet folded, that a box with a margin of `view` reaches; a little
    /// more, for every rounding between here and the sweep's own test.
    pub(crate) fn window(
        &self,
        low: Vec2<f32>,
        high: Vec2<f32>,
        view: f32,
    ) -> ((i32, i32), (i32, i32)) {
        let largest = match self.space.topology {
            Topology::Torus | Topology::Bounded => self.space.size,
            Topology::Open => {
                let larger = |a: f32, b: f32| if a.abs() > b.abs() { a.abs() } else { b.abs() };
                Vec2::new(larger(low.x, high.x), larger(low.y, high.y))
            }
        };
        let reach = Vec2::new(view, view) * 1.0001 + largest * 1.0e-6;
        let (low, high) = (low - reach, high + reach);
        let edges = f32x4::from([low.y, high.y, low.x, high.x]);
        let cells = (edges * self.inverse_cells()).floor();
        let [bottom, top, left, right] = cells.trunc_int().to_array();
        (self.clip((bottom, top), self.rows), self.clip((left, right), self.columns))
    }

    /// Whether counting in whole cells takes hardly more of them than are needed; nobody needs
    /// less than one. So many that their numbers could overflow are left to the box.
    pub(super) fn whole_cells_suffice(&self) -> bool {
        let [up, _, aside, _] = self.reach(self.view).to_array();
        let nearly_whole = |reach: f32| reach < 1.0e6 && reach.ceil() <= reach.max(0.91) * 1.1;
        self.space.topology != Topology::Open
            && self.shifts_suffice
            && nearly_whole(up)
            && nearly_whole(aside)
    }

    /// How many cells `view` reaches up and down (twice) and aside (twice), and a little more,
    /// for every rounding of positions, of cells and in the sweep's own test.
    #[inline(always)]
    fn reach(&self, view: f32) -> f32x4 {
        let size = self.space.size;
        let slack = f32x4::from([size.y, size.y, size.x, size.x]) * f32x4::splat(SLACK);
        (slack + f32x4::splat(view * 1.0001)) * self.inverse_cells()
    }

    fn inverse_cells(&self) -> f32x4 {
        let Vec2 { x, y } = self.inverse_cell;
        f32x4::from([y, y, x, x])
    }

    fn row_at(&self, y: f32) -> i32 {
        (y * self.inverse_cell.y).floor() as i32
    }

    /// A bounded world has nothing beyond its edges.
    fn clip(&self, (from, to): (i32, i32), count: u32) -> (i32, i32) {
        let last = count as i32 - 1;
        if self.space.topology == Topology::Bounded {
            (from.clamp(0, last), to.clamp(0, last))
        } else {
            (from, to)
        }
    }

    /// Adds stretches of rows, in ascending order of slots.
    #[inline(always)]
    fn push_box(&self, rows: (i32, i32), columns: (i32, i32), runs: &mut Runs) {
        if self.push_rows(rows, columns, runs) {
            runs.list.sort_unstable_by_key(|run| run.start);
        }
    }

    /// Adds stretches of rows, each in two runs if it crosses the end of the row; tells whether
    /// anything was folded back into the table, so that slots may not ascend.
    #[inline(always)]
    fn push_rows(&self, rows: (i32, i32), (from, to): (i32, i32), runs: &mut Runs) -> bool {
        let (columns, size) = (self.columns as i32, self.space.size);
        if rows.0 >= 0 && rows.1 < self.rows as i32 && from >= 0 && to < columns {
            for row in rows.0..rows.1 + 1 {
                self.push(row, (from, to), Vec2::ZERO, runs);
            }
            return false;
        }
        let (first, shift_first) = self.fold_back(from, self.columns, size.x);
        let (last, shift_last) = self.fold_back(to, self.columns, size.x);
        let whole = i64::from(first) + (span((from, to)) - 1) == i64::from(last);
        for row in rows.0..=rows.1 {
            let (row, shift_y) = self.fold_back(row, self.rows, size.y);
            if whole {
                self.push(row, (first, last), Vec2::new(shift_first, shift_y), runs);
            } else {
                self.push(row, (0, last), Vec2::new(shift_last, shift_y), runs);
                self.push(row, (first, columns - 1), Vec2::new(shift_first, shift_y), runs);
            }
        }
        true
    }

    #[inline(always)]
    fn push(&self, row: i32, columns: (i32, i32), shift: Vec2<f32>, runs: &mut Runs) {
        let (first, last) = self.turned(row, columns);
        let base = row as usize * self.columns as usize;
        let start = self.starts[base + first as usize];
        let end = self.starts[base + last as usize + 1];
        if start < end && runs.list.try_push(Run { start, end, shift }).is_err() {
            runs.overflowed = true;
        }
    }

    /// A row or column within the table, and how far positions move with it on the torus.
    #[inline(always)]
    fn fold_back(&self, cell: i32, count: u32, size: f32) -> (i32, f32) {
        let count = count as i32;
        match self.space.topology {
            Topology::Bounded => (cell, 0.0),
            Topology::Open => (cell & (count - 1), 0.0),
            Topology::Torus if cell < 0 => (cell.rem_euclid(count), size),
            Topology::Torus if cell >= count => (cell.rem_euclid(count), -size),
            Topology::Torus => (cell, 0.0),
        }
    }
}

/// Of the box around at least one position, the smallest and the largest.
pub(crate) fn corners(x: &[f32], y: &[f32]) -> (Vec2<f32>, Vec2<f32>) {
    let smaller = |a: f32x4, b: f32x4| b.lt(a).select(b, a);
    let larger = |a: f32x4, b: f32x4| b.gt(a).select(b, a);
    let (xs, x_rest) = x.as_chunks::<4>();
    let (ys, y_rest) = y.as_chunks::<4>();
    let (mut left, mut right) = (f32x4::splat(x[0]), f32x4::splat(x[0]));
    let (mut bottom, mut top) = (f32x4::splat(y[0]), f32x4::splat(y[0]));
    for (&x, &y) in xs.iter().zip(ys) {
        let (x, y) = (f32x4::from(x), f32x4::from(y));
        (left, right) = (smaller(left, x), larger(right, x));
        (bottom, top) = (smaller(bottom, y), larger(top, y));
    }
    // One vector has one of each, all of which should be small.
    let fours = f32x4::transpose([left, bottom, -right, -top]);
    let rest = x_rest.iter().zip(y_rest).map(|(&x, &y)| f32x4::from([x, y, -x, -y]));
    let [a, b, c, d] = fours;
    let least = rest.fold(smaller(smaller(a, b), smaller(c, d)), smaller);
    let [left, bottom, right, top] = least.to_array();
    (Vec2::new(left, bottom), Vec2::new(-right, -top))
}

/// Number of cells in an inclusive range.
pub(crate) fn span((from, to): (i32, i32)) -> i64 {
    i64::from(to) - i64::from(from) + 1
}
