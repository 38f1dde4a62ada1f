//! The counting sort that puts the crowd into cell order, once a step.
//!
//! One thread: number every agent's cell, count the cells, turn counts into places, put
//! every slot in its place, gather all columns in that order. Several threads: the world is
//! first cut into bands of whole rows; chunks of slots count their bands, one prefix sum
//! over (band, chunk) tells each chunk where to deal its slots, and then every band is
//! counting-sorted on its own. One band is the one-thread case, without the dealing.
//!
//! Stable throughout, so the order does not depend on how many bands or chunks there are.
//! Agents hardly move in a step: nearly all reads and writes are almost sequential.
//!
//! Cost per agent: 4 bytes of cell number, 4 of order (8 with bands), 4 per cell, and each
//! column read and written once.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::columns::{Motion, MotionSlices, Traits, TraitsSlices};
use crate::grid::Grid;
use crate::parallel::{Split, Workers};

/// Slots whose cells are numbered together, so that they are counted from the L1 cache.
const BLOCK: usize = 2048;

/// More bands than threads, so that a crowded band does not hold up the rest.
const BANDS_PER_THREAD: usize = 4;

/// Working memory of the sort, kept between steps.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    /// Cell of each slot, before the sort.
    cells: Vec<u32>,
    /// Slots in band order. Atomic so that chunks can deal into interleaved places.
    by_band: Vec<AtomicU32>,
    /// Slots in cell order: the permutation.
    order: Vec<u32>,
    /// First place of each band; length bands + 1.
    band_starts: Vec<u32>,
    /// Per chunk, per band: how many slots, then the next place.
    places: Vec<u32>,
}

impl Sorter {
    /// Permutes the crowd into cell order and fills `grid.starts`.
    pub(crate) fn sort(
        &mut self,
        workers: &Workers,
        grid: &mut Grid,
        (motion, motion_out): (&Motion, &mut Motion),
        (traits, traits_out): (&Traits, &mut Traits),
    ) {
        let agents = motion.x.len();
        self.cells.resize(agents, 0);
        self.order.resize(agents, 0);
        motion_out.resize_like(motion);
        traits_out.resize_like(traits);

        if workers.threads() == 1 {
            self.sort_as_one(grid, motion);
        } else {
            self.sort_in_bands(workers, grid, motion);
        }

        let order = &self.order;
        // Agents come from their own row, the one before and the one after.
        let row = agents / grid.rows as usize;
        let columns = (motion_out.slices_mut(), traits_out.slices_mut());
        workers.split(agents, columns, &|range: Range<usize>, (mut motion_out, mut traits_out)| {
            let soon = (range.start + row).min(agents)..(range.end + row).min(agents);
            MotionSlices::gather(&mut motion_out, motion, &order[range.clone()], soon.clone());
            TraitsSlices::gather(&mut traits_out, traits, &order[range], soon);
        });
    }

    fn sort_as_one(&mut self, grid: &mut Grid, motion: &Motion) {
        number_cells(grid, motion, 0, &mut self.cells);
        let cells = grid.cells();
        let slots = self.cells.iter().enumerate().map(|(slot, &cell)| (cell, slot as u32));
        place(slots, &mut grid.starts[..cells], 0, 0, &mut self.order);
        grid.starts[cells] = self.order.len() as u32;
    }

    fn sort_in_bands(&mut self, workers: &Workers, grid: &mut Grid, motion: &Motion) {
        let rows = grid.rows as usize;
        let band_rows = rows.div_ceil(workers.threads() * BANDS_PER_THREAD);
        let bands = rows.div_ceil(band_rows);
        let band_cells = band_rows * grid.columns as usize;
        self.deal(workers, grid, motion, bands, band_cells as u32);

        let cells = grid.cells();
        grid.starts[cells] = self.order.len() as u32;
        let sort = BandSort {
            cells: &self.cells,
            by_band: &self.by_band,
            band_starts: &self.band_starts,
            band_cells,
        };
        let (starts, order) = (&mut grid.starts[..cells], &mut self.order[..]);
        let part = BandPart { starts, order, bands: 0..bands, sort: &sort };
        workers.split(bands, part, &|_, part: BandPart<'_>| part.run());
    }

    /// Numbers the cells and deals the slots out to their bands.
    fn deal(
        &mut self,
        workers: &Workers,
        grid: &Grid,
        motion: &Motion,
        bands: usize,
        band_cells: u32,
    ) {
        let agents = motion.x.len();
        self.by_band.resize_with(agents, AtomicU32::default);
        let chunk = agents.div_ceil(workers.threads()).max(1);
        let chunks = agents.div_ceil(chunk);
        self.places.clear();
        self.places.resize(chunks * bands, 0);

        let parts = self.cells.par_chunks_mut(chunk).zip(self.places.par_chunks_mut(bands));
        parts.enumerate().for_each(|(k, (cells, counts))| {
            number_cells(grid, motion, k * chunk, cells);
            for_each_stretch(cells, band_cells, |band, stretch| {
                counts[band] += stretch.len() as u32;
            });
        });

        self.band_starts.clear();
        let mut next = 0;
        for band in 0..bands {
            self.band_starts.push(next);
            for place in self.places.iter_mut().skip(band).step_by(bands) {
                next += std::mem::replace(place, next);
            }
        }
        self.band_starts.push(next);

        let parts = self.cells.par_chunks(chunk).zip(self.places.par_chunks_mut(bands));
        parts.enumerate().for_each(|(k, (cells, places))| {
            for_each_stretch(cells, band_cells, |band, stretch| {
                let start = places[band] as usize;
                let dealt = &self.by_band[start..start + stretch.len()];
                for (to, slot) in dealt.iter().zip(k * chunk + stretch.start..) {
                    to.store(slot as u32, Relaxed);
                }
                places[band] += stretch.len() as u32;
            });
        });
    }

    /// Of the latest sort: the slot that each agent of the sorted copy came from.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn bytes(&self) -> usize {
        let words = [&self.cells, &self.order, &self.band_starts, &self.places];
        (words.map(Vec::capacity).iter().sum::<usize>() + self.by_band.capacity())
            * size_of::<u32>()
    }
}

