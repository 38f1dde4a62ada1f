//! Finds the candidates of a batch: the runs of slots that can contain its neighbors.
//! Also lists, for display, the cells that a search reads.
//!
//! Usually, all agents of a batch are in one row, and the search looks for their own group only. The
//! first and last agents' columns then bound the batch, and the search extends the bounds on each
//! side by its reach, in whole cells. Otherwise, the search uses the AABB of the batch, and reads a
//! block of cells for each group. If the AABB is much wider than the reach, the search merges the
//! runs around compact parts of the batch.

use arrayvec::ArrayVec;
use wide::{f32x4, i32x4};

use crate::grid::groups::{Columns, MAX_GROUPS, Reach, Search};
use crate::grid::{Grid, Images, Run, Runs};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::lanes::fused::mul_add;
use crate::math::lanes::{Lanes, MAX_WIDTH, compiled};
use crate::math::vec2::Vec2;
use crate::world::Topology;

/// Bound on the summed rounding errors of two positions, their cells and the sweep's own test,
/// as a fraction of the world's size. Each error is at most 2⁻²⁴, except for one of up to 2⁻²³.
const ROUNDING_MARGIN: f32 = 3.0e-7;

/// Rows and columns of one group, before folding or wrapping into the table.
#[derive(Clone, Copy, Debug)]
struct Block {
    group: usize,
    rows: (i32, i32),
    columns: (i32, i32),
}

type Blocks = ArrayVec<Block, MAX_GROUPS>;

/// Rows or columns that a search reads with one shift.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: i32,
    last: i32,
    /// Add this to rows of the table to get rows before wrapping.
    before: i32,
    shift: f32,
    middle: f32,
}

impl Grid {
    pub(crate) fn group_of(&self, species: usize) -> usize {
        self.layout.plan.group_of(species)
    }

    pub(crate) fn search(&self, number: usize) -> &Search {
        &self.searches[number]
    }

    /// A search for all groups up to the same distance.
    pub(crate) fn search_all(&self, distance: f32) -> Search {
        let is_used = |group: usize| group < self.groups.len();
        Search::new(std::array::from_fn(|group| if is_used(group) { distance } else { 0.0 }))
    }

    /// Fills `runs` with every slot that may contain a neighbor within the search's reach. The batch
    /// has at most [`MAX_WIDTH`] agents in ascending order of slots; `group` is their group if all
    /// are of one. The grid must have been filled from these positions.
    pub(crate) fn candidates<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        debug_assert!(!positions.is_empty());
        // For one agent, the AABB search is as fast as the row search and finds fewer candidates.
        let several = positions.len() > 1;
        let found = several && compiled!(L: self.row_of_candidates(positions, group, search, runs));
        if !found {
            self.candidates_anywhere::<L>(positions, group, search, runs);
        }
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    /// Usual case: all agents are in one row, so the first and last agents' columns bound the
    /// batch. Returns false if the general search is needed.
    #[inline(always)]
    fn row_of_candidates(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) -> bool {
        let Some(only) = group.filter(|_| group == search.whole) else { return false };
        let [up, aside] = search.cells;
        let columns = &self.groups[only];
        let count = columns.count as i32;
        let [front, back] = [positions.at(0), positions.at(positions.len() - 1)];
        // This computation must give exactly the same cells as `number_cells`.
        let counts = [self.rows as i32, self.rows as i32, count, count];
        let ends = f32x4::from([front.y, back.y, front.x, back.x]);
        // Agents are inside the world and a search spans few cells, so no conversion overflows.
        let cells = (ends * columns.inverse_cells()).fast_trunc_int();
        let cells = cells.max(i32x4::splat(0)).min(i32x4::from(counts) - i32x4::splat(1));
        let [row, last_row, first, last] = cells.to_array();
        if row != last_row {
            return false;
        }
        let rows = self.clip((row - up - 1, row + up + 1), self.rows);
        let columns =
            self.clip((first.min(last) - aside - 1, first.max(last) + aside + 1), count as u32);
        let block = Block { group: only, rows, columns };
        let around_the_world = span(columns) > i64::from(count);
        if span(rows) > i64::from(self.rows) || around_the_world && !self.has_stretches(search) {
            return false;
        }
        runs.begin();
        if around_the_world {
            runs.images = Images::X;
            self.push_around(&[block], search, runs);
        } else {
            self.push_block(&block, runs);
        }
        true
    }

