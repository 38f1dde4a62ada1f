//! The order in which the engine adds up neighbors: by cell of its grid, row by row, and within
//! a cell as they came. Sums of floats depend on it, so every rung keeps to it.

use super::rules::Rules;
use super::vec2::Vec2;

/// The engine's grid: cells as high as the view distance and a part of it wide.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Square cells along x, each cut into `columns_per_square`.
    pub(crate) squares: u32,
    columns_per_square: u32,
    pub(crate) rows: u32,
    inverse_cell: Vec2,
}

impl Order {
    pub(crate) fn new(rules: &Rules, agents: usize) -> Self {
        let (width, height) = (f64::from(rules.size.x), f64::from(rules.size.y));
        let agents = agents.max(1) as f64;
        let mut cell = (f64::from(rules.view) * 1.001).max((width * height / agents).sqrt());
        let (squares, rows) = loop {
            let (squares, rows) =
                ((width / cell).floor().max(1.0), (height / cell).floor().max(1.0));
            if squares * rows <= 2.0 * agents + 64.0 {
                break (squares, rows);
            }
            cell *= 1.5;
        };
        let per_square = ((agents / (squares * rows)).max(1.0) as u32).min(16);
        let columns_per_square = 1 << per_square.ilog2();
        let columns = squares * f64::from(columns_per_square);
        Self {
            squares: squares as u32,
            columns_per_square,
            rows: rows as u32,
            inverse_cell: Vec2::new((columns / width) as f32, (rows / height) as f32),
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
