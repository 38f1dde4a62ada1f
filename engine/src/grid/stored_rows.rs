//! Stored rows of a grid: all rows, or only the rows of a slab and its halo.
//!
//! Cells are numbered consecutively across the stored rows. All other rows share one row
//! of empty cells at the end, so that a search beyond the stored rows needs no special case.

use std::ops::Range;

use crate::grid::groups::GroupColumns;
use crate::grid::{Columns, Grid};
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;
use crate::world::Topology;

impl Grid {
    pub(super) fn store_all_rows(&mut self) {
        self.first_cells.clear();
        self.first_cells.extend((0..self.rows).map(|row| row * self.row_cells));
        self.starts.clear();
        self.starts.resize(self.cells() + 1, 0);
    }

    pub(crate) fn store_rows(&mut self, stored: &[u32]) {
        debug_assert!(stored.is_sorted(), "{stored:?}");
        let cells = stored.len() * self.row_cells as usize;
        self.first_cells.clear();
        self.first_cells.resize(self.rows as usize, cells as u32);
        for (&row, first) in stored.iter().zip((0..).step_by(self.row_cells as usize)) {
            self.first_cells[row as usize] = first;
        }
        self.starts.clear();
        self.starts.resize(cells + self.row_cells as usize + 1, 0);
    }

    pub(crate) fn cells_of_rows(&self, rows: &Range<u32>) -> Range<usize> {
        if rows.is_empty() {
            return 0..0;
        }
        let first = self.first_cells[rows.start as usize] as usize;
        first..first + rows.len() * self.row_cells as usize
    }

    /// Indices in `starts` of cells in consecutive stored rows, given their indices in the whole
    /// grid.
    pub(crate) fn stored(&self, cells: &Range<u32>) -> Range<usize> {
        let (row, column) = (cells.start / self.row_cells, cells.start % self.row_cells);
        let first = (self.first_cells[row as usize] + column) as usize;
        first..first + cells.len()
    }

    pub(crate) fn slots_of(&self, stored: Range<usize>) -> Range<usize> {
        self.starts[stored.start] as usize..self.starts[stored.end] as usize
    }

    /// Indices of the cells of some groups in a row, in ascending order, as one range per group.
    pub(crate) fn cells_of_groups(
        &self,
        row: u32,
        wanted: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = Range<u32>> {
        let (groups, is_mirrored) = (self.groups.len(), self.is_mirrored(row as i32));
        let ascending = (0..groups).map(move |k| if is_mirrored { groups - 1 - k } else { k });
        ascending.filter(move |&group| wanted(group)).map(move |group| {
            let (first, last) = self.mirrored(row as i32, self.groups[group].all_cells());
            let base = row * self.row_cells;
            base + first as u32..base + last as u32 + 1
        })
    }

    /// Number of rows in `rows` before the first row in which a group has agents, and number after
    /// the last such row. `None` if the group has no agents in `rows`.
    pub(crate) fn rows_without(&self, group: usize, rows: &Range<u32>) -> Option<[u32; 2]> {
        let cells = self.groups[group].all_cells();
        let has_agents = |row: &u32| {
            let [start, end] = self.slots_in(*row as i32, cells);
            start < end
        };
        let first = rows.clone().find(has_agents)?;
        let last = rows.clone().rfind(has_agents)?;
        Some([first - rows.start, rows.end - 1 - last])
    }

    /// Sets the first slot of each cell in `cells`, which must be stored. `positions` are the
    /// positions of the agents in these cells, in cell order. The agents' slots begin at
    /// `first_slot`.
    pub(crate) fn fill<L: Lanes>(
        &mut self,
        cells: &Range<u32>,
        first_slot: usize,
        (positions, groups): (Axes<&[f32]>, GroupColumns<'_>),
        agent_cells: &mut Vec<u32>,
    ) {
        agent_cells.clear();
        agent_cells.resize(positions.len(), 0);
        compiled!(L: self.assign_cells::<L>(positions, groups, agent_cells));
        debug_assert!(agent_cells.is_sorted(), "agents in cell order");
        let stored = self.stored(cells);
        let starts = &mut self.starts[stored.start..=stored.end];
        let mut next = 0;
        for (cell, start) in (cells.start..).zip(starts) {
            next += agent_cells[next..].iter().take_while(|&&of_agent| of_agent < cell).count();
            *start = (first_slot + next) as u32;
        }
        debug_assert_eq!(next, positions.len(), "agents in these cells");
    }

    pub(crate) fn assign_rows<L: Lanes>(&self, positions: Axes<&[f32]>, rows: &mut [u32]) {
        compiled!(L: {
            // Rows are the same for all groups.
            let group = &self.groups[0];
            let whole = rows.len() / L::WIDTH * L::WIDTH;
            let (vectors, rest) = rows.split_at_mut(whole);
            for (first, rows) in (0..).step_by(L::WIDTH).zip(vectors.chunks_exact_mut(L::WIDTH)) {
                let [row, _] = self.row_and_column(self.loaded::<L>(positions, first), group);
                L::store_bits(row, rows);
            }
            for (slot, row) in (whole..).zip(rest) {
                [*row, _] = self.row_and_column(positions.at(slot), group);
            }
        });
    }

    pub(crate) fn wraps(&self) -> bool {
        self.layout.space.topology != Topology::Bounded
    }

    /// Maximum difference in row index between two agents that were within `distance` of each
    /// other when the grid was filled, at most the number of rows.
    pub(crate) fn reach(&self, distance: f32) -> u32 {
        let space = &self.layout.space;
        // In an open world, rounding errors grow with distance from the origin; assume the maximum.
        let margin = f64::from(distance) * 1.0001 + f64::from(space.largest_across()) * 1.0e-6;
        let inverse_cells = self.groups.iter().map(|group| group.inverse_cell);
        let Vec3 { y, z, .. } = inverse_cells.fold(Vec3::ZERO, |a, b| a.zip(b, f32::max));
        let cells = |inverse_cell: f32| (margin * f64::from(inverse_cell)).min(1.0e9) as u32 + 1;
        // Strips are equally wide for all groups.
        let Columns { inverse_cell, strip_bits, .. } = self.groups[0];
        let is_open = space.topology == Topology::Open;
        let strips = if is_open { (cells(inverse_cell.x) >> strip_bits) + 1 } else { 0 };
        if !self.is_flat {
            return (cells(z) + 1).saturating_mul(self.layer_rows).min(self.rows);
        }
        (cells(y) + strips).min(self.rows)
    }
}
