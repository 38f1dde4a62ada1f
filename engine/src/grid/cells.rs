//! The grid for display: the size of its cells, and which of them a search reads.

use crate::grid::Grid;
use crate::grid::candidates::span;
use crate::math::aabb::Aabb;
use crate::math::fused::mul_add;
use crate::math::vec2::Vec2;

/// A block of the grid's cells, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    /// The lower left corner of the block. On a torus a block may extend across the seam: its
    /// cells lie where the agents in them are nearest to the agent that searches.
    pub low: [f32; 2],
    /// Width and height of a cell.
    pub size: [f32; 2],
    /// Number of cells in a row.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
    /// Whether agents are sorted from right to left in the odd rows of the grid.
    pub serpentine: bool,
}

impl Cells {
    /// The low and the high corner of each cell, row by row from the lower left.
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
    /// The cells of [`Self::candidates`] for a single agent with neighbors up to `view` away. A
    /// search that would read cells twice reads each once, centered on the agent.
    pub(crate) fn around(&self, position: Vec2<f32>, view: f32) -> Cells {
        let (rows, columns) = self.window(Aabb::at(position), view);
        self.block(once(columns, self.columns), once(rows, self.rows))
    }

    /// All cells; in an open world the block at the origin.
    pub(crate) fn all(&self) -> Cells {
        self.block((0, self.columns as i32 - 1), (0, self.rows as i32 - 1))
    }

    /// The cells from one column and row to another, both included.
    fn block(&self, columns: (i32, i32), rows: (i32, i32)) -> Cells {
        let size =
            [self.inverse_cell.x, self.inverse_cell.y].map(|inverse| 1.0 / f64::from(inverse));
        let low = [f64::from(columns.0) * size[0], f64::from(rows.0) * size[1]];
        Cells {
            low: low.map(|low| low as f32),
            size: size.map(|size| size as f32),
            columns: span(columns) as u32,
            rows: span(rows) as u32,
            serpentine: self.serpentine,
        }
    }
}

/// At most `count` cells, from the middle of those requested.
fn once((from, to): (i32, i32), count: u32) -> (i32, i32) {
    if span((from, to)) <= i64::from(count) {
        return (from, to);
    }
    let middle = from.midpoint(to);
    let from = middle.saturating_sub(count as i32 / 2);
    (from, from.saturating_add(count as i32 - 1))
}
