//! The order in which the engine adds up neighbors: by cell of its grid, row by row, and within
//! a cell as they came. Sums of floats depend on it, so every rung keeps to it.

use flockwork::{Cells, Simulation};

use super::vec2::Vec2;

/// The engine's grid: cells as high as the view distance and a part of it wide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// Squares along x, as near as can be, each cut into `columns_per_square`.
    pub(crate) squares: u32,
    columns_per_square: u32,
    pub(crate) rows: u32,
    inverse_cell: Vec2,
}

impl Order {
    /// That of a crowd in a finite world.
    pub(crate) fn of(crowd: &mut Simulation) -> Self {
        let Cells { size: [width, height], columns, rows, .. } = crowd.cells();
        // The engine cuts squares into a power of two.
        let cuts = (height / width).log2().round() as u32;
        let columns_per_square = 1 << cuts.min(columns.trailing_zeros());
        let inverse = |count: u32, size: f32| (f64::from(count) / f64::from(size)) as f32;
        let [world_width, world_height] = crowd.world_size();
        Self {
            squares: columns / columns_per_square,
            columns_per_square,
            rows,
            inverse_cell: Vec2::new(inverse(columns, world_width), inverse(rows, world_height)),
        }
    }

    /// The engine's cell of a position, the smaller the earlier.
    pub(crate) fn cell(&self, position: Vec2) -> u32 {
        let [column, row] = self.column_and_row(position);
        row * self.squares * self.columns_per_square + column
    }

    /// The square of a position, counted row by row.
    pub(crate) fn square(&self, position: Vec2) -> usize {
        let [column, row] = self.column_and_row(position);
        (row * self.squares + column / self.columns_per_square) as usize
    }

    fn column_and_row(&self, position: Vec2) -> [u32; 2] {
        let cell = |x: f32, count: u32| (x.floor() as i32).clamp(0, count as i32 - 1) as u32;
        [
            cell(position.x * self.inverse_cell.x, self.squares * self.columns_per_square),
            cell(position.y * self.inverse_cell.y, self.rows),
        ]
    }
}