/// Writes the cells of the slots from `first` on.
fn number_cells(grid: &Grid, motion: &Motion, first: usize, cells: &mut [u32]) {
    for (k, block) in cells.chunks_mut(BLOCK).enumerate() {
        let start = first + k * BLOCK;
        let range = start..start + block.len();
        grid.number_cells(&motion.x[range.clone()], &motion.y[range], block);
    }
}

/// Calls `note` with each stretch of consecutive slots in the same band. Stretches are long,
/// since the crowd was sorted a step ago.
fn for_each_stretch(cells: &[u32], band_cells: u32, mut note: impl FnMut(usize, Range<usize>)) {
    let mut at = 0;
    while let Some(&cell) = cells.get(at) {
        let band = cell / band_cells;
        let inside = band * band_cells..(band + 1) * band_cells;
        let length = cells[at..].iter().take_while(|cell| inside.contains(cell)).count();
        note(band as usize, at..at + length);
        at += length;
    }
}

/// Counting sort of (cell, slot) pairs. `starts` covers the cells from `first_cell` on and
/// receives their first places, counted from `first_place`; `order` receives the slots.
fn place(
    slots: impl DoubleEndedIterator<Item = (u32, u32)> + ExactSizeIterator + Clone,
    starts: &mut [u32],
    first_cell: u32,
    first_place: u32,
    order: &mut [u32],
) {
    starts.fill(0);
    for (cell, _) in slots.clone() {
        starts[(cell - first_cell) as usize] += 1;
    }
    // From counts to ends; placing from the back turns ends into starts, stably.
    let mut end = first_place;
    for count in starts.iter_mut() {
        end += *count;
        *count = end;
    }
    for (cell, slot) in slots.rev() {
        let place = &mut starts[(cell - first_cell) as usize];
        *place -= 1;
        order[(*place - first_place) as usize] = slot;
    }
}

/// What sorting within bands reads.
struct BandSort<'a> {
    cells: &'a [u32],
    by_band: &'a [AtomicU32],
    band_starts: &'a [u32],
    band_cells: usize,
}

/// Some bands' share of what it writes.
struct BandPart<'a> {
    starts: &'a mut [u32],
    order: &'a mut [u32],
    bands: Range<usize>,
    sort: &'a BandSort<'a>,
}

impl Split for BandPart<'_> {
    fn split_at(self, mid: usize) -> (Self, Self) {
        let sort = self.sort;
        let middle = self.bands.start + mid;
        let agents = sort.band_starts[middle] - sort.band_starts[self.bands.start];
        let (starts, starts_after) = self.starts.split_at_mut(mid * sort.band_cells);
        let (order, order_after) = self.order.split_at_mut(agents as usize);
        let bands = self.bands;
        (
            BandPart { starts, order, bands: bands.start..middle, sort },
            BandPart { starts: starts_after, order: order_after, bands: middle..bands.end, sort },
        )
    }
}

impl BandPart<'_> {
    fn run(self) {
        let sort = self.sort;
        let first_cell = self.bands.start * sort.band_cells;
        let first_place = sort.band_starts[self.bands.start];
        let last_place = sort.band_starts[self.bands.end];
        let slots = sort.by_band[first_place as usize..last_place as usize].iter().map(|slot| {
            let slot = slot.load(Relaxed);
            (sort.cells[slot as usize], slot)
        });
        place(slots, self.starts, first_cell as u32, first_place, self.order);
    }
}

#[cfg(test)]
mod tests;
