//! The counting sort that puts the crowd into cell order, once a step.
//!
//! Two stable passes, both parallel. First by row: every chunk of slots counts its rows,
//! one prefix sum over (row, chunk) gives each chunk its places, and each chunk deals out
//! its slots. Then, row by row, by column: counting fills that row's part of the grid's
//! `starts` on the way. Last, all columns of the crowd are gathered in the new order.
//!
//! Stable and chunk-major, so the order is the same for any number of chunks. Agents
//! hardly move in a step: nearly all reads and writes are almost sequential.
//!
//! Cost per agent: 4 bytes of cell, 8 of order, and each column read and written once.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::columns::{Motion, MotionSlices, Traits, TraitsSlices};
use crate::grid::Grid;
use crate::parallel::{Split, Workers};

/// Working memory of the sort, kept between steps.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    /// Cell of each slot, before the sort.
    cells: Vec<u32>,
    /// Slots in row order. Atomic so that chunks can deal into interleaved places.
    by_row: Vec<AtomicU32>,
    /// Slots in cell order: the permutation.
    order: Vec<u32>,
    /// First place of each row; length rows + 1.
    row_starts: Vec<u32>,
    /// Per chunk, per row: how many slots, then the next place.
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
        self.by_row.resize_with(agents, AtomicU32::default);
        motion_out.resize_like(motion);
        traits_out.resize_like(traits);

        self.deal_by_row(workers, grid, motion);
        self.order_by_column(workers, grid);

        let order = &self.order;
        let columns = (motion_out.slices_mut(), traits_out.slices_mut());
        workers.split(agents, columns, &|range: Range<usize>, (mut motion_out, mut traits_out)| {
            MotionSlices::gather(&mut motion_out, motion, &order[range.clone()]);
            TraitsSlices::gather(&mut traits_out, traits, &order[range]);
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        let words = [&self.cells, &self.order, &self.row_starts, &self.places];
        (words.map(Vec::capacity).iter().sum::<usize>() + self.by_row.capacity()) * size_of::<u32>()
    }

    fn deal_by_row(&mut self, workers: &Workers, grid: &Grid, motion: &Motion) {
        let agents = motion.x.len();
        let rows = grid.rows as usize;
        // No more counters than agents, however many rows there are.
        let chunks = workers.threads().min(agents / rows.max(1024)).max(1);
        let chunk = agents.div_ceil(chunks).max(1);
        self.places.clear();
        self.places.resize(chunks * rows, 0);
        self.row_starts.resize(rows + 1, 0);

        let count = |start: usize, cells: &mut [u32], counts: &mut [u32]| {
            let end = start + cells.len();
            let positions = motion.x[start..end].iter().zip(&motion.y[start..end]);
            for (cell, (&x, &y)) in cells.iter_mut().zip(positions) {
                let (row, column) = grid.cell_of(x, y);
                *cell = row * grid.columns + column;
                counts[row as usize] += 1;
            }
        };
        workers.run(chunks > 1, |parallel| {
            let (cells, places) = (&mut self.cells, &mut self.places);
            if parallel {
                let parts =
                    cells.par_chunks_mut(chunk).zip(places.par_chunks_mut(rows)).enumerate();
                parts.for_each(|(k, (cells, counts))| count(k * chunk, cells, counts));
            } else {
                count(0, cells, places);
            }
        });

        let mut next = 0;
        for row in 0..rows {
            self.row_starts[row] = next;
            for place in self.places.iter_mut().skip(row).step_by(rows) {
                next += std::mem::replace(place, next);
            }
        }
        self.row_starts[rows] = next;

        let deal = |start: usize, cells: &[u32], places: &mut [u32]| {
            for (slot, &cell) in (start as u32..).zip(cells) {
                let place = &mut places[(cell / grid.columns) as usize];
                self.by_row[*place as usize].store(slot, Relaxed);
                *place += 1;
            }
        };
        workers.run(chunks > 1, |parallel| {
            let (cells, places) = (&self.cells, &mut self.places);
            if parallel {
                let parts = cells.par_chunks(chunk).zip(places.par_chunks_mut(rows)).enumerate();
                parts.for_each(|(k, (cells, places))| deal(k * chunk, cells, places));
            } else {
                deal(0, cells, places);
            }
        });
    }

    fn order_by_column(&mut self, workers: &Workers, grid: &mut Grid) {
        let columns = grid.columns as usize;
        let (rows, cells) = (grid.rows as usize, grid.cells());
        let row_sort = RowSort {
            cells: &self.cells,
            by_row: &self.by_row,
            row_starts: &self.row_starts,
            columns,
        };
        grid.starts[cells] = self.order.len() as u32;
        let part = RowPart {
            starts: &mut grid.starts[..cells],
            order: &mut self.order,
            rows: 0..rows,
            sort: &row_sort,
        };
        // Splitting is by row; the grain is in rows of average population.
        workers.split(rows, part, &|range: Range<usize>, part: RowPart<'_>| {
            debug_assert_eq!(range, part.rows);
            part.run();
        });
    }
}

/// What the second pass reads.
struct RowSort<'a> {
    cells: &'a [u32],
    by_row: &'a [AtomicU32],
    row_starts: &'a [u32],
    columns: usize,
}

/// Some rows' share of what the second pass writes.
struct RowPart<'a> {
    starts: &'a mut [u32],
    order: &'a mut [u32],
    rows: Range<usize>,
    sort: &'a RowSort<'a>,
}

impl Split for RowPart<'_> {
    fn split_at(self, mid: usize) -> (Self, Self) {
        let sort = self.sort;
        let row = self.rows.start + mid;
        let agents = sort.row_starts[row] - sort.row_starts[self.rows.start];
        let (starts, starts_after) = self.starts.split_at_mut(mid * sort.columns);
        let (order, order_after) = self.order.split_at_mut(agents as usize);
        (
            RowPart { starts, order, rows: self.rows.start..row, sort },
            RowPart { starts: starts_after, order: order_after, rows: row..self.rows.end, sort },
        )
    }
}

impl RowPart<'_> {
    fn run(self) {
        let sort = self.sort;
        let first = sort.row_starts[self.rows.start];
        for row in self.rows.clone() {
            let at = (row - self.rows.start) * sort.columns;
            let starts = &mut self.starts[at..at + sort.columns];
            let (from, to) = (sort.row_starts[row], sort.row_starts[row + 1]);
            let slots = &sort.by_row[from as usize..to as usize];
            let column = |slot: &AtomicU32| {
                let slot = slot.load(Relaxed);
                (slot, sort.cells[slot as usize] as usize - row * sort.columns)
            };

            starts.fill(0);
            for slot in slots {
                starts[column(slot).1] += 1;
            }
            // From counts to ends; filling from the back turns ends into starts, stably.
            let mut end = from;
            for count in starts.iter_mut() {
                end += *count;
                *count = end;
            }
            for slot in slots.iter().rev() {
                let (slot, column) = column(slot);
                starts[column] -= 1;
                self.order[(starts[column] - first) as usize] = slot;
            }
        }
    }
}
