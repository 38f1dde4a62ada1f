//! Paths with their arc lengths, and the flow field.

use std::collections::HashSet;

use crate::math::angle::sin_cos;
use crate::math::vec2::Vec2;
use crate::scenery::definition::{FlowField, Path, segments};
use crate::world::space::Space;

/// A path with its arc lengths.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) name: String,
    pub(crate) points: Vec<Vec2<f32>>,
    pub(crate) closed: bool,
    /// Its straight segments.
    pub(crate) legs: Vec<Leg>,
    /// Those of them that do not lead back along an earlier one, at the same distance from everywhere.
    pub(crate) first_legs: Vec<Leg>,
    pub(crate) length: f32,
}

/// A straight segment of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Vec2<f32>,
    /// Unit vector.
    pub(crate) direction: Vec2<f32>,
    pub(crate) length: f32,
    /// The arc length of the path at which it starts.
    pub(crate) start: f32,
}

impl Route {
    pub(crate) fn new(path: &Path) -> Self {
        let mut length = 0.0;
        let (mut legs, mut first_legs) = (Vec::new(), Vec::new());
        let mut walked = HashSet::new();
        for [from, to] in segments(&path.points, path.closed) {
            let segment = Vec2::from(to) - Vec2::from(from);
            let leg = Leg {
                from: from.into(),
                direction: segment.normalized(),
                length: segment.length(),
                start: length,
            };
            length += leg.length;
            legs.push(leg);
            walked.insert([from, to].map(bits));
            if !walked.contains(&[to, from].map(bits)) {
                first_legs.push(leg);
            }
        }
        let points = path.points.iter().map(|&point| point.into()).collect();
        Self { name: path.name.clone(), points, closed: path.closed, legs, first_legs, length }
    }
}

fn bits(point: [f32; 2]) -> [u32; 2] {
    // Adding 0 makes -0 0.
    point.map(|coordinate| (coordinate + 0.0).to_bits())
}

/// The flow field, ready for bilinear lookup.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Cells per world unit.
    pub(crate) inverse_cell: Vec2<f32>,
    /// The number of columns and rows of cells.
    pub(crate) count: Vec2<f32>,
    /// For every square between four cell centers, row by row, starting below and left of the first
    /// cell: the directions at its corners (x and y at the lower left, lower right, upper left,
    /// upper right).
    quads: Vec<[f32; 8]>,
}

impl Flow {
    pub(crate) fn new(field: &FlowField, space: &Space) -> Self {
        let (columns, rows) =
            (field.columns as i32, (field.degrees.len() as u32 / field.columns) as i32);
        // A torus continues on the opposite side; other worlds repeat their outermost cells.
        let inside = |cell: i32, count: i32| match space.is_torus() {
            true => cell.rem_euclid(count),
            false => cell.clamp(0, count - 1),
        };
        let direction = |column: i32, row: i32| {
            let cell = inside(row, rows) * columns + inside(column, columns);
            let (sin, cos) = sin_cos(field.degrees[cell as usize].to_radians());
            [cos, sin]
        };
        let quad = |column: i32, row: i32| {
            let [a, b] = [direction(column, row), direction(column + 1, row)];
            let [c, d] = [direction(column, row + 1), direction(column + 1, row + 1)];
            [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
        };
        let count = Vec2::new(columns as f32, rows as f32);
        Self {
            inverse_cell: Vec2::new(count.x / space.size.x, count.y / space.size.y),
            count,
            quads: (-1..rows)
                .flat_map(|row| (-1..columns).map(move |column| quad(column, row)))
                .collect(),
        }
    }

    /// The four directions around a position, given in cells to the right of and above the center of
    /// the first cell. Both coordinates are from −1 to the number of cells − 1.
    pub(crate) fn quad(&self, column: f32, row: f32) -> &[f32; 8] {
        let stride = self.count.x as usize + 1;
        &self.quads[(row + 1.0) as usize * stride + (column + 1.0) as usize]
    }
}
