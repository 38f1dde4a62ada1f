//! Turns blocks of cells, one for each group that a search looks for, into runs of slots.
//!
//! Runs ascend: row by row, and within a row group by group. A search for one group skips the rows
//! in which that group has no agents. Blocks may reach beyond the table: finite worlds wrap around,
//! and the open plane is folded.

use std::iter::once;

use arrayvec::ArrayVec;
use wide::f32x4;

use crate::grid::groups::{Columns, MAX_GROUPS, Search};
use crate::grid::{Grid, Run, Runs};
use crate::math::vec3::Vec3;
use crate::world::Topology;

/// Layers, rows and columns of one group, before folding or wrapping into the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) group: usize,
    /// (0, 0) in flat worlds.
    pub(super) layers: (i32, i32),
    pub(super) rows: (i32, i32),
    pub(super) columns: (i32, i32),
}

/// Layers, rows or columns that a search reads with one shift.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: i32,
    last: i32,
    /// Add this to an index in the table to get the index before wrapping.
    before: i32,
    shift: f32,
    middle: f32,
    /// Torus shift of the layer that contains these rows.
    above: f32,
}

/// Rows of a block that are still to be read.
struct Left<'a, S> {
    group: &'a Columns,
    columns: S,
    /// The next row in which the block's group has agents; [`i32::MAX`] if there is none.
    next: i32,
    last: i32,
    occupied: &'a [i32],
}

/// Reading up to this many rows is faster than finding out which of them have agents.
const FEW_ROWS: i64 = 4;

/// Up to this many stretches are worked out once for all rows. Few worlds have more.
const FEW_STRETCHES: usize = 8;

impl Grid {
    /// Adds the slots in blocks of cells. Returns false if the runs must then be merged.
    #[inline(always)]
    pub(super) fn push_blocks(&self, blocks: &[Block], runs: &mut Runs) -> bool {
        if !self.is_flat {
            return self.push_only_block(blocks, runs) || self.push_layers(blocks, None, runs);
        }
        if self.layout.space.topology != Topology::Open {
            self.push_rows(blocks, runs);
            return true;
        }
        let Some(first) = blocks.first() else { return true };
        let strip = first.columns.0 >> self.groups[first.group].strip_bits;
        let (all_rows, rows) = (self.rows as i32, union_of_rows(blocks));
        let unfolded = blocks.iter().all(|&Block { group, columns: (from, to), .. }| {
            let Columns { count, strip_bits, .. } = self.groups[group];
            let [first, last] = [from, to].map(|column| column >> strip_bits);
            from >= 0 && to < count as i32 && [first, last] == [strip; 2]
        });
        if unfolded && rows.0 >= -strip && rows.1 < all_rows - strip {
            let shifted = (rows.0 + strip, rows.1 + strip);
            match blocks {
                &[Block { group, columns, .. }] if self.occupied.is_empty() => {
                    self.push_cells(shifted, self.groups[group].cells(columns), runs);
                }
                _ => self.push_inside(blocks, Stretch::plain(shifted, -strip), runs),
            }
            return true;
        }
        blocks.iter().for_each(|block| self.push_folded(block, 0, runs));
        runs.ascend()
    }

    /// For a finite world with depth and a single block, adds the block's slots if the block is
    /// inside the table or there is only one group. Otherwise, adds nothing and returns false.
    #[inline(never)]
    fn push_only_block(&self, blocks: &[Block], runs: &mut Runs) -> bool {
        let &[Block { group, layers, rows, columns }] = blocks else { return false };
        if self.layout.space.topology == Topology::Open {
            return false;
        }
        let inside = |(from, to): (i32, i32), count: u32| from >= 0 && to < count as i32;
        let count = self.groups[group].count;
        if inside(layers, self.layers) && inside(rows, self.layer_rows) && inside(columns, count) {
            let cells = self.groups[group].cells(columns);
            for layer in layers.0..layers.1 + 1 {
                let base = layer * self.layer_rows as i32;
                self.push_cells((base + rows.0, base + rows.1), cells, runs);
            }
            return true;
        }
        if self.occupied.is_empty() {
            let depth = self.layout.space.size.z;
            let layers = self.wrapped(at_most(layers, self.layers), self.layers, depth);
            let (rows, columns) = (at_most(rows, self.layer_rows), at_most(columns, count));
            self.push_wrapped_block(group, &layers, rows, columns, runs);
        }
        self.occupied.is_empty()
    }