    #[inline(never)]
    pub(crate) fn candidates_anywhere<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        compiled!(L: self.candidates_around::<L>(positions, group, search, runs));
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    #[inline(always)]
    fn candidates_around<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        runs.begin();
        let around = Aabb::around(positions);
        if let [columns] = &self.groups[..] {
            let block = self.block(0, columns, around, search.reach[0]);
            self.search_blocks::<L>((positions, group, around), &[block], search, runs);
        } else {
            let blocks = self.blocks(around, &search.reach);
            self.search_blocks::<L>((positions, group, around), &blocks, search, runs);
        }
    }

    #[inline(always)]
    fn search_blocks<L: Lanes>(
        &self,
        (positions, group, around): (Axes<&[f32]>, Option<usize>, Aabb),
        blocks: &[Block],
        search: &Search,
        runs: &mut Runs,
    ) {
        // In a sparse crowd, a batch that spans several rows can be much wider than its view.
        let compact = self.is_compact(around, group, search);
        let shifts_suffice = compact && self.shifts_suffice(search);
        let (mut x_suffices, mut y_suffices) = (shifts_suffice, shifts_suffice);
        for &Block { group, rows, columns } in blocks {
            x_suffices &= span(columns) <= i64::from(self.groups[group].count);
            y_suffices &= span(rows) <= i64::from(self.rows);
        }
        runs.images = match (x_suffices, y_suffices) {
            _ if !self.layout.space.is_torus() => Images::None,
            (true, true) => Images::None,
            (false, true) if self.has_stretches(search) => Images::X,
            _ => Images::Both,
        };
        if compact && runs.images == Images::X {
            self.push_around(blocks, search, runs);
        } else if !compact {
            self.push_each_part::<L>(positions, group, search, runs);
            runs.merge();
        } else if !self.push_blocks(blocks, runs) {
            runs.merge();
        }
    }

    #[cold]
    fn push_each_part<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        compiled!(L: self.push_each_part_inlined(positions, group, search, runs));
    }

    /// True if one search around the box serves all its agents. In an open world, agents in one row
    /// of the table may be arbitrarily far apart.
    #[inline(always)]
    fn is_compact(&self, around: Aabb, group: Option<usize>, search: &Search) -> bool {
        let (size, most) = (around.size(), 4.0 * search.farthest);
        let one_row = || group.is_some() && self.row_at(around.low.y) == self.row_at(around.high.y);
        match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => size.x <= most || one_row(),
            Topology::Open => {
                size.all_le(Vec2::diagonal(most))
                    || size.x * self.groups[0].inverse_cell.y <= MAX_WIDTH as f32 && one_row()
            }
        }
    }

    #[inline(always)]
    fn push_each_part_inlined(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        let mut left: ArrayVec<Aabb, MAX_WIDTH> = positions.iter().map(Aabb::at).collect();
        while let Some(mut around) = left.pop() {
            left.retain(|&mut other| {
                let both = around.join(&other);
                let fits = self.is_compact(both, group, search);
                if fits {
                    around = both;
                }
                !fits
            });
            self.push_blocks(&self.blocks(around, &search.reach), runs);
        }
    }

    #[inline(always)]
    fn blocks(&self, around: Aabb, reach: &Reach) -> Blocks {
        let mut blocks = Blocks::new();
        for (group, (columns, &reach)) in self.groups.iter().zip(reach).enumerate() {
            if reach > 0.0 {
                blocks.push(self.block(group, columns, around, reach));
            }
        }
        blocks
    }

    /// Rows and columns that the box overlaps, before folding into the table. The box is
    /// first expanded by `reach` and a margin for rounding errors, including the sweep's own.
    #[inline(always)]
    fn block(&self, group: usize, columns: &Columns, around: Aabb, reach: f32) -> Block {
        let Aabb { low, high } = around;
        let largest = match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => self.layout.space.size,
            Topology::Open => {
                let larger = |a: f32, b: f32| if a.abs() > b.abs() { a.abs() } else { b.abs() };
                low.zip(high, larger)
            }
        };
        let margin = Vec2::diagonal(reach) * 1.0001 + largest * 1.0e-6;
        let Aabb { low, high } = around.expanded(margin);
        let edges = f32x4::from([low.y, high.y, low.x, high.x]);
        let Vec2 { x, y } = columns.home;
        let cells = edges * columns.inverse_cells() + f32x4::from([y, y, x, x]);
        let [bottom, top, left, right] = cells.floor().trunc_int().to_array();
        let columns = self.clip((left, right), columns.count);
        Block { group, rows: self.clip((bottom, top), self.rows), columns }
    }

    /// Looks up what the search costs with this grid.
    pub(super) fn prepared(&self, reach: Reach) -> Search {
        let search = Search::new(reach);
        let mut sought = (0..self.groups.len()).filter(|&group| reach[group] > 0.0);
        let only = match (sought.next(), sought.next()) {
            (Some(only), None) => only,
            _ => return search,
        };
        let [up, _, aside, _] = self.in_cells(only, reach[only]).to_array();
        // Rounding up to whole cells must add at most 10%. In sparse crowds, cells are larger than
        // the reach, but hold few agents.
        let least = if reach[only] < self.layout.plan.view { 0.0 } else { 0.91 };
        let nearly_whole = |cells: f32| cells < 1.0e6 && cells.ceil() <= cells.max(least) * 1.1;
        let is_whole = self.layout.space.topology != Topology::Open
            && self.shifts_suffice(&search)
            && nearly_whole(up)
            && nearly_whole(aside);
        let cells = [up as i32, aside as i32];
        Search { whole: is_whole.then_some(only), cells, ..search }
    }

    /// True if a run's shift always brings its agents to their minimum images.
    #[inline(always)]
    fn shifts_suffice(&self, search: &Search) -> bool {
        let space = &self.layout.space;
        !space.is_torus() || search.farthest * 3.03 <= space.smaller_side()
    }

    /// View distance in cell heights (lanes 0 and 1) and cell widths (lanes 2 and 3),
    /// plus a margin for all rounding errors.
    fn in_cells(&self, group: usize, view: f32) -> f32x4 {
        let size = self.layout.space.size;
        let margin = f32x4::from([size.y, size.y, size.x, size.x]) * f32x4::splat(ROUNDING_MARGIN);
        (margin + f32x4::splat(view * 1.0001)) * self.groups[group].inverse_cells()
    }

    #[inline(always)]
    fn row_at(&self, y: f32) -> i32 {
        (y * self.groups[0].inverse_cell.y).floor() as i32
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

    /// Adds the slots in blocks of cells. Returns false if the runs must then be merged.
    #[inline(always)]
    fn push_blocks(&self, blocks: &[Block], runs: &mut Runs) -> bool {
        if self.layout.space.topology != Topology::Open {
            self.push_rows(blocks, runs);
            return true;
        }
        let Some(first) = blocks.first() else { return true };
        let strip = first.columns.0 >> self.groups[first.group].strip_bits;
        let (all_rows, rows) = (self.rows as i32, union(blocks));
        let unfolded = blocks.iter().all(|&Block { group, columns: (from, to), .. }| {
            let Columns { count, strip_bits, .. } = self.groups[group];
            let [first, last] = [from, to].map(|column| column >> strip_bits);
            from >= 0 && to < count as i32 && [first, last] == [strip; 2]
        });
        if unfolded && rows.0 >= -strip && rows.1 < all_rows - strip {
            let shifted = (rows.0 + strip, rows.1 + strip);
            self.push_inside(blocks, Stretch::plain(shifted, -strip), runs);
            return true;
        }
        blocks.iter().for_each(|block| self.push_folded(block, runs));
        runs.ascend()
    }

    /// Adds the slots in a block of the open plane, strip by strip, perhaps not in ascending order.
    #[inline(never)]
    fn push_folded(&self, &Block { group, rows, columns: (from, to) }: &Block, runs: &mut Runs) {
        let columns = &self.groups[group];
        let end = columns.count as i32 - 1;
        if span((from, to)) > i64::from(columns.count) || span(rows) > i64::from(self.rows) {
            let [low, high] = [(rows.0, from), (rows.1, to)]
                .map(|(row, column)| row.saturating_add(column >> columns.strip_bits));
            let (low, high) = at_most((low, high), self.rows);
            for row in low..=high {
                let row = row & (self.rows as i32 - 1);
                self.push(row, columns.cells((0, end)), Run::default(), runs);
            }
            return;
        }
        // Cells of a strip adjoin in the table, too, unless the table is narrower than the strip.
        let bits = columns.strip_bits.min(columns.count.ilog2());
        for strip in from >> bits..=to >> bits {
            let (first, last) = (strip << bits, strip << bits | ((1 << bits) - 1));
            let (from, to) = (from.max(first), to.min(last));
            for row in rows.0..=rows.1 {
                let [row, first] =
                    self.folded_cell(row as u32, from as u32, columns).map(|at| at as i32);
                let last = first + (to - from);
                self.push(row, columns.cells((first, last.min(end))), Run::default(), runs);
                if last > end {
                    self.push(row, columns.cells((0, last - end - 1)), Run::default(), runs);
                }
            }
        }
    }

    #[inline(always)]
    fn push_rows(&self, blocks: &[Block], runs: &mut Runs) {
        if let [block] = blocks
            && self.occupied.is_empty()
        {
            return self.push_block(block, runs);
        }
        let rows = at_most(union(blocks), self.rows);
        let mut is_inside = rows.0 >= 0 && rows.1 < self.rows as i32;
        for block in blocks {
            let count = self.groups[block.group].count;
            let (from, to) = at_most(block.columns, count);
            is_inside &= from >= 0 && to < count as i32;
        }
        if is_inside {
            self.push_inside(blocks, Stretch::plain(rows, 0), runs);
        } else {
            self.push_wrapped(blocks, rows, runs);
        }
    }

    /// Adds the slots of the only block, without a search for rows in which its group has agents.
    #[inline(always)]
    fn push_block(&self, &Block { group, rows, columns }: &Block, runs: &mut Runs) {
        let count = self.groups[group].count;
        let (rows, columns) = (at_most(rows, self.rows), at_most(columns, count));
        let is_inside =
            rows.0 >= 0 && rows.1 < self.rows as i32 && columns.0 >= 0 && columns.1 < count as i32;
        if is_inside {
            let cells = self.groups[group].cells(columns);
            for row in rows.0..rows.1 + 1 {
                self.push(row, cells, Run::default(), runs);
            }
        } else {
            self.push_wrapped_block(group, rows, columns, runs);
        }
    }

    #[inline(never)]
    fn push_wrapped_block(
        &self,
        group: usize,
        rows: (i32, i32),
        columns: (i32, i32),
        runs: &mut Runs,
    ) {
        let Vec2 { x, y } = self.layout.space.size;
        let before = self.groups[group].first as i32;
        let columns = &self.wrapped(columns, self.groups[group].count, x);
        for rows in &self.wrapped(rows, self.rows, y) {
            for row in rows.first..rows.last + 1 {
                let add = |&Stretch { first, last, shift, .. }: &Stretch| {
                    let cells = (before + first, before + last);
                    let shift = Vec2::new(shift, rows.shift);
                    self.push(row, cells, Run { shift, ..Run::default() }, runs);
                };
                if self.is_mirrored(row) {
                    columns.iter().rev().for_each(add);
                } else {
                    columns.iter().for_each(add);
                }
            }
        }
    }

    /// Adds the blocks' slots in rows of the table. Their columns are inside the table.
    #[inline(always)]
    fn push_inside(&self, blocks: &[Block], rows: Stretch, runs: &mut Runs) {
        self.push_in_rows(blocks, rows, runs, |block| {
            let (first, last) = at_most(block.columns, self.groups[block.group].count);
            [Stretch { first, last, ..rows }].into_iter()
        });
    }

    /// Adds the blocks' slots in these rows. Rows and columns outside the table wrap around.
    #[inline(never)]
    fn push_wrapped(&self, blocks: &[Block], rows: (i32, i32), runs: &mut Runs) {
        let Vec2 { x, y } = self.layout.space.size;
        for rows in self.wrapped(rows, self.rows, y) {
            self.push_in_rows(blocks, rows, runs, |block| {
                let count = self.groups[block.group].count;
                self.wrapped(at_most(block.columns, count), count, x).into_iter()
            });
        }
    }

    /// Adds the slots of all columns in the blocks' rows, in stretches so short that only one
    /// periodic image of an agent sees into each: the image nearest to the stretch's middle.
    #[inline(never)]
    fn push_around(&self, blocks: &[Block], search: &Search, runs: &mut Runs) {
        for rows in
            self.wrapped(at_most(union(blocks), self.rows), self.rows, self.layout.space.size.y)
        {
            self.push_in_rows(blocks, rows, runs, |block| self.stretches(block.group, search));
        }
    }

    /// Adds the slots of the blocks in these rows of the table, with the given stretches of columns.
    #[inline(always)]
    fn push_in_rows<S: DoubleEndedIterator<Item = Stretch>>(
        &self,
        blocks: &[Block],
        rows: Stretch,
        runs: &mut Runs,
        columns: impl Fn(&Block) -> S,
    ) {
        let everywhere = span((rows.first, rows.last)) == i64::from(self.rows);
        let rows_of = |block: &Block| match everywhere {
            true => (rows.first, rows.last),
            false => (block.rows.0 - rows.before, (block.rows.1 - rows.before).min(rows.last)),
        };
        let next_row = |row: i32| {
            let of_block = |block: &Block| {
                let (first, last) = rows_of(block);
                let row = row.max(first);
                let next = (row <= last).then(|| self.occupied_row(block.group, row));
                next.filter(|&row| row <= last)
            };
            blocks.iter().filter_map(of_block).min()
        };
        let mut from = rows.first;
        while let Some(row) = next_row(from) {
            let mut add = |block: &Block, Stretch { first, last, shift, middle, .. }: Stretch| {
                let like = Run { shift: Vec2::new(shift, rows.shift), middle, ..Run::default() };
                self.push(row, self.groups[block.group].cells((first, last)), like, runs);
            };
            let is_read = |block: &&Block| {
                let (first, last) = rows_of(block);
                (first..=last).contains(&row)
            };
            if self.is_mirrored(row) {
                for block in blocks.iter().rev().filter(is_read) {
                    columns(block).rev().for_each(|stretch| add(block, stretch));
                }
            } else {
                for block in blocks.iter().filter(is_read) {
                    columns(block).for_each(|stretch| add(block, stretch));
                }
            }
            from = row + 1;
        }
    }

    /// The row itself, or the next one in which the group has agents.
    #[inline(always)]
    fn occupied_row(&self, group: usize, row: i32) -> i32 {
        match &self.occupied[..] {
            [] => row,
            rows => rows[group * (self.rows as usize + 1) + row as usize],
        }
    }

    #[inline(always)]
    fn push(&self, row: i32, cells: (i32, i32), like: Run, runs: &mut Runs) {
        let [start, end] = self.slots_in(row, cells);
        if let Some(before) = runs.list.last_mut()
            && before.end == start
            && (before.shift, before.middle) == (like.shift, like.middle)
        {
            before.end = end;
        } else if start < end {
            runs.list.push(Run { start, end, ..like });
        }
    }

    /// Wraps a range of at most `count` rows or columns into the table. Returns one or two ranges
    /// in ascending order, each with the torus shift to apply.
    #[inline(always)]
    fn wrapped(&self, cells: (i32, i32), count: u32, size: f32) -> ArrayVec<Stretch, 2> {
        let count = count as i32;
        let before = cells.0.div_euclid(count) * count;
        let (first, last) = (cells.0 - before, cells.1 - before);
        let shift = |before: i32| match self.layout.space.topology {
            Topology::Torus if before < 0 => size,
            Topology::Torus if before > 0 => -size,
            _ => 0.0,
        };
        let stretch = |first, last, before| Stretch {
            first,
            last,
            before,
            shift: shift(before),
            middle: 0.0,
        };
        let mut parts = ArrayVec::new();
        if last < count {
            parts.push(stretch(first, last, before));
        } else {
            parts.push(stretch(0, last - count, before + count));
            parts.push(stretch(first, count - 1, before));
        }
        parts
    }

    /// Maximum number of columns in a stretch of [`Self::stretches`]; 0 if even one is too wide.
    fn longest_stretch(&self, group: usize, search: &Search) -> u32 {
        let columns = f64::from(self.groups[group].count);
        let width = f64::from(self.layout.space.size.x);
        let seen = f64::from(search.farthest) * 1.01 / width * columns;
        // Half a stretch of cells plus the view distance must fit in half the width of the world.
        // Otherwise, the nearest image would not be unique.
        (columns - 2.0 * seen) as u32
    }

    fn has_stretches(&self, search: &Search) -> bool {
        let sought = (0..self.groups.len()).filter(|&group| search.reach[group] > 0.0);
        sought.map(|group| self.longest_stretch(group, search)).all(|longest| longest > 0)
    }

    fn stretches(&self, group: usize, search: &Search) -> impl DoubleEndedIterator<Item = Stretch> {
        let Columns { count: columns, inverse_cell, .. } = self.groups[group];
        let count = columns.div_ceil(self.longest_stretch(group, search).max(1));
        (0..count).map(move |k| {
            let [first, end] = [k, k + 1].map(|k| k * columns / count);
            let middle = (first + end) as f32 * 0.5 / inverse_cell.x;
            Stretch { first: first as i32, last: end as i32 - 1, before: 0, shift: 0.0, middle }
        })
    }
}

