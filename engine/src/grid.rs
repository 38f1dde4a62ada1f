//! The uniform grid: which slots can hold neighbors of a batch.
//!
//! Cells are as high as the largest view distance and a fraction of it wide, numbered row
//! by row; agents are sorted by cell, so that a stretch of a row is one contiguous run of
//! slots. A batch needs three runs (its row, the one above, the one below), each trimmed
//! to view distance left and right of the batch. Fine columns cost the sort nothing and
//! trim tightly. A scene may ask for cells of another height; lower ones need more runs.
//!
//! Rows are numbered back and forth, so that a batch across the end of a row is no wider than
//! any other; in large crowds, where such batches are few and memory has to be read ahead, all
//! from left to right.
//!
//! Runs are visited in ascending slot order: the canonical order in which every agent adds
//! its neighbors, whatever batch, lane width or partition it is computed in.
//!
//! Across the seam of a torus a whole run shares one shift, which the sweep adds to the
//! batch's positions once. That picks the same image as the minimum-image rule whenever no
//! neighbor can be further than a third of the world away and the batch's runs are
//! disjoint; in all other cases (tiny worlds, batches across row ends of large crowds) the runs
//! of all lanes are merged and the sweep takes the minimum image of every pair.

use std::ops::Range;

use arrayvec::ArrayVec;
use wide::{f32x4, f32x16, i32x4, i32x16};

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

/// The heights, in view distances, that a scene may give its cells.
pub(crate) const LOWEST_CELLS: f32 = 0.25;
pub(crate) const HIGHEST_CELLS: f32 = 16.0;

/// A lane's circle meets at most this many rows of the lowest cells (of the usual ones three),
/// each in at most two stretches, as long as coordinates are precise enough to tell cells apart.
const MAX_ROWS: usize = (2.0 / LOWEST_CELLS) as usize + 1;
const MAX_RUNS: usize = MAX_WIDTH * MAX_ROWS * 2;

/// The candidates of a batch: disjoint runs in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Whether the runs are those of the present batch.
    pub(crate) known: bool,
    pub(crate) list: ArrayVec<Run, MAX_RUNS>,
    /// Whether the sweep has to take the minimum image of every pair.
    pub(crate) need_images: bool,
    /// Whether there were more runs than fit: where rounding errors are larger than cells.
    overflowed: bool,
}

impl Runs {
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

/// Cell numbering, and where each cell's agents are.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    space: Space,
    agents: usize,
    view: f32,
    /// Height of the cells in view distances, if the scene asks for one.
    cell_size: Option<f32>,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    pub(crate) inverse_cell: Vec2<f32>,
    /// Whether odd rows are numbered from the right.
    pub(crate) turns: bool,
    /// Whether a run's one shift always is the minimum image.
    shifts_suffice: bool,
    /// Whether a batch's candidates may be counted in whole cells from those of its ends.
    whole_cells_suffice: bool,
    /// Cell c holds slots `starts[c]..starts[c + 1]`; length cells + 1.
    pub(crate) starts: Vec<u32>,
}

/// No finer columns than this many to a view distance.
const MAX_COLUMNS_PER_VIEW: u32 = 16;

/// The largest crowd whose rows go back and forth. That spares it a twentieth of a step, small
/// ones much more; those beyond the caches would lose as much, since no prefetcher follows runs
/// that come in descending order.
const LARGEST_TURNING: usize = 1 << 17;

impl Grid {
    /// A grid that is yet to be laid out.
    pub(crate) fn new(space: &Space) -> Self {
        Self {
            space: *space,
            agents: 0,
            view: 0.0,
            cell_size: None,
            columns: 1,
            rows: 1,
            inverse_cell: Vec2::ZERO,
            turns: false,
            shifts_suffice: false,
            whole_cells_suffice: false,
            starts: Vec::new(),
        }
    }

    /// Lays the grid out for `agents` agents with neighbors up to `view` away. Its geometry is
    /// part of the result (it fixes the order of sums), so it depends on nothing else but what
    /// the scene asks for: not on threads, not on lane width.
    pub(crate) fn lay_out(
        &mut self,
        space: &Space,
        agents: usize,
        view: f32,
        cell_size: Option<f32>,
    ) {
        let same = (self.space, self.agents) == (*space, agents)
            && (self.view, self.cell_size) == (view, cell_size);
        if same && !self.starts.is_empty() {
            return;
        }
        (self.space, self.agents) = (*space, agents);
        (self.view, self.cell_size) = (view, cell_size);
        match space.topology {
            Topology::Torus | Topology::Bounded => self.divide(),
            Topology::Open => self.fold(),
        }
        self.turns = agents <= LARGEST_TURNING;
        let reach = f64::from(view) * 1.01;
        self.shifts_suffice = !space.is_torus()
            || reach * 3.0 <= f64::from(space.size.x) && reach * 3.0 <= f64::from(space.size.y);
        let [up, _, aside, _] = self.reach(view).to_array();
        let nearly_whole = |reach: f32| reach.ceil() <= reach.max(0.91) * 1.1;
        self.whole_cells_suffice = space.topology != Topology::Open
            && self.shifts_suffice
            && nearly_whole(up)
            && nearly_whole(aside);
        self.starts.resize(self.cells() + 1, 0);
    }

