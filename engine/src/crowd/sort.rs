//! Counting sort that puts the crowd into cell order once per step.
//!
//! A single thread computes each agent's cell, counts the agents per cell, turns counts into
//! starts, puts slots into cell order, and gathers all columns in that order. Multiple threads
//! first split the world into bands of whole rows, and count the agents per band in each block of
//! slots. They then sort each band separately, reading only blocks with agents in the band. Agents
//! hardly move in a step, so a band reads few blocks.
//!
//! Every pass is stable, so the order does not depend on the number of bands. Nearly all agents
//! keep their slot or move by a few slots, but agents that change rows would cause cache misses.
//! All passes therefore prefetch the next rows, in stretches long enough for the hardware
//! prefetcher.
//!
//! Cost per agent: 4 bytes for the cell index, 4 bytes for the order,
//! and one read and one write per column. Each cell takes another 4 bytes.

use std::ops::Range;

use rayon::prelude::*;

use crate::crowd::columns::{Attributes, AttributesSlices, Motion, MotionSlices};
use crate::crowd::store::{Gather, prefetch};
use crate::grid::Grid;
use crate::grid::groups::GroupColumns;
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, compiled};
use crate::parallel::{Split, Workers};

const BLOCK: usize = 512;

/// Slots per chunk of the gather, which copies one column at a time: enough for long prefetch
/// streams, but few enough that the chunk's part of `order` (1 MiB) stays in the cache.
const GATHER_CHUNK_SLOTS: usize = 262_144;

/// Number of agents that the gather prefetches beyond the next row of cells.
const PREFETCH_DISTANCE: usize = 1024;

/// Using more bands than threads keeps a crowded band from delaying the rest.
const BANDS_PER_THREAD: usize = 4;
/// With this many bands, the counts (one per band and block) take no more memory than one column.
const MAX_BANDS: usize = BLOCK;

/// The cells to sort into. The sort writes the end of each cell.
pub(crate) struct Table<'a> {
    pub(crate) ends: &'a mut [u32],
    /// Number of cells in a row.
    pub(crate) row: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Sorter {
    cells: Vec<u32>,
    /// Permutation from new slots to old slots.
    order: Vec<u32>,
    band_starts: Vec<u32>,
    counts: Vec<u32>,
}

impl Sorter {
    pub(crate) fn sort<L: Lanes>(
        &mut self,
        workers: &Workers,
        grid: &mut Grid,
        (motion, motion_out): (&Motion, &mut Motion),
        (attributes, attributes_out): (&Attributes, &mut Attributes),
    ) {
        let agents = motion.position.len();
        motion_out.resize(agents, motion);
        attributes_out.resize(agents, attributes);
        self.fill::<L>(workers, grid, (motion.position.all(), attributes.group_columns()));
        let out = (motion_out.slices_mut(), attributes_out.slices_mut());
        self.gather::<L>(workers, grid, (motion, attributes, 0), out);
    }

