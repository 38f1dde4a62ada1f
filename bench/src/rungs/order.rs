//! The order in which the engine sums neighbors: by grid cell, row by row, with serpentine rows for
//! small crowds. Sorting is stable within a cell. Float sums depend on this order, so every rung
//! uses it.

use flockwork::Simulation;
use flockwork::inspect::Cells;

use super::vector::{Vec2, Vector};

/// The engine's grid. A cell's height is the view distance.
/// Its width is the height divided by a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// Number of squares per row of cells. Each square is `columns_per_square` cells wide.
    pub(crate) squares: u32,
    columns_per_square: u32,
    pub(crate) rows: u32,
    /// True if odd rows run from right to left.
    serpentine: bool,
    inverse_cell: Vec2,
}

impl Order {
    pub(crate) fn of(crowd: &Simulation) -> Self {
        let Cells { size: [width, height], columns, rows, serpentine, .. } = crowd.grid_cells()[0];
        // The engine cuts each grid square into 2^k columns; recover k from a cell's aspect ratio.
        let cuts = (height / width).log2().round() as u32;
        let columns_per_square = 1 << cuts.min(columns.trailing_zeros());
        let inverse = |count: u32, size: f32| (f64::from(count) / f64::from(size)) as f32;
        let [world_width, world_height] = crowd.world_size();
        Self {
            squares: columns / columns_per_square,
            columns_per_square,
            rows,
            serpentine,
            inverse_cell: Vector([inverse(columns, world_width), inverse(rows, world_height)]),
        }
    }

    pub(crate) fn cell(&self, position: Vec2) -> u32 {
        let columns = self.squares * self.columns_per_square;
        let [column, row] = self.column_and_row(position);
        row * columns + self.position_in_row(row, column, columns)
    }

    pub(crate) fn square(&self, position: Vec2) -> usize {
        let [column, row] = self.column_and_row(position);
        let square = self.position_in_row(row, column / self.columns_per_square, self.squares);
        (row * self.squares + square) as usize
    }

    /// Maps a column to its position in the engine's order within a row.
    /// The map is its own inverse.
    pub(crate) fn position_in_row(&self, row: u32, column: u32, columns: u32) -> u32 {
        if self.serpentine && row % 2 == 1 { columns - 1 - column } else { column }
    }

    fn column_and_row(&self, position: Vec2) -> [u32; 2] {
        let cell = |x: f32, count: u32| (x.floor() as i32).clamp(0, count as i32 - 1) as u32;
        let (Vector([x, y]), Vector([columns, rows])) = (position, self.inverse_cell);
        [cell(x * columns, self.squares * self.columns_per_square), cell(y * rows, self.rows)]
    }
}