    /// How high cells should be: a view distance, but no less than the spacing that agents
    /// have at the start; or what the scene asks for.
    fn cell_height(&self) -> f64 {
        let view = f64::from(self.view) * 1.001;
        let area = f64::from(self.space.size.x) * f64::from(self.space.size.y);
        match self.cell_size {
            Some(size) if view > 0.0 => view * f64::from(size),
            _ => view.max((area / self.agents.max(1) as f64).sqrt()),
        }
    }

    /// Divides a finite world into whole cells, no lower than they should be and with no more
    /// cells than a few per agent.
    fn divide(&mut self) {
        let (width, height) = (f64::from(self.space.size.x), f64::from(self.space.size.y));
        let agents = self.agents.max(1) as f64;
        // Low cells are asked for by those who want to know what they cost.
        let most = agents * if self.cell_size.is_some() { 4.0 } else { 2.0 } + 64.0;
        let mut cell = self.cell_height();
        let (columns, rows) = loop {
            let (columns, rows) =
                ((width / cell).floor().max(1.0), (height / cell).floor().max(1.0));
            if columns * rows <= most {
                break (columns, rows);
            }
            cell *= 1.5;
        };
        let columns = columns * f64::from(columns_per_view(agents / (columns * rows)));
        self.columns = columns as u32;
        self.rows = rows as u32;
        self.inverse_cell = Vec2::new((columns / width) as f32, (rows / height) as f32);
    }

    /// Folds the plane into a table of about one cell per agent: cells a whole table apart
    /// share a number. Agents that only share a number are too far apart to be neighbors, so
    /// folding costs candidates, never correctness, and no agent can run off the grid.
    fn fold(&mut self) {
        const COLUMNS_PER_VIEW: u32 = 4;
        let agents = self.agents as f64;
        let side = ((agents / f64::from(COLUMNS_PER_VIEW)).sqrt().ceil() as u32).max(8);
        self.rows = side.next_power_of_two();
        self.columns = self.rows * COLUMNS_PER_VIEW;
        let per_row = (1.0 / self.cell_height()) as f32;
        self.inverse_cell = Vec2::new(per_row * COLUMNS_PER_VIEW as f32, per_row);
    }

