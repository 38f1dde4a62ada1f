//! Agents drawn as triangles that point where they head.
//!
//! The picture is cut into bands of rows, one thread to a band; within a band marks are
//! drawn in the crowd's order, so the picture does not depend on the number of threads. A mark
//! that reaches into several bands is made in each: that is less than what it takes to fill it.

use rayon::prelude::*;

use super::camera::Camera;
use super::coloring::Colors;
use super::culling::Visible;
use super::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Color, Pixel, blend};

/// Bounding radius in pixels below which the head of a mark cannot be told from its tail; no
/// mark is smaller.
pub(crate) const SMALLEST: f32 = 2.0;
/// How far a mark and its soft edge reach from its center, in bounding radii.
const REACH: f32 = 2.0;
/// Rows of pixels per band.
const BAND: usize = 32;

/// How far the marks of a species reach from their centers, in pixels.
pub(crate) fn reach(radius: f32, camera: &Camera) -> f32 {
    REACH * (radius * camera.zoom).max(SMALLEST)
}

/// Draws the agents of some species.
pub(crate) fn draw(
    view: &View,
    camera: &Camera,
    visible: &[Visible],
    colors: &Colors,
    drawn: &[bool],
    canvas: &mut Canvas<'_>,
) {
    let width = canvas.width;
    let reaches: Vec<f32> = view.radii.iter().map(|&radius| reach(radius, camera)).collect();
    let largest = reaches.iter().copied().fold(0.0, f32::max);
    canvas.pixels.par_chunks_mut(width * BAND).enumerate().for_each(|(band, pixels)| {
        let first = band * BAND;
        let rows = first as f32..(first + pixels.len() / width) as f32;
        for part in visible.iter().filter(|part| part.reaches(&rows, largest)) {
            for (slot, color) in part.slots.clone().zip(colors.of(part)) {
                let kind = view.kind(slot);
                if !drawn[kind] {
                    continue;
                }
                let [x, y] = part.place(camera, [view.x[slot], view.y[slot]]);
                let reach = reaches[kind];
                // False for NaN as well.
                let inside = x >= -reach
                    && x <= width as f32 + reach
                    && y >= rows.start - reach
                    && y <= rows.end + reach;
                if inside {
                    let size = reach / REACH;
                    let mark = Mark::new([x, y], size, [view.hx[slot], view.hy[slot]]);
                    let [red, green, blue, _] = color.to_array();
                    mark.fill([red, green, blue], part.opacity(), rows.start, width, pixels);
                }
            }
        }
    });
}

/// A triangle on the screen.
struct Mark {
    corners: [[f32; 2]; 3],
    /// From each corner to the next, of length 1.
    ways: [[f32; 2]; 3],
}

impl Mark {
    fn new([x, y]: [f32; 2], size: f32, [hx, hy]: [f32; 2]) -> Self {
        // Forward and sideways on the screen, where y points down.
        let (forward, side) = ([hx * size, -hy * size], [hy * size, hx * size]);
        let corner =
            |f: f32, s: f32| [x + f * forward[0] + s * side[0], y + f * forward[1] + s * side[1]];
        let corners = [corner(1.7, 0.0), corner(-1.1, 0.85), corner(-1.1, -0.85)];
        let ways = [0, 1, 2].map(|k: usize| {
            let ([ax, ay], [bx, by]) = (corners[k], corners[(k + 1) % 3]);
            let (dx, dy) = (bx - ax, by - ay);
            let length = (dx * dx + dy * dy).sqrt().max(1.0e-6);
            [dx / length, dy / length]
        });
        Self { corners, ways }
    }

    /// Fills it with soft edges, as much as `opacity` says; `pixels` are the rows from
    /// `first_row` on.
    fn fill(&self, color: Color, opacity: f32, first_row: f32, width: usize, pixels: &mut [Pixel]) {
        // From the pixel before the first that it can cover; casting saturates, so that they are
        // clipped at zero, and NaN gives none.
        let range = |axis: usize, first: f32, end: usize| {
            let along = self.corners.map(|corner| corner[axis] - first);
            let low = along.into_iter().fold(f32::MAX, f32::min) - 1.0;
            let high = along.into_iter().fold(f32::MIN, f32::max) + 1.0;
            low as usize..((high + 1.0) as usize).min(end)
        };
        let (columns, rows) = (range(0, 0.0, width), range(1, first_row, pixels.len() / width));
        for row in rows {
            for column in columns.clone() {
                let share = self.coverage([column as f32 + 0.5, row as f32 + first_row + 0.5]);
                if share > 0.0 {
                    let pixel = &mut pixels[row * width + column];
                    *pixel = blend(*pixel, color, share * opacity);
                }
            }
        }
    }

    /// How much of the pixel at `at` it covers, from its distance to the nearest edge.
    fn coverage(&self, at: [f32; 2]) -> f32 {
        let distance = |k: usize| {
            let ([x, y], [dx, dy]) = (self.corners[k], self.ways[k]);
            (at[1] - y) * dx - (at[0] - x) * dy
        };
        let inside = (0..3).map(distance).fold(f32::MAX, f32::min);
        (inside + 0.5).clamp(0.0, 1.0)
    }
}