    /// Fills `grid.starts` and computes the new order, without moving any columns.
    pub(crate) fn fill<L: Lanes>(
        &mut self,
        workers: &Workers,
        grid: &mut Grid,
        (positions, groups): (Axes<&[f32]>, GroupColumns<'_>),
    ) {
        let mut starts = std::mem::take(&mut grid.starts);
        let table = Table { ends: &mut starts[1..], row: grid.row_cells as usize };
        self.order::<L>(
            workers,
            positions.len(),
            table,
            #[inline(always)]
            |slots, cells| {
                let groups = groups.rows(slots.clone());
                grid.assign_cells::<L>(positions.rows(slots), groups, cells);
            },
        );
        grid.starts = starts;
        grid.note_occupied_rows();
        debug_assert!(
            grid.starts.is_sorted() && grid.starts.last() == Some(&(positions.len() as u32))
        );
    }

    pub(crate) fn order<L: Lanes>(
        &mut self,
        workers: &Workers,
        slots: usize,
        table: Table<'_>,
        number_cells: impl Fn(Range<usize>, &mut [u32]) + Sync,
    ) {
        self.cells.resize(slots, 0);
        self.order.resize(slots, 0);
        if workers.threads() == 1 {
            compiled!(L: number_cells(0..slots, &mut self.cells));
            // Inside `compiled!`, the compiler sees that the first cell and slot are constants.
            compiled!(L: counting_sort(table, &mut self.order, [0, 0], blocks(&self.cells)));
        } else {
            self.order_in_bands::<L>(workers, table, number_cells);
        }
        debug_assert!(self.is_stable(), "the order is a permutation, by cell and then by slot");
    }

    /// Copies all columns to `out` in the most recently computed order. The order's slots
    /// are relative to row `first` of `motion` and `attributes`.
    pub(crate) fn gather<L: Lanes>(
        &self,
        workers: &Workers,
        grid: &Grid,
        (motion, attributes, first): (&Motion, &Attributes, usize),
        out: (MotionSlices<'_>, AttributesSlices<'_>),
    ) {
        let order = &self.order;
        let all = motion.position.len() - first;
        let gather = |range: Range<usize>,
                      (mut motion_out, mut attributes_out): (
            MotionSlices<'_>,
            AttributesSlices<'_>,
        )| {
            let soon = grid.next_row_slots(&range, PREFETCH_DISTANCE, all);
            let rows = Gather { first, order: &order[range], soon };
            motion_out.gather::<L>(motion, &rows);
            attributes_out.gather::<L>(attributes, &rows);
        };
        workers.split_to(GATHER_CHUNK_SLOTS, order.len(), out, &gather);
    }

    /// True if the order is strictly ascending by cell, then by slot, which rules out duplicates.
    fn is_stable(&self) -> bool {
        let key = |&slot: &u32| (self.cells[slot as usize], slot);
        self.order.len() == self.cells.len()
            && self.order.windows(2).all(|pair| key(&pair[0]) < key(&pair[1]))
    }

    fn order_in_bands<L: Lanes>(
        &mut self,
        workers: &Workers,
        Table { ends, row }: Table<'_>,
        number_cells: impl Fn(Range<usize>, &mut [u32]) + Sync,
    ) {
        let rows = ends.len() / row;
        let most = (workers.threads() * BANDS_PER_THREAD).min(MAX_BANDS);
        let band_rows = rows.div_ceil(most);
        let bands = rows.div_ceil(band_rows);
        let band_cells = band_rows * row;
        // Must run in the workers' pool. Elsewhere, rayon would start its global pool as well.
        workers.run(true, |_| self.count_bands::<L>(bands, band_cells as u32, &number_cells));

        let (cells, counts, starts) = (&self.cells, &self.counts, &self.band_starts[..]);
        let chunk = BandChunk { ends, order: &mut self.order, starts, band_cells };
        workers.split(bands, chunk, &|range: Range<usize>, chunk: BandChunk<'_>| {
            let counted = blocks(cells).zip(counts.chunks(bands));
            let has_agents = |counts: &[u32]| counts[range.clone()].iter().any(|&count| count > 0);
            let blocks = counted.filter(|(_, counts)| has_agents(counts)).map(|(block, _)| block);
            let first = [(range.start * band_cells) as u32, chunk.starts[0]];
            let table = Table { ends: chunk.ends, row };
            compiled!(L: counting_sort(table, chunk.order, first, blocks));
        });
    }

