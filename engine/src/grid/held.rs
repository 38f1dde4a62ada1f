//! The rows of a grid that are held: all of them, or those of a slab and around it.
//!
//! Cells are numbered through the held rows, in ascending order of rows. All other rows share one
//! row of empty cells after them, so that a search beyond the held rows needs no test.

use std::ops::Range;

use crate::grid::{Grid, MAX_RUNS};
use crate::math::lanes::{Lanes, MAX_WIDTH, compiled};
use crate::world::{COORDINATE_LIMIT, Topology};

/// Rows that a search may reach, up and down, without ever having more runs than fit.
const MAX_REACH: usize = (MAX_RUNS / (2 * MAX_WIDTH) - 1) / 2;

impl Grid {
    /// Holds all rows.
    pub(super) fn hold_all(&mut self) {
        self.first_cells.clear();
        self.first_cells.extend((0..self.rows).map(|row| row * self.columns));
        self.starts.clear();
        self.starts.resize(self.cells() + 1, 0);
    }

    /// Holds the rows in `held`, which ascend, and no agents yet.
    pub(crate) fn hold(&mut self, held: &[Range<u32>]) {
        debug_assert!(held.iter().flat_map(|rows| [rows.start, rows.end]).is_sorted(), "{held:?}");
        let rows = held.iter().map(|rows| rows.end - rows.start).sum::<u32>();
        self.first_cells.clear();
        self.first_cells.resize(self.rows as usize, rows * self.columns);
        for (row, number) in held.iter().cloned().flatten().zip(0..) {
            self.first_cells[row as usize] = number * self.columns;
        }
        self.starts.clear();
        self.starts.resize((rows as usize + 1) * self.columns as usize + 1, 0);
    }

    /// The numbers of the cells of held rows that follow one another.
    pub(crate) fn held_cells(&self, rows: &Range<u32>) -> Range<usize> {
        if rows.is_empty() {
            return 0..0;
        }
        let first = self.first_cells[rows.start as usize] as usize;
        first..first + rows.len() * self.columns as usize
    }

    /// The slots of the agents in held rows that follow one another.
    pub(crate) fn slots_of(&self, rows: &Range<u32>) -> Range<usize> {
        let cells = self.held_cells(rows);
        self.starts[cells.start] as usize..self.starts[cells.end] as usize
    }

    /// The first slot of each of the cells and the end of the last, for held rows whose agents are
    /// at (`x`, `y`), in cell order, in slots from `first_slot` on.
    pub(crate) fn fill<L: Lanes>(
        &mut self,
        rows: &Range<u32>,
        first_slot: usize,
        (x, y): (&[f32], &[f32]),
        numbers: &mut Vec<u32>,
    ) {
        numbers.clear();
        numbers.resize(x.len(), 0);
        compiled!(L: self.number_cells::<L>(x, y, numbers));
        debug_assert!(numbers.is_sorted(), "agents in cell order");
        let cells = self.held_cells(rows);
        let first = rows.start * self.columns;
        let starts = &mut self.starts[cells.start..=cells.end];
        let mut next = 0;
        for (number, start) in (first..).zip(starts) {
            next += numbers[next..].iter().take_while(|&&cell| cell < number).count();
            *start = (first_slot + next) as u32;
        }
        debug_assert_eq!(next, x.len(), "agents in these rows");
    }

    /// Writes the row of each position.
    pub(crate) fn number_rows<L: Lanes>(&self, y: &[f32], rows: &mut [u32]) {
        compiled!(L: self.number_rows_inlined::<L>(y, rows));
    }

    #[inline(always)]
    fn number_rows_inlined<L: Lanes>(&self, y: &[f32], rows: &mut [u32]) {
        let (vectors, rest) = rows.split_at_mut(y.len() / L::WIDTH * L::WIDTH);
        for (rows, y) in vectors.chunks_exact_mut(L::WIDTH).zip(y.chunks_exact(L::WIDTH)) {
            L::store_bits(self.along(L::load(y), self.inverse_cell.y, self.rows), rows);
        }
        for (row, &y) in rest.iter_mut().zip(&y[vectors.len()..]) {
            *row = self.along(y, self.inverse_cell.y, self.rows);
        }
    }

    /// Whether the last row adjoins the first.
    pub(crate) fn wraps(&self) -> bool {
        self.layout.space.topology != Topology::Bounded
    }

    /// How many rows away a neighbor may be whose distance was at most `distance` when the grid was
    /// filled.
    pub(crate) fn reach(&self, distance: f32) -> u32 {
        // In an open world rounding errors grow with coordinates.
        let largest = match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => self.layout.space.size.y,
            Topology::Open => COORDINATE_LIMIT,
        };
        let margin = f64::from(distance) * 1.0001 + f64::from(largest) * 1.0e-6;
        (margin * f64::from(self.inverse_cell.y)) as u32 + 1
    }

    /// Whether a search that reaches this many rows may have more runs than fit, and then reads
    /// every slot.
    pub(crate) fn may_overflow(reach: u32) -> bool {
        reach as usize > MAX_REACH
    }
}
