//! Directions on a grid of cells: a painted flow field, or a solved route.

use crate::math::angle::sin_cos;
use crate::math::lanes::{BitLanes, Lanes, MAX_WIDTH};
use crate::math::vec3::Vec3;
use crate::scenery::definition::FlowField;
use crate::world::space::Space;

/// Stopping distance, in world units, of cells in which agents do not brake.
pub(crate) const FAR: f32 = 1.0e9;

/// The shortest stopping distance of a route, 2 cells, plus a margin for rounding.
const CLOSE_CELLS: f32 = 2.001;

/// X and y of a cell's direction, its stopping distance, and its distance to the goal. Both
/// distances are in world units. Agents in the cell must be able to stop within the stopping
/// distance. The direction is a unit vector, but is shorter close to a goal and zero if no way
/// leads to a goal.
pub(crate) type Cell = [f32; 4];

#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Cells per world unit.
    pub(crate) inverse_cell: Vec3<f32>,
    /// Position of the world's origin, in cells from the center of the first cell.
    pub(crate) origin: Vec3<f32>,
    pub(crate) count: Vec3<f32>,
    /// Cells whose stopping distance is at most this, in world units, are close to a goal.
    pub(crate) close: f32,
    stride: usize,
    /// The cells, with a border one cell wide. On a torus, the border copies the opposite edge;
    /// otherwise, it copies the nearest cell.
    cells: Vec<Cell>,
}

impl Field {
    /// `sample` is called once for each cell, in ascending order.
    pub(crate) fn new(
        [origin, inverse_cell]: [Vec3<f32>; 2],
        [columns, rows]: [usize; 2],
        is_torus: bool,
        mut sample: impl FnMut(usize) -> Cell,
    ) -> Self {
        let stride = columns + 2;
        let mut cells = vec![Cell::default(); stride * (rows + 2)];
        for row in 0..rows {
            let first = (row + 1) * stride;
            for column in 0..columns {
                cells[first + 1 + column] = sample(row * columns + column);
            }
            let (left, right) = if is_torus { (columns, 1) } else { (1, columns) };
            cells[first] = cells[first + left];
            cells[first + columns + 1] = cells[first + right];
        }
        let (below, above) = if is_torus { (rows, 1) } else { (1, rows) };
        cells.copy_within(below * stride..(below + 1) * stride, 0);
        cells.copy_within(above * stride..(above + 1) * stride, (rows + 1) * stride);
        Self {
            inverse_cell,
            origin,
            count: Vec3::flat(columns as f32, rows as f32),
            close: CLOSE_CELLS / inverse_cell.x.min(inverse_cell.y),
            stride,
            cells,
        }
    }

    pub(crate) fn painted(field: &FlowField, space: &Space) -> Self {
        let (columns, rows) = (field.columns, field.degrees.len() as u32 / field.columns);
        let inverse = Vec3::flat(columns as f32 / space.size.x, rows as f32 / space.size.y);
        let center = Vec3::flat(-0.5, -0.5);
        let counts = [columns, rows].map(|count| count as usize);
        Self::new([center, inverse], counts, space.is_torus(), |cell| {
            let (sin, cos) = sin_cos(field.degrees[cell].to_radians());
            [cos, sin, FAR, f32::INFINITY]
        })
    }

    /// Returns, for each lane, the four cells around a position: the lower pair, then the upper
    /// pair, each from left to right. `column` and `row` are those of the lower left cell. Both are
    /// at least -1 and less than the number of columns or rows.
    #[inline(always)]
    pub(crate) fn around<L: Lanes>(&self, column: L, row: L) -> [[&[Cell; 2]; 2]; MAX_WIDTH] {
        let one = L::splat(1.0);
        let (column, row) = ((column + one).round_int(), (row + one).round_int());
        let stride = BitLanes::splat(self.stride as u32);
        let mut first = [0; MAX_WIDTH];
        L::store_bits(row.wrapping_mul(stride).wrapping_add(column), &mut first);
        let mut all = [[&[[0.0; 4]; 2]; 2]; MAX_WIDTH];
        for lane in 0..L::WIDTH {
            let below = first[lane] as usize;
            all[lane] = [self.pair(below), self.pair(below + self.stride)];
        }
        all
    }

    #[inline(always)]
    fn pair(&self, first: usize) -> &[Cell; 2] {
        self.cells[first..].first_chunk().expect("a border to the right")
    }

    /// Distance to the goal along the route, interpolated between the four nearest cell centers.
    /// Infinite if no way leads to the goal.
    pub(crate) fn distance(&self, at: Vec3<f32>) -> f32 {
        let cell_and_fraction = |at: f32, inverse: f32, origin: f32, count: f32| {
            let at = at * inverse + origin;
            let first = at.floor().clamp(-1.0, count - 1.0);
            (first, (at - first).clamp(0.0, 1.0))
        };
        let (column, right) =
            cell_and_fraction(at.x, self.inverse_cell.x, self.origin.x, self.count.x);
        let (row, above) =
            cell_and_fraction(at.y, self.inverse_cell.y, self.origin.y, self.count.y);
        let [below, over] = self.around(column, row)[0];
        let (mut sum, mut weights) = (0.0, 0.0);
        for ([.., distance], weight) in [
            (below[0], (1.0 - right) * (1.0 - above)),
            (below[1], right * (1.0 - above)),
            (over[0], (1.0 - right) * above),
            (over[1], right * above),
        ] {
            if distance < f32::INFINITY {
                (sum, weights) = (sum + distance * weight, weights + weight);
            }
        }
        // If there is a path from the nearest center to the goal, that center's weight is at least
        // 0.25.
        if weights >= 0.25 { sum / weights } else { f32::INFINITY }
    }
}
