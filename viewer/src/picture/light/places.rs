//! Where agents fall on a grid of squares over the picture: its pixels, or squares of two by two.
//!
//! Four agents per vector, and no branches: whether one falls inside is hard to predict.

use std::ops::Range;

use wide::{f32x4, i32x4};

use super::super::culling::{Seen, VisibleChunk};
use super::super::view::CHUNK_SIZE;

/// The number of the square of agents that fall outside.
const OUTSIDE: i32x4 = i32x4::new([-1; 4]);

/// Squares over some rows of the picture.
pub(super) struct Grid {
    /// Side of a square in pixels.
    pub(super) side: f32,
    pub(super) columns: usize,
    pub(super) rows: Range<usize>,
    /// Squares that are added all around. Agents in the inner half of them are inside.
    pub(super) margin: usize,
}

impl Grid {
    /// Squares per row.
    pub(super) fn stride(&self) -> usize {
        self.columns + 2 * self.margin
    }

    pub(super) fn len(&self) -> usize {
        self.stride() * (self.rows.len() + 2 * self.margin)
    }

    /// Visits the agents inside in the crowd's order: the chunk and number in it of each, its
    /// square, and how far it is within the square, from 0 to 1, right and down.
    #[inline(always)]
    pub(super) fn visit(
        &self,
        seen: &Seen<'_>,
        mut each: impl FnMut(&VisibleChunk, usize, usize, [f32; 2]),
    ) {
        let Seen { view, camera, chunks } = seen;
        let (reach, margin) = ((self.margin / 2) as f32, self.margin as f32);
        let [first_row, last_row] = [self.rows.start, self.rows.end].map(|row| row as f32);
        let rows = first_row * self.side..last_row * self.side;
        let end = [self.columns as f32, last_row - first_row];
        let end = end.map(|squares| squares + 2.0 * margin - reach);
        // The number of each agent's square, and how far it is within, right and down.
        let mut squares = [-1; CHUNK_SIZE];
        let mut within = [[0.0; CHUNK_SIZE]; 2];
        for chunk in chunks.iter().filter(|chunk| chunk.overlaps_rows(&rows, reach * self.side)) {
            let [left, top] = camera.to_screen(chunk.image).map(|at| at / self.side + margin);
            let (x, y) = (&view.x[chunk.slots.clone()], &view.y[chunk.slots.clone()]);
            for first in (0..x.len()).step_by(4) {
                let [x, y] = [four(x, first), four(y, first)];
                let zoom = camera.zoom / self.side;
                let (x, y) = (left + x * zoom, top - first_row - y * zoom);
                // False for NaN as well.
                let inside = x.simd_ge(f32x4::splat(reach))
                    & x.simd_lt(f32x4::splat(end[0]))
                    & y.simd_ge(f32x4::splat(reach))
                    & y.simd_lt(f32x4::splat(end[1]));
                let [column, row] = [x, y].map(
                    #[inline(always)]
                    |along| f32x4::from_i32x4(along.fast_trunc_int()),
                );
                // Exact: a grid has fewer squares than `f32` has whole numbers.
                let square = (row * self.stride() as f32 + column).fast_trunc_int();
                let inside: i32x4 = bytemuck::must_cast(inside);
                let square = (square & inside) | (OUTSIDE & !inside);
                squares[first..][..4].copy_from_slice(square.as_array());
                within[0][first..][..4].copy_from_slice((x - column).as_array());
                within[1][first..][..4].copy_from_slice((y - row).as_array());
            }
            for (k, &square) in squares[..x.len()].iter().enumerate() {
                if let Ok(square) = usize::try_from(square) {
                    each(chunk, k, square, [within[0][k], within[1][k]]);
                }
            }
        }
    }
}

/// Four values from one on; after the last, NaN.
#[inline(always)]
fn four(values: &[f32], first: usize) -> f32x4 {
    if let Some(four) = values[first..].first_chunk() {
        return f32x4::new(*four);
    }
    let mut rest = [f32::NAN; 4];
    rest[..values.len() - first].copy_from_slice(&values[first..]);
    f32x4::new(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::view::{Chunk, View};

    #[test]
    fn agents_are_found_in_their_squares_and_others_are_outside() {
        let x = [1.0, 9.0, 37.0, -5.0, f32::NAN, 1.0, f32::INFINITY];
        let y = [2.0, 17.9, 2.0, 2.0, 5.0, f32::NAN, 1.0e30];
        let slots = 0..x.len();
        let chunk = Chunk { slots: slots.clone(), low: [-10.0; 2], high: [50.0; 2] };
        let (x, y, chunks) = (x.to_vec(), y.to_vec(), vec![chunk]);
        let view = View { world: [40.0, 20.0], x, y, chunks, ..View::default() };
        let camera = Camera::new([20.0, 10.0], 1.0, [40.0, 20.0]);
        let seen = Seen::new(&view, &camera, &[[0.0; 2]], 4.0);
        let found = |margin: usize, rows: Range<usize>| {
            let grid = Grid { side: 2.0, columns: 20, rows, margin };
            let mut found = Vec::new();
            grid.visit(&seen, |chunk, k, square, [right, down]| {
                assert_eq!(chunk.slots, slots);
                assert!((0.0..1.0).contains(&right) && (0.0..1.0).contains(&down));
                found.push((k, square));
            });
            found
        };
        assert_eq!(found(0, 0..10), [(0, 9 * 20), (1, 20 + 4), (2, 9 * 20 + 18)]);
        assert_eq!(found(0, 5..10), [(0, 4 * 20), (2, 4 * 20 + 18)]);
        assert_eq!(found(2, 5..10), [(0, 6 * 24 + 2), (2, 6 * 24 + 20)]);
        assert_eq!(found(2, 2..5), [(1, 24 + 6)], "the inner half of the margin");
    }
}