impl Columns {
    /// Cells of these columns in a row that is not mirrored.
    #[inline(always)]
    pub(super) fn cells(&self, (first, last): (i32, i32)) -> (i32, i32) {
        (self.first as i32 + first, self.first as i32 + last)
    }

    #[inline(always)]
    fn inverse_cells(&self) -> f32x4 {
        let Vec2 { x, y } = self.inverse_cell;
        f32x4::from([y, y, x, x])
    }
}

impl Stretch {
    #[inline(always)]
    fn plain((first, last): (i32, i32), before: i32) -> Self {
        Self { first, last, before, shift: 0.0, middle: 0.0 }
    }
}

#[inline(always)]
fn union(blocks: &[Block]) -> (i32, i32) {
    let rows = blocks.iter().map(|block| block.rows);
    rows.fold((i32::MAX, i32::MIN), |(low, high), (first, last)| (low.min(first), high.max(last)))
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
    /// Cells that [`Self::candidates`] reads for a single agent, a block for each group.
    /// Blocks are centered on the agent and contain each cell only once.
    pub(crate) fn around(&self, position: Vec2<f32>, search: &Search) -> Vec<Cells> {
        let blocks = self.blocks(Aabb::at(position), &search.reach);
        let cells = |&Block { group, rows, columns }: &Block| {
            let count = self.groups[group].count;
            self.cells_of(group, once(columns, count), once(rows, self.rows))
        };
        blocks.iter().map(cells).collect()
    }

    pub(crate) fn all(&self) -> Vec<Cells> {
        let rows = (0, self.rows as i32 - 1);
        let columns = |group: usize| (0, self.groups[group].count as i32 - 1);
        (0..self.groups.len()).map(|group| self.cells_of(group, columns(group), rows)).collect()
    }

    fn cells_of(&self, group: usize, columns: (i32, i32), rows: (i32, i32)) -> Cells {
        let Columns { inverse_cell, home: Vec2 { x, y }, .. } = self.groups[group];
        let size = [inverse_cell.x, inverse_cell.y].map(|inverse| 1.0 / f64::from(inverse));
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
