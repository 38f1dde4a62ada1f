//! The counting sort of a range of cells: count the agents of each cell, turn counts into starts,
//! put every slot into cell order.
//!
//! Nearly all agents keep their slot or move by a few, but those that change rows would wait for
//! memory that is not in the cache yet. So both passes prefetch what the next rows need, in
//! stretches long enough for the hardware prefetcher.

use std::ops::Range;

use crate::crowd::store::prefetch;

/// Consecutive slots before the sort, and their cells.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) first_source: u32,
    pub(super) cells: &'a [u32],
}

/// A range of cells, and the sorted slots of the agents in them.
pub(super) struct CountingSort<'a> {
    pub(super) first_cell: u32,
    pub(super) first_slot: u32,
    /// Receives the end of each cell's slots, which is the start of the next cell's.
    pub(super) ends: &'a mut [u32],
    /// Receives the slots before the sort, in cell order.
    pub(super) order: &'a mut [u32],
    /// Number of cells in a row.
    pub(super) row: usize,
}

/// Cells prefetched at a time.
const STRETCH: usize = 32_768;

impl CountingSort<'_> {
    /// Sorts those slots of the blocks whose cells are in the range. Blocks ascend.
    #[inline(always)]
    pub(super) fn run<'a>(self, blocks: impl Iterator<Item = Block<'a>> + Clone) {
        let Self { first_cell, first_slot, ends, order, row } = self;
        let at = |cell: u32| cell.wrapping_sub(first_cell) as usize;
        let slot_at = |slot: u32| (slot - first_slot) as usize;

        ends.fill(0);
        let mut prefetched = Prefetched { row, end: 0 };
        for Block { cells, .. } in blocks.clone() {
            prefetch(&ends[prefetched.advance(cells, first_cell, ends.len())]);
            for &cell in cells {
                if let Some(count) = ends.get_mut(at(cell)) {
                    *count += 1;
                }
            }
        }

        // From counts to starts. The next pass turns starts into ends, stably.
        let mut start = first_slot;
        for end in ends.iter_mut() {
            start += std::mem::replace(end, start);
        }

        let mut prefetched = Prefetched { row, end: 0 };
        for Block { first_source, cells } in blocks {
            let soon = prefetched.advance(cells, first_cell, ends.len());
            prefetch(&ends[soon.clone()]);
            if let [first, .., last] = ends[soon] {
                prefetch(&order[slot_at(first)..slot_at(last)]);
            }
            for (&cell, source) in cells.iter().zip(first_source..) {
                if let Some(end) = ends.get_mut(at(cell)) {
                    let slot = *end;
                    *end = slot + 1;
                    order[slot_at(slot)] = source;
                }
            }
        }
    }
}

/// How far cells have been prefetched.
struct Prefetched {
    row: usize,
    end: usize,
}

impl Prefetched {
    /// The cells, counted from the first, to prefetch before the slots in `cells` are read: none,
    /// or the next long stretch.
    fn advance(&mut self, cells: &[u32], first_cell: u32, all: usize) -> Range<usize> {
        let start = self.end;
        let last = cells.last().map_or(0, |&cell| cell.saturating_sub(first_cell) as usize);
        let needed = last + 2 * self.row;
        if needed > start {
            self.end = (needed + STRETCH).min(all);
        }
        start..self.end
    }
}
