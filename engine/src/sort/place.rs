//! The counting sort proper: count the cells, turn counts into places, put every slot in its
//! place.
//!
//! Nearly all agents stay where they are in the order or move by a few places, but those that
//! change rows would wait for memory that nobody has touched yet. So both passes read ahead what
//! the next rows need, in stretches long enough for the hardware to prefetch.

use std::ops::Range;

use crate::math::prefetch::prefetch;

/// Consecutive slots and their cells.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) first_slot: u32,
    pub(super) cells: &'a [u32],
}

/// A stretch of cells, and the places of those who are in them.
pub(super) struct Places<'a> {
    pub(super) first_cell: u32,
    pub(super) first_place: u32,
    /// Receives the places after each cell's last, which are the first of the cells after them.
    pub(super) ends: &'a mut [u32],
    /// Receives the slots, in cell order.
    pub(super) order: &'a mut [u32],
    /// How many cells make a row.
    pub(super) row: usize,
}

/// Cells that are read ahead at a time.
const AHEAD: usize = 32_768;

impl Places<'_> {
    /// Puts those slots of the blocks, which ascend, in their places whose cells are here.
    pub(super) fn fill<'a>(self, blocks: impl Iterator<Item = Block<'a>> + Clone) {
        let Self { first_cell, first_place, ends, order, row } = self;
        let at = |cell: u32| cell.wrapping_sub(first_cell) as usize;
        let place_at = |place: u32| (place - first_place) as usize;

        ends.fill(0);
        let mut ahead = Ahead { row, end: 0 };
        for Block { cells, .. } in blocks.clone() {
            prefetch(&ends[ahead.of(cells, first_cell, ends.len())]);
            for &cell in cells {
                if let Some(count) = ends.get_mut(at(cell)) {
                    *count += 1;
                }
            }
        }

        // From counts to starts; placing turns starts into ends, stably.
        let mut start = first_place;
        for place in ends.iter_mut() {
            start += std::mem::replace(place, start);
        }

        let mut ahead = Ahead { row, end: 0 };
        for Block { first_slot, cells } in blocks {
            let soon = ahead.of(cells, first_cell, ends.len());
            prefetch(&ends[soon.clone()]);
            if let [first, .., last] = ends[soon] {
                prefetch(&order[place_at(first)..place_at(last)]);
            }
            for (&cell, slot) in cells.iter().zip(first_slot..) {
                if let Some(end) = ends.get_mut(at(cell)) {
                    let place = *end;
                    *end = place + 1;
                    order[place_at(place)] = slot;
                }
            }
        }
    }
}

/// How far memory has been read ahead.
struct Ahead {
    row: usize,
    end: usize,
}

impl Ahead {
    /// The cells, counted from the first, to be read before the slots that are in `cells` are
    /// looked at: none, or the next long stretch.
    fn of(&mut self, cells: &[u32], first_cell: u32, all: usize) -> Range<usize> {
        let start = self.end;
        let last = cells.last().map_or(0, |&cell| cell.saturating_sub(first_cell) as usize);
        let needed = last + 2 * self.row;
        if needed > start {
            self.end = (needed + AHEAD).min(all);
        }
        start..self.end
    }
}
