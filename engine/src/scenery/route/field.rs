//! A solved route, as agents read it.

use crate::math::vec3::Vec3;
use crate::scenery::route::floor::{Exact, Floor};

/// Distance at which no agent brakes yet.
pub(super) const FAR: f64 = 1.0e9;

/// What agents in a cell do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Unit vector, shorter close to a goal, zero where no way leads to it.
    pub(super) direction: Exact,
    /// Distance in which an agent shall be able to stop.
    pub(super) rest: f64,
}

#[derive(Debug)]
pub(crate) struct Field {
    /// Cells per world unit.
    pub(crate) inverse_cell: Vec3<f32>,
    /// Position of the world's origin, in cells from the center of the first cell.
    pub(crate) origin: Vec3<f32>,
    pub(crate) count: Vec3<f32>,
    /// Agents with less distance than this to brake are close to the goal.
    pub(crate) close: f32,
    stride: usize,
    /// Around the cells, there is a border of one: on a torus, copies of the opposite side, elsewhere
    /// of the nearest cell.
    directions: Vec<[f32; 2]>,
    rest: Vec<f32>,
    distances: Vec<f32>,
}

impl Field {
    /// `sample` is called once for each cell, in ascending order.
    pub(super) fn new(floor: &Floor, mut sample: impl FnMut(usize) -> (f64, Sample)) -> Self {
        let (columns, rows) = (floor.columns, floor.rows);
        let samples: Vec<(f64, Sample)> = (0..floor.len()).map(&mut sample).collect();
        let inside = |cell: usize, count: usize| match (cell, floor.space.is_torus()) {
            (0, true) => count - 1,
            (0, false) => 0,
            (cell, true) if cell > count => 0,
            (cell, _) => cell.min(count) - 1,
        };
        let at = |row: usize, column: usize| {
            &samples[inside(row, rows) * columns + inside(column, columns)]
        };
        let all =
            || (0..rows + 2).flat_map(|row| (0..columns + 2).map(move |column| at(row, column)));
        let Exact { x: width, y: height, .. } = floor.cell;
        let in_cells = |origin: f64, cell: f64| (-origin / cell - 0.5) as f32;
        Self {
            inverse_cell: Vec3::flat((1.0 / width) as f32, (1.0 / height) as f32),
            origin: Vec3::flat(in_cells(floor.origin.x, width), in_cells(floor.origin.y, height)),
            count: Vec3::flat(columns as f32, rows as f32),
            close: (floor.largest_cell() * 2.0) as f32,
            stride: columns + 2,
            directions: all().map(|(_, sample)| sample.direction.to_f32().into()).collect(),
            rest: all().map(|(_, sample)| sample.rest as f32).collect(),
            distances: all().map(|(distance, _)| *distance as f32).collect(),
        }
    }

    /// Number of the cell whose center is at, or left of and below, a position, in cells from the
    /// first center: at least -1, and less than the number of columns or rows.
    #[inline(always)]
    fn cell(&self, column: f32, row: f32) -> usize {
        (row + 1.0) as usize * self.stride + (column + 1.0) as usize
    }

    /// Directions at four centers: lower left, lower right, upper left and upper right.
    #[inline(always)]
    pub(crate) fn quad(&self, column: f32, row: f32) -> [f32; 8] {
        let below = self.cell(column, row);
        let above = below + self.stride;
        let [[a, b], [c, d]] =
            [below, above].map(|cell| [self.directions[cell], self.directions[cell + 1]]);
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    }

    #[inline(always)]
    pub(crate) fn rest(&self, column: f32, row: f32) -> f32 {
        self.rest[self.cell(column, row)]
    }

    /// Distance to the goal along the route, between four centers; infinite where no way leads to it.
    pub(crate) fn distance(&self, at: Vec3<f32>) -> f32 {
        let place = |at: f32, inverse: f32, origin: f32, count: f32| {
            let at = at * inverse + origin;
            let first = at.floor().clamp(-1.0, count - 1.0);
            (first, (at - first).clamp(0.0, 1.0))
        };
        let (column, right) = place(at.x, self.inverse_cell.x, self.origin.x, self.count.x);
        let (row, above) = place(at.y, self.inverse_cell.y, self.origin.y, self.count.y);
        let cell = self.cell(column, row);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (other, weight) in [
            (cell, (1.0 - right) * (1.0 - above)),
            (cell + 1, right * (1.0 - above)),
            (cell + self.stride, (1.0 - right) * above),
            (cell + self.stride + 1, right * above),
        ] {
            if self.distances[other] < f32::INFINITY {
                (sum, weights) = (sum + self.distances[other] * weight, weights + weight);
            }
        }
        // Of an agent that stands where a way begins, at least the nearest center is known.
        if weights >= 0.25 { sum / weights } else { f32::INFINITY }
    }
}