    pub(crate) fn cells(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Writes the cell of each position. Monotone in each axis before folding and turning,
    /// which is what makes the runs of [`Self::candidates`] complete.
    pub(crate) fn number_cells(&self, x: &[f32], y: &[f32], cells: &mut [u32]) {
        let (x, x_rest) = x.as_chunks();
        let (y, y_rest) = y.as_chunks();
        let (cells, rest) = cells.as_chunks_mut();
        for ((cells, &x), &y) in cells.iter_mut().zip(x).zip(y) {
            *cells = self.cells_at(x, y);
        }
        let mut padded = [[0.0; 16]; 2];
        padded[0][..x_rest.len()].copy_from_slice(x_rest);
        padded[1][..y_rest.len()].copy_from_slice(y_rest);
        rest.copy_from_slice(&self.cells_at(padded[0], padded[1])[..rest.len()]);
    }

    #[inline(always)]
    fn cells_at(&self, x: [f32; 16], y: [f32; 16]) -> [u32; 16] {
        let (columns, rows) = (i32x16::splat(self.columns as i32), i32x16::splat(self.rows as i32));
        let one = i32x16::splat(1);
        let place = |value: [f32; 16], inverse_cell: f32, count: i32x16| {
            let cell = f32x16::from(value) * f32x16::splat(inverse_cell);
            match self.space.topology {
                Topology::Torus | Topology::Bounded => {
                    cell.trunc_int().max(i32x16::splat(0)).min(count - one)
                }
                Topology::Open => cell.floor().trunc_int() & (count - one),
            }
        };
        let column = place(x, self.inverse_cell.x, columns);
        let row = place(y, self.inverse_cell.y, rows);
        // All bits set where the row is turned: then this is columns - 1 - column.
        let turned = -(row & i32x16::splat(i32::from(self.turns)));
        let column = (column ^ turned) + (columns & turned);
        bytemuck::cast(row * columns + column)
    }

    /// Where a column comes in its row.
    #[inline(always)]
    fn turned(&self, row: i32, column: i32) -> i32 {
        if self.turns && row & 1 == 1 { self.columns as i32 - 1 - column } else { column }
    }

    /// The slots of the cell that a position is in.
    pub(crate) fn slots_at(&self, x: f32, y: f32) -> Range<usize> {
        let mut cell = [0];
        self.number_cells(&[x], &[y], &mut cell);
        let [cell] = cell.map(|cell| cell as usize);
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// Fills `runs` with every slot that may hold a neighbor, up to `view` away, of agents in
    /// consecutive slots, at most [`MAX_WIDTH`], at the positions (`x`, `y`) that the grid was
    /// filled with.
    pub(crate) fn candidates(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) {
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
        runs.known = true;
        runs.list.clear();
        runs.overflowed = false;
        runs.need_images = false;
        if self.push_rows(rows, columns, runs) {
            runs.list.sort_unstable_by_key(|run| run.start);
        }
        true
    }

    /// How many cells `view` reaches up and down (twice) and aside (twice), and a little more,
    /// for every rounding of positions, of cells and in the sweep's own test.
    #[inline(always)]
    fn reach(&self, view: f32) -> f32x4 {
        let size = self.space.size;
        let slack = f32x4::from([size.y, size.y, size.x, size.x]) * f32x4::splat(3.0e-7);
        (slack + f32x4::splat(view * 1.0001)) * self.inverse_cells()
    }

    fn inverse_cells(&self) -> f32x4 {
        let Vec2 { x, y } = self.inverse_cell;
        f32x4::from([y, y, x, x])
    }

    /// The same for positions anywhere.
    #[cold]
    pub(crate) fn candidates_anywhere(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) {
        runs.known = true;
        runs.list.clear();
        runs.overflowed = false;
        let ((left, right), (bottom, top)) = (bounds(x), bounds(y));
        let (low, high) = (Vec2::new(left, bottom), Vec2::new(right, top));
        // Few agents in many rows can be far apart.
        let compact = right - left <= 4.0 * self.view || self.row_at(low.y) == self.row_at(high.y);
        let (rows, columns) = self.window(low, high, view);
        let disjoint =
            span(rows) <= i64::from(self.rows) && span(columns) <= i64::from(self.columns);
        if compact && disjoint && self.shifts_suffice {
            runs.need_images = false;
            if self.push_rows(rows, columns, runs) {
                runs.list.sort_unstable_by_key(|run| run.start);
            }
        } else {
            runs.need_images = self.space.is_torus();
            self.merge_lanes(x, y, view, runs);
        }
        if runs.overflowed {
            runs.set_all(self.agents, &self.space);
        }
    }

    /// The general case: the runs of every agent, sorted and merged.
    #[cold]
    fn merge_lanes(&self, x: &[f32], y: &[f32], view: f32, runs: &mut Runs) {
        for (&x, &y) in x.iter().zip(y) {
            let point = Vec2::new(x, y);
            let (rows, mut columns) = self.window(point, point, view);
            if span(columns) > i64::from(self.columns) {
                columns = (0, self.columns as i32 - 1);
            }
            let rows =
                if span(rows) > i64::from(self.rows) { (0, self.rows as i32 - 1) } else { rows };
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
        let (low, high, inverse) = (low - reach, high + reach, self.inverse_cell);
        let edges = f32x4::from([low.y, high.y, low.x, high.x]);
        let cells = (edges * f32x4::from([inverse.y, inverse.y, inverse.x, inverse.x])).floor();
        let [bottom, top, left, right] = cells.trunc_int().to_array();
        (self.clip((bottom, top), self.rows), self.clip((left, right), self.columns))
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

    /// Adds stretches of rows, each in two runs if it crosses the end of the row; tells whether
    /// anything was folded back into the table, so that slots may not ascend.
    #[inline(always)]
    fn push_rows(&self, rows: (i32, i32), (from, to): (i32, i32), runs: &mut Runs) -> bool {
        let (columns, size) = (self.columns as i32, self.space.size);
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
        let inside = rows.0 >= 0 && rows.1 < self.rows as i32 && from >= 0 && to < columns;
        !inside || self.space.topology == Topology::Open
    }

    #[inline(always)]
    fn push(&self, row: i32, (first, last): (i32, i32), shift: Vec2<f32>, runs: &mut Runs) {
        let (a, b) = (self.turned(row, first), self.turned(row, last));
        let base = row as usize * self.columns as usize;
        let start = self.starts[base + a.min(b) as usize];
        let end = self.starts[base + a.max(b) as usize + 1];
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

/// The smallest and largest of at least one value.
pub(crate) fn bounds(values: &[f32]) -> (f32, f32) {
    let (fours, rest) = values.as_chunks::<4>();
    let first = f32x4::splat(values[0]);
    let (low, high) = fours.iter().fold((first, first), |(low, high), &four| {
        let four = f32x4::from(four);
        (four.lt(low).select(four, low), four.gt(high).select(four, high))
    });
    let smaller = |a: f32, b: f32| if b < a { b } else { a };
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let low = low.to_array().into_iter().chain(rest.iter().copied()).reduce(smaller);
    let high = high.to_array().into_iter().chain(rest.iter().copied()).reduce(larger);
    (low.unwrap_or(values[0]), high.unwrap_or(values[0]))
}

/// Number of cells in an inclusive range.
pub(crate) fn span((from, to): (i32, i32)) -> i64 {
    i64::from(to) - i64::from(from) + 1
}

/// How finely a view distance is cut along x: about one agent to a cell.
fn columns_per_view(agents_per_square: f64) -> u32 {
    let wanted = (agents_per_square.max(1.0) as u32).min(MAX_COLUMNS_PER_VIEW);
    1 << wanted.ilog2()
}

#[cfg(test)]
mod tests;