    /// Adds the slots in blocks of a world with depth, layer by layer. If `around` is given, reads
    /// all columns, in [stretches](Self::stretches). Returns false if the runs must be merged.
    #[inline(never)]
    fn push_layers(&self, blocks: &[Block], around: Option<&Search>, runs: &mut Runs) -> bool {
        if self.layout.space.topology == Topology::Open {
            for block in blocks {
                let (first, last) = at_most(block.layers, self.layers);
                (first..=last).for_each(|layer| self.push_folded(block, layer, runs));
            }
            return runs.ascend();
        }
        let Vec3 { x, y, z } = self.layout.space.size;
        let layers = at_most(union(blocks.iter().map(|block| block.layers)), self.layers);
        let mut here: ArrayVec<Block, MAX_GROUPS> = ArrayVec::new();
        for part in self.wrapped(layers, self.layers, z) {
            for layer in part.first..=part.last {
                let base = layer * self.layer_rows as i32;
                here.clear();
                here.extend(blocks.iter().copied().filter(|block| {
                    let beyond_first = (layer - block.layers.0).rem_euclid(self.layers as i32);
                    let occupied = self.occupied_rows(block.group);
                    i64::from(beyond_first) < span(block.layers)
                        && next_row(occupied, base, base + self.layer_rows as i32 - 1) != i32::MAX
                }));
                if here.is_empty() {
                    continue;
                }
                let rows = at_most(union(here.iter().map(|block| block.rows)), self.layer_rows);
                for rows in self.wrapped(rows, self.layer_rows, y) {
                    let rows = rows.in_layer(base, part.shift);
                    match around {
                        Some(search) => self.push_in_rows(&here, rows, runs, |block| {
                            self.stretches(block.group, search)
                        }),
                        None => self.push_in_rows(&here, rows, runs, |block| {
                            let count = self.groups[block.group].count;
                            self.wrapped(at_most(block.columns, count), count, x).into_iter()
                        }),
                    }
                }
            }
        }
        true
    }

