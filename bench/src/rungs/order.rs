//! The order in which the engine adds up neighbors: by cell of its grid, row by row, in small
//! crowds back and forth, and within a cell as they came. Sums of floats depend on it, so every
//! rung keeps to it.

use flockwork::{Cells, Simulation};

use super::vec2::Vec2;

/// The engine's grid: cells as high as the view distance and a part of it wide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// Squares along x, as near as can be, each cut into `columns_per_square`.
    pub(crate) squares: u32,
    columns_per_square: u32,
    pub(crate) rows: u32,
    /// Whether odd rows go from right to left.
    serpentine: bool,
    inverse_cell: Vec2,
}

impl Order {
    /// That of a crowd in a finite world.
    pub(crate) fn of(crowd: &mut Simulation) -> Self {
        let Cells { size: [width, height], columns, rows, serpentine, .. } = crowd.cells();
        // The engine cuts squares into a power of two.
        let cuts = (height / width).log2().round() as u32;
        let columns_per_square = 1 << cuts.min(columns.trailing_zeros());
        let inverse = |count: u32, size: f32| (f64::from(count) / f64::from(size)) as f32;
        let [world_width, world_height] = crowd.world_size();
        Self {
            squares: columns / columns_per_square,
            columns_per_square,
            rows,
            serpentine,
            inverse_cell: Vec2::new(inverse(columns, world_width), inverse(rows, world_height)),
        }
    }

    /// The engine's cell of a position, the smaller the earlier.
    pub(crate) fn cell(&self, position: Vec2) -> u32 {
        let columns = self.squares * self.columns_per_square;
        let [column, row] = self.column_and_row(position);
        row * columns + self.turned(row, column, columns)
    }

    /// The square of a position, counted in the same way.
    pub(crate) fn square(&self, position: Vec2) -> usize {
        let [column, row] = self.column_and_row(position);
        let square = self.turned(row, column / self.columns_per_square, self.squares);
        (row * self.squares + square) as usize
    }

    /// Where the column comes in its row, or the column that comes there.
    pub(crate) fn turned(&self, row: u32, column: u32, columns: u32) -> u32 {
        if self.serpentine && row % 2 == 1 { columns - 1 - column } else { column }
    }

    fn column_and_row(&self, position: Vec2) -> [u32; 2] {
        let cell = |x: f32, count: u32| (x.floor() as i32).clamp(0, count as i32 - 1) as u32;
        [
            cell(position.x * self.inverse_cell.x, self.squares * self.columns_per_square),
            cell(position.y * self.inverse_cell.y, self.rows),
        ]
    }
}
