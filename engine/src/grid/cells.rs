//! Lists, for display, the cells of a grid and the cells that a search reads, in one layer.

use crate::grid::Grid;
use crate::grid::blocks::{Block, span};
use crate::grid::groups::{Columns, Search};
use crate::math::aabb::Aabb;
use crate::math::lanes::fused::mul_add;
use crate::math::vec3::Vec3;

/// Block of grid cells, e.g. the cells that an agent searches for neighbors. In a world with depth,
/// the block is one layer seen from above.
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
    pub(crate) fn around(&self, position: Vec3<f32>, search: &Search) -> Vec<Cells> {
        let blocks = self.blocks(Aabb::at(position), &search.reach, |_| true);
        let cells = |Block { group, rows, columns, .. }| {
            let count = self.groups[group].count;
            self.cells_of(group, once(columns, count), once(rows, self.layer_rows))
        };
        blocks.into_iter().map(cells).collect()
    }

    pub(crate) fn all(&self) -> Vec<Cells> {
        let rows = (0, self.layer_rows as i32 - 1);
        let columns = |group: usize| (0, self.groups[group].count as i32 - 1);
        (0..self.groups.len()).map(|group| self.cells_of(group, columns(group), rows)).collect()
    }

    fn cells_of(&self, group: usize, columns: (i32, i32), rows: (i32, i32)) -> Cells {
        let Columns { inverse_cell, home: Vec3 { x, y, .. }, .. } = self.groups[group];
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