    /// Adds the slots in a layer of a block of the open world, strip by strip. The runs may not be
    /// in ascending order.
    #[inline(never)]
    fn push_folded(
        &self,
        &Block { group, layers, rows, columns: (from, to) }: &Block,
        layer: i32,
        runs: &mut Runs,
    ) {
        let columns = &self.groups[group];
        let end = columns.count as i32 - 1;
        let exceeds = |cells: (i32, i32), count: u32| span(cells) > i64::from(count);
        if exceeds((from, to), columns.count)
            || exceeds(rows, self.layer_rows)
            || exceeds(layers, self.layers)
        {
            let [low, high] = [(rows.0, from), (rows.1, to)]
                .map(|(row, column)| row.saturating_add(column >> columns.strip_bits));
            let (low, high) = at_most((low, high), self.layer_rows);
            let layer = layer & (self.layers as i32 - 1);
            for row in low..=high {
                let row = layer * self.layer_rows as i32 + (row & (self.layer_rows as i32 - 1));
                self.push(row, columns.cells((0, end)), Run::default(), runs);
            }
            return;
        }
        // Adjacent cells of a strip are also adjacent in the table, unless the table is narrower
        // than the strip.
        let bits = columns.strip_bits.min(columns.count.ilog2());
        for strip in from >> bits..=to >> bits {
            let (first, last) = (strip << bits, strip << bits | ((1 << bits) - 1));
            let (from, to) = (from.max(first), to.min(last));
            for row in rows.0..=rows.1 {
                let cell = [layer, row, from].map(|at| at as u32);
                let [row, first] = self.folded_cell(cell, columns).map(|at| at as i32);
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
            && (self.occupied.is_empty() || span(block.rows) <= FEW_ROWS)
        {
            return self.push_block(block, runs);
        }
        let rows = at_most(union_of_rows(blocks), self.rows);
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

    /// Adds the slots of a single block. Reads all its rows, even rows without agents of its group.
    #[inline(always)]
    pub(super) fn push_block(&self, &Block { group, rows, columns, .. }: &Block, runs: &mut Runs) {
        let count = self.groups[group].count;
        let (rows, columns) = (at_most(rows, self.rows), at_most(columns, count));
        let is_inside =
            rows.0 >= 0 && rows.1 < self.rows as i32 && columns.0 >= 0 && columns.1 < count as i32;
        if is_inside {
            self.push_cells(rows, self.groups[group].cells(columns), runs);
        } else {
            let only_layer = [Stretch::plain((0, 0), 0)];
            self.push_wrapped_block(group, &only_layer, rows, columns, runs);
        }
    }

    #[inline(always)]
    fn push_cells(&self, rows: (i32, i32), cells: (i32, i32), runs: &mut Runs) {
        for row in rows.0..rows.1 + 1 {
            self.push(row, cells, Run::default(), runs);
        }
    }

    /// Adds the slots of a single block of a finite world, wrapped into the table. Reads all its
    /// rows, even rows without agents of its group.
    #[inline(never)]
    fn push_wrapped_block(
        &self,
        group: usize,
        layers: &[Stretch],
        rows: (i32, i32),
        columns: (i32, i32),
        runs: &mut Runs,
    ) {
        let Vec3 { x, y, .. } = self.layout.space.size;
        let columns = self.wrapped(columns, self.groups[group].count, x);
        let rows = self.wrapped(rows, self.layer_rows, y);
        self.push_stretches(group, layers, &rows, &columns, runs);
    }

    /// Adds the slots of one group in these layers, rows and columns.
    #[inline(always)]
    fn push_stretches(
        &self,
        group: usize,
        layers: &[Stretch],
        rows: &[Stretch],
        columns: &[Stretch],
        runs: &mut Runs,
    ) {
        let group = &self.groups[group];
        for layers in layers {
            for layer in layers.first..layers.last + 1 {
                let base = layer * self.layer_rows as i32;
                for rows in rows {
                    for row in base + rows.first..base + rows.last + 1 {
                        let add = |&Stretch { first, last, shift, middle, .. }: &Stretch| {
                            let shift = Vec3 { x: shift, y: rows.shift, z: layers.shift };
                            let like = Run { shift, middle, ..Run::default() };
                            self.push(row, group.cells((first, last)), like, runs);
                        };
                        if self.is_mirrored(row) {
                            columns.iter().rev().for_each(add);
                        } else {
                            columns.iter().for_each(add);
                        }
                    }
                }
            }
        }
    }

    /// Adds the blocks' slots in `rows` of the table. The blocks' columns must be inside the table.
    #[inline(always)]
    fn push_inside(&self, blocks: &[Block], rows: Stretch, runs: &mut Runs) {
        self.push_in_rows(blocks, rows, runs, |block| {
            let (first, last) = at_most(block.columns, self.groups[block.group].count);
            once(Stretch { first, last, ..rows })
        });
    }

    /// Adds the blocks' slots in `rows`. Rows and columns outside the table wrap around.
    #[inline(never)]
    fn push_wrapped(&self, blocks: &[Block], rows: (i32, i32), runs: &mut Runs) {
        let Vec3 { x, y, .. } = self.layout.space.size;
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
    pub(super) fn push_around(&self, blocks: &[Block], search: &Search, runs: &mut Runs) {
        if !self.is_flat {
            self.push_layers(blocks, Some(search), runs);
            return;
        }
        let rows = at_most(union_of_rows(blocks), self.rows);
        let rows = self.wrapped(rows, self.rows, self.layout.space.size.y);
        match blocks {
            &[Block { group, .. }]
                if self.occupied.is_empty()
                    && self.stretches(group, search).len() <= FEW_STRETCHES =>
            {
                let mut columns: ArrayVec<_, FEW_STRETCHES> = ArrayVec::new();
                columns.extend(self.stretches(group, search));
                let only_layer = [Stretch::plain((0, 0), 0)];
                self.push_stretches(group, &only_layer, &rows, &columns, runs);
            }
            _ => {
                for rows in rows {
                    let columns = |block: &Block| self.stretches(block.group, search);
                    self.push_in_rows(blocks, rows, runs, columns);
                }
            }
        }
    }

    /// Adds the blocks' slots in `rows` of the table. `columns` returns the stretches of columns to
    /// read for a block.
    #[inline(always)]
    fn push_in_rows<S: DoubleEndedIterator<Item = Stretch> + Clone>(
        &self,
        blocks: &[Block],
        rows: Stretch,
        runs: &mut Runs,
        columns: impl Fn(&Block) -> S,
    ) {
        let everywhere = span((rows.first, rows.last)) == i64::from(self.layer_rows);
        let blocks_here;
        let blocks = if everywhere {
            blocks_here = self.within_all_rows(blocks, rows);
            &blocks_here[..]
        } else {
            blocks
        };
        let mut left: ArrayVec<Left<'_, S>, { 2 * MAX_GROUPS }> = ArrayVec::new();
        for block in blocks {
            let [first, last] = [block.rows.0, block.rows.1].map(|row| row - rows.before);
            let (first, last) = (first.max(rows.first), last.min(rows.last));
            if first <= last {
                let (group, occupied) =
                    (&self.groups[block.group], self.occupied_rows(block.group));
                let next = next_row(occupied, first, last);
                left.push(Left { group, columns: columns(block), next, last, occupied });
            }
        }
        loop {
            let row = left.iter().fold(i32::MAX, |least, left| least.min(left.next));
            if row == i32::MAX {
                return;
            }
            let is_mirrored = self.is_mirrored(row);
            for k in 0..left.len() {
                let at = if is_mirrored { left.len() - 1 - k } else { k };
                let left = &mut left[at];
                if left.next != row {
                    continue;
                }
                let mut columns = left.columns.clone();
                while let Some(stretch) =
                    if is_mirrored { columns.next_back() } else { columns.next() }
                {
                    let Stretch { first, last, shift, middle, .. } = stretch;
                    let shift = Vec3 { x: shift, y: rows.shift, z: rows.above };
                    let like = Run { shift, middle, ..Run::default() };
                    self.push(row, left.group.cells((first, last)), like, runs);
                }
                left.next = next_row(left.occupied, row + 1, left.last);
            }
        }
    }

    /// Blocks for a search of `rows`, which must be all rows of the table or of a layer. If one
    /// block is higher than the world, no single shift fits all blocks, so each wraps separately.
    #[inline(never)]
    fn within_all_rows(
        &self,
        blocks: &[Block],
        rows: Stretch,
    ) -> ArrayVec<Block, { 2 * MAX_GROUPS }> {
        let exceeds = |block: &Block| span(block.rows) > i64::from(self.layer_rows);
        if !blocks.iter().any(exceeds) {
            return blocks.iter().copied().collect();
        }
        let base = rows.first + rows.before;
        let parts = |block: &Block| {
            let own = at_most(block.rows, self.layer_rows);
            let (block, own) = (*block, self.wrapped(own, self.layer_rows, 0.0));
            own.into_iter()
                .map(move |part| Block { rows: (base + part.first, base + part.last), ..block })
        };
        blocks.iter().flat_map(parts).collect()
    }

    /// For each row, the first row from there on in which the group has agents. Empty if there is
    /// only one group.
    #[inline(always)]
    fn occupied_rows(&self, group: usize) -> &[i32] {
        let rows = self.rows as usize + 1;
        self.occupied.get(group * rows..(group + 1) * rows).unwrap_or_default()
    }

    /// False if the block's group has no agents in the block's rows. Always true if these rows wrap
    /// around or are folded, and in worlds with depth.
    #[inline(always)]
    pub(super) fn may_have_agents(
        &self,
        &Block { group, rows: (first, last), .. }: &Block,
    ) -> bool {
        let space = &self.layout.space;
        let is_plain = self.is_flat
            && space.topology != Topology::Open
            && first >= 0
            && last < self.rows as i32;
        !is_plain || next_row(self.occupied_rows(group), first, last) != i32::MAX
    }

    /// True if a row that the search may read around `row` has agents of a group that is not
    /// `own_group`.
    #[inline(never)]
    pub(super) fn others_may_be_near(&self, row: i32, own_group: usize, search: &Search) -> bool {
        (0..self.groups.len()).any(|group| {
            if group == own_group || search.reach[group] == 0.0 {
                return false;
            }
            let occupied = self.occupied_rows(group);
            let up = search.rows[group];
            let (first, last) = self.clip((row - up - 1, row + up + 1), self.rows);
            if first >= 0 && last < self.rows as i32 {
                return next_row(occupied, first, last) != i32::MAX;
            }
            let parts = self.wrapped(at_most((first, last), self.rows), self.rows, 0.0);
            parts.iter().any(|part| next_row(occupied, part.first, part.last) != i32::MAX)
        })
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
        let stretch =
            |cells, before| Stretch { shift: shift(before), ..Stretch::plain(cells, before) };
        let mut parts = ArrayVec::new();
        if last < count {
            parts.push(stretch((first, last), before));
        } else {
            parts.push(stretch((0, last - count), before + count));
            parts.push(stretch((first, count - 1), before));
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

    pub(super) fn has_stretches(&self, search: &Search) -> bool {
        let sought = (0..self.groups.len()).filter(|&group| search.reach[group] > 0.0);
        sought.map(|group| self.longest_stretch(group, search)).all(|longest| longest > 0)
    }

    fn stretches(
        &self,
        group: usize,
        search: &Search,
    ) -> impl DoubleEndedIterator<Item = Stretch> + ExactSizeIterator + Clone {
        let Columns { count: columns, inverse_cell, .. } = self.groups[group];
        let count = columns.div_ceil(self.longest_stretch(group, search).max(1));
        (0..count as usize).map(move |k| {
            let [first, end] = [k, k + 1].map(|k| k as u32 * columns / count);
            let middle = (first + end) as f32 * 0.5 / inverse_cell.x;
            Stretch { middle, ..Stretch::plain((first as i32, end as i32 - 1), 0) }
        })
    }
}

impl Columns {
    /// Cells of a range of this group's columns, in a row that is not mirrored.
    #[inline(always)]
    pub(super) fn cells(&self, (first, last): (i32, i32)) -> (i32, i32) {
        (self.first as i32 + first, self.first as i32 + last)
    }

    #[inline(always)]
    pub(super) fn all_cells(&self) -> (i32, i32) {
        self.cells((0, self.count as i32 - 1))
    }

    #[inline(always)]
    pub(super) fn inverse_cells(&self) -> f32x4 {
        let Vec3 { x, y, .. } = self.inverse_cell;
        f32x4::from([y, y, x, x])
    }
}

impl Stretch {
    #[inline(always)]
    fn plain((first, last): (i32, i32), before: i32) -> Self {
        Self { first, last, before, shift: 0.0, middle: 0.0, above: 0.0 }
    }

    /// Converts rows of a layer to rows of the table. `base` is the layer's first row in the table.
    fn in_layer(self, base: i32, above: f32) -> Self {
        let Self { first, last, before, .. } = self;
        Self { first: first + base, last: last + base, before: before - base, above, ..self }
    }
}

/// The first row from `row` to `last` in which a group has agents; [`i32::MAX`] if there is none.
#[inline(always)]
fn next_row(occupied: &[i32], row: i32, last: i32) -> i32 {
    let next = occupied.get(row as usize).map_or(row, |&next| next);
    if next <= last { next } else { i32::MAX }
}

#[inline(always)]
fn union(ranges: impl Iterator<Item = (i32, i32)>) -> (i32, i32) {
    ranges.fold((i32::MAX, i32::MIN), |(low, high), (first, last)| (low.min(first), high.max(last)))
}

#[inline(always)]
fn union_of_rows(blocks: &[Block]) -> (i32, i32) {
    union(blocks.iter().map(
        #[inline(always)]
        |block| block.rows,
    ))
}

#[inline(always)]
fn at_most((from, to): (i32, i32), count: u32) -> (i32, i32) {
    if span((from, to)) > i64::from(count) { (0, count as i32 - 1) } else { (from, to) }
}

#[inline(always)]
pub(super) fn span((from, to): (i32, i32)) -> i64 {
    i64::from(to) - i64::from(from) + 1
}