    fn count_bands<L: Lanes>(
        &mut self,
        bands: usize,
        band_cells: u32,
        number_cells: &(impl Fn(Range<usize>, &mut [u32]) + Sync),
    ) {
        let blocks = self.cells.len().div_ceil(BLOCK);
        self.counts.clear();
        self.counts.resize(blocks * bands, 0);
        let chunks = self.cells.par_chunks_mut(BLOCK).zip(self.counts.par_chunks_mut(bands));
        chunks.enumerate().for_each(|(k, (cells, counts))| {
            let slots = k * BLOCK..k * BLOCK + cells.len();
            compiled!(L: number_cells(slots, cells));
            compiled!(L: for_each_stretch(cells, band_cells, |band, n| counts[band] += n as u32));
        });

        self.band_starts.clear();
        let mut next = 0;
        for band in 0..bands {
            self.band_starts.push(next);
            next += self.counts.iter().skip(band).step_by(bands).sum::<u32>();
        }
        self.band_starts.push(next);
        debug_assert_eq!(next as usize, self.cells.len(), "each slot is in one band");
    }

    pub(crate) fn sources(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn sources_mut(&mut self) -> &mut Vec<u32> {
        &mut self.order
    }

    pub(crate) fn bytes(&self) -> usize {
        let words = [&self.cells, &self.order, &self.band_starts, &self.counts];
        words.map(Vec::capacity).iter().sum::<usize>() * size_of::<u32>()
    }
}

/// Calls `visit` with the band and length of each stretch of consecutive slots in one band.
/// The crowd was sorted one step ago, so a block usually has a single stretch.
#[inline(always)]
fn for_each_stretch(cells: &[u32], band_cells: u32, mut visit: impl FnMut(usize, usize)) {
    let (low, high) =
        cells.iter().fold((u32::MAX, 0), |(low, high), &cell| (low.min(cell), high.max(cell)));
    if low / band_cells == high / band_cells {
        return visit((low / band_cells) as usize, cells.len());
    }
    let mut at = 0;
    while let Some(&cell) = cells.get(at) {
        let band = cell / band_cells;
        let inside = band * band_cells..(band + 1) * band_cells;
        let length = cells[at..].iter().take_while(|cell| inside.contains(cell)).count();
        visit(band as usize, length);
        at += length;
    }
}

fn blocks(cells: &[u32]) -> impl Iterator<Item = Block<'_>> + Clone {
    let sources = (0..).step_by(BLOCK);
    sources.zip(cells.chunks(BLOCK)).map(|(first_source, cells)| Block { first_source, cells })
}

/// Cells and slots of consecutive bands.
struct BandChunk<'a> {
    ends: &'a mut [u32],
    order: &'a mut [u32],
    /// First slot of each band.
    starts: &'a [u32],
    band_cells: usize,
}

impl Split for BandChunk<'_> {
    fn split_at(self, mid: usize) -> (Self, Self) {
        let Self { starts, band_cells, .. } = self;
        let (ends, ends_after) = self.ends.split_at_mut(mid * band_cells);
        let (order, order_after) = self.order.split_at_mut((starts[mid] - starts[0]) as usize);
        (
            BandChunk { ends, order, starts, band_cells },
            BandChunk { ends: ends_after, order: order_after, starts: &starts[mid..], band_cells },
        )
    }
}

#[derive(Clone, Copy)]
struct Block<'a> {
    first_source: u32,
    cells: &'a [u32],
}

const STRETCH: usize = 32_768;

/// Sorts the agents in the table's cells, which begin at `first_cell`, into new slots, which begin
/// at `first_slot`. Blocks must be in slot order.
#[inline(always)]
fn counting_sort<'a>(
    Table { ends, row }: Table<'_>,
    order: &mut [u32],
    [first_cell, first_slot]: [u32; 2],
    blocks: impl Iterator<Item = Block<'a>> + Clone,
) {
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

    // Turns counts into starts. The next pass places the slots in ascending order,
    // which advances each start to the end of its cell.
    let mut start = first_slot;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start);
    }
    debug_assert_eq!(slot_at(start), order.len(), "a slot for each agent");

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

struct Prefetched {
    row: usize,
    end: usize,
}

impl Prefetched {
    /// Cells to prefetch before processing `cells`, relative to `first_cell`. The range is empty if
    /// earlier calls already covered two rows beyond the last of `cells`.
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

#[cfg(test)]
mod tests;
