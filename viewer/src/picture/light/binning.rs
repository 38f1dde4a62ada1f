//! Finds the pixel of each agent within a band of the picture's rows.
//!
//! Four agents share a SIMD vector. Tests for agents inside the band are branch-free,
//! because their outcome is hard to predict.

use std::ops::Range;

use wide::{f32x4, i32x4};

use super::super::culling::{VisibleChunk, VisibleCrowd};
use super::super::view::CHUNK_SIZE;

/// Extra pixels around a band, for agents just outside the band and for the pixels that those
/// agents spread into.
pub(super) const MARGIN: usize = 2;
/// Agents up to this many pixels outside a band light its pixels.
const REACH: f32 = 1.0;
const OUTSIDE: i32x4 = i32x4::new([-1; 4]);

pub(super) struct Band {
    pub(super) columns: usize,
    pub(super) rows: Range<usize>,
}

/// Displacements of agents since the previous picture, in world units along x and y.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub(super) displacements: &'a [Vec<f32>; 2],
    pub(super) points: usize,
    /// Longest displacement, in pixels.
    pub(super) longest: f32,
}

impl Band {
    pub(super) fn stride(&self) -> usize {
        self.columns + 2 * MARGIN
    }

    pub(super) fn len(&self) -> usize {
        self.stride() * (self.rows.len() + 2 * MARGIN)
    }

    /// Visits the agents inside the band in crowd order, each moved back by the share `lag`
    /// of its displacement, from 0 to 1. `each` gets the agent's chunk and index in the chunk,
    /// its pixel, and its position within the pixel: right and down, from 0 to 1.
    #[inline(always)]
    pub(super) fn visit(
        &self,
        seen: &VisibleCrowd<'_>,
        motion: Option<Motion<'_>>,
        lag: f32,
        mut each: impl FnMut(&VisibleChunk, usize, usize, [f32; 2]),
    ) {
        let VisibleCrowd { view, camera, chunks } = seen;
        let margin = MARGIN as f32;
        let rows = self.rows.start as f32..self.rows.end as f32;
        let end = [self.columns as f32, rows.end - rows.start];
        let end = end.map(|pixels| pixels + 2.0 * margin - REACH);
        let mut pixels = [-1; CHUNK_SIZE];
        let mut within = [[0.0; CHUNK_SIZE]; 2];
        let reach = REACH + motion.map_or(0.0, |motion| motion.longest);
        for chunk in chunks.iter().filter(|chunk| chunk.overlaps_rows(&rows, reach)) {
            let [left, top] = camera.to_screen(chunk.image).map(|at| at + margin);
            let (x, y) = (&view.x[chunk.slots.clone()], &view.y[chunk.slots.clone()]);
            for first in (0..x.len()).step_by(4) {
                let [mut x, mut y] = [four(x, first), four(y, first)];
                if let Some(Motion { displacements: [right, up], .. }) = motion {
                    x -= four(&right[chunk.slots.clone()], first) * lag;
                    y -= four(&up[chunk.slots.clone()], first) * lag;
                }
                let (x, y) = (left + x * camera.zoom, top - rows.start - y * camera.zoom);
                // False for NaN, so agents without a finite position are not drawn.
                let inside = x.simd_ge(f32x4::splat(REACH))
                    & x.simd_lt(f32x4::splat(end[0]))
                    & y.simd_ge(f32x4::splat(REACH))
                    & y.simd_lt(f32x4::splat(end[1]));
                let [column, row] = [x, y].map(
                    #[inline(always)]
                    |along| f32x4::from_i32x4(along.fast_trunc_int()),
                );
                // Exact: `f32` represents every integer up to the number of pixels in a band.
                let pixel = (row * self.stride() as f32 + column).fast_trunc_int();
                let inside: i32x4 = bytemuck::must_cast(inside);
                let pixel = (pixel & inside) | (OUTSIDE & !inside);
                pixels[first..][..4].copy_from_slice(pixel.as_array());
                within[0][first..][..4].copy_from_slice((x - column).as_array());
                within[1][first..][..4].copy_from_slice((y - row).as_array());
            }
            for (k, &pixel) in pixels[..x.len()].iter().enumerate() {
                if let Ok(pixel) = usize::try_from(pixel) {
                    each(chunk, k, pixel, [within[0][k], within[1][k]]);
                }
            }
        }
    }
}

/// Loads four values starting at index `first`, padded with NaN at the end.
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
    fn agents_are_found_in_their_pixels_and_others_are_outside() {
        let x = [1.0, 9.0, 37.0, -5.0, f32::NAN, 1.0, f32::INFINITY];
        let y = [2.0, 17.9, 2.0, 2.0, 5.0, f32::NAN, 1.0e30];
        let slots = 0..x.len();
        let chunk = Chunk { slots: slots.clone(), low: [-10.0; 2], high: [50.0; 2] };
        let (x, y, chunks) = (x.to_vec(), y.to_vec(), vec![chunk]);
        let view = View { world: [40.0, 20.0], x, y, chunks, ..View::default() };
        let camera = Camera::new([20.0, 10.0], 1.0, [40.0, 20.0]);
        let seen = VisibleCrowd::new(&view, &camera, &[[0.0; 2]], 4.0);
        let found = |rows: Range<usize>| {
            let band = Band { columns: 40, rows };
            let mut found = Vec::new();
            band.visit(&seen, None, 0.0, |chunk, k, pixel, [right, down]| {
                assert_eq!(chunk.slots, slots);
                assert!((0.0..1.0).contains(&right) && (0.0..1.0).contains(&down));
                found.push((k, [pixel % 44, pixel / 44]));
            });
            found
        };
        assert_eq!(found(0..20), [(0, [3, 20]), (1, [11, 4]), (2, [39, 20])]);
        assert_eq!(found(10..20), [(0, [3, 10]), (2, [39, 10])]);
        assert_eq!(found(3..10), [(1, [11, 1])], "just outside");
    }
}
