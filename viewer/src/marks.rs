//! Agents drawn as triangles that point where they head.
//!
//! The picture is cut into bands of rows, one thread to a band; within a band marks are
//! drawn in the crowd's order, so the picture does not depend on the number of threads.

use rayon::prelude::*;
use wide::f32x4;

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::palette::{Color, Pixel, REPETITION, blend};
use crate::view::{Part, View};

/// A triangle on the screen.
struct Mark {
    corners: [[f32; 2]; 3],
    color: Color,
    /// How much of what it covers it hides.
    opacity: f32,
    top: f32,
    bottom: f32,
}

/// Bounding radius in pixels below which the head of a mark cannot be told from its tail; no
/// mark is smaller.
pub(crate) const SMALLEST: f32 = 2.0;
/// Rows of pixels per band.
const BAND: usize = 32;

pub(crate) fn draw(
    view: &View,
    camera: &Camera,
    images: &[[f32; 2]],
    colors: &[f32x4],
    canvas: &mut Canvas<'_>,
) {
    let marks: Vec<Mark> = images
        .iter()
        .flat_map(|image| view.parts.iter().map(move |part| (image, part)))
        .flat_map(|(image, part)| visible(view, part, camera, *image, colors))
        .collect();
    let width = canvas.width;
    canvas.pixels.par_chunks_mut(width * BAND).enumerate().for_each(|(band, pixels)| {
        let top = (band * BAND) as f32;
        let bottom = top + (pixels.len() / width) as f32;
        for mark in marks.iter().filter(|mark| mark.bottom >= top && mark.top < bottom) {
            fill(mark, top, width, pixels);
        }
    });
}

/// The marks of the agents of a part that are in the picture, with the world's origin at
/// `image`.
fn visible(
    view: &View,
    part: &Part,
    camera: &Camera,
    image: [f32; 2],
    colors: &[f32x4],
) -> impl Iterator<Item = Mark> {
    let opacity = if image == [0.0, 0.0] { 1.0 } else { REPETITION };
    let largest = view.radii.iter().copied().fold(0.0, f32::max) * camera.zoom;
    let reach = 2.0 * largest.max(SMALLEST);
    let place = move |x: f32, y: f32| camera.to_screen([x + image[0], y + image[1]]);
    let [west, south] = place(part.low[0], part.low[1]);
    let [east, north] = place(part.high[0], part.high[1]);
    let size = camera.size;
    // False for NaN as well.
    let inside = move |left: f32, right: f32, top: f32, bottom: f32| {
        right >= -reach && left <= size[0] + reach && bottom >= -reach && top <= size[1] + reach
    };
    let slots = if inside(west, east, north, south) { part.slots.clone() } else { 0..0 };
    slots.filter_map(move |slot| {
        let [x, y] = place(view.x[slot], view.y[slot]);
        if !inside(x, x, y, y) {
            return None;
        }
        let size = (view.radii[view.kind(slot)] * camera.zoom).max(SMALLEST);
        let (hx, hy) = (view.hx[slot], view.hy[slot]);
        // Forward and sideways on the screen, where y points down.
        let (forward, side) = ([hx * size, -hy * size], [hy * size, hx * size]);
        let corner =
            |f: f32, s: f32| [x + f * forward[0] + s * side[0], y + f * forward[1] + s * side[1]];
        let corners = [corner(1.7, 0.0), corner(-1.1, 0.85), corner(-1.1, -0.85)];
        let top = corners.iter().map(|corner| corner[1]).fold(f32::MAX, f32::min) - 1.0;
        let bottom = corners.iter().map(|corner| corner[1]).fold(f32::MIN, f32::max) + 1.0;
        let [red, green, blue, _] = colors[slot].to_array();
        Some(Mark { corners, color: [red, green, blue], opacity, top, bottom })
    })
}

/// Fills a triangle with soft edges; `pixels` are the rows from `first_row` on.
fn fill(mark: &Mark, first_row: f32, width: usize, pixels: &mut [Pixel]) {
    let rows = pixels.len() / width;
    let xs = mark.corners.map(|corner| corner[0]);
    let left = xs.into_iter().fold(f32::MAX, f32::min) - 1.0;
    let right = xs.into_iter().fold(f32::MIN, f32::max) + 1.0;
    // Casting saturates, so the ranges are clipped at zero and NaN gives none.
    let columns = left as usize..((right + 1.0) as usize).min(width);
    let from = (mark.top - first_row) as usize;
    let to = ((mark.bottom - first_row + 1.0) as usize).min(rows);
    for row in from..to {
        for column in columns.clone() {
            let at = [column as f32 + 0.5, row as f32 + first_row + 0.5];
            let share = coverage(&mark.corners, at);
            if share > 0.0 {
                let pixel = &mut pixels[row * width + column];
                *pixel = blend(*pixel, mark.color, share * mark.opacity);
            }
        }
    }
}

/// How much of the pixel at `at` a triangle covers, from its distance to the nearest edge.
fn coverage(corners: &[[f32; 2]; 3], at: [f32; 2]) -> f32 {
    let distance = |k: usize| {
        let ([ax, ay], [bx, by]) = (corners[k], corners[(k + 1) % 3]);
        let (dx, dy) = (bx - ax, by - ay);
        ((at[1] - ay) * dx - (at[0] - ax) * dy) / dx.hypot(dy).max(1.0e-6)
    };
    let inside = (0..3).map(distance).fold(f32::MAX, f32::min);
    (inside + 0.5).clamp(0.0, 1.0)
}
