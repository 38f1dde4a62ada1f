//! Agents drawn as points of light, for crowds seen from afar.
//!
//! Each agent spreads its weight softly over 3x3 pixels, so that it glides between pixels
//! instead of jumping; a pixel then shows the mean of what was there, with a weight of 1, and
//! of the colors that fell on it.
//!
//! The picture is cut into bands of rows, one thread to a band; within a band agents are
//! added in the crowd's order, so the picture does not depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;
use wide::f32x4;

use super::camera::Camera;
use super::coloring::Colors;
use super::culling::Visible;
use super::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Pixel, REPETITION};

/// Rows of pixels per band: few enough for the sums of a band to stay in a core's cache, and
/// many enough for its margin not to matter.
const BAND: usize = 24;
/// Pixels around a band: those that agents beside it spread into, and those that agents
/// there spread into.
const MARGIN: usize = 2;
/// The most weight of an agent that is smaller than a pixel.
const MOST_FOR_SMALL: f32 = 2.2;
/// The mean weight of a pixel in a crowd of several agents per pixel.
const MEAN_WEIGHT: f32 = 1.2;
/// Area of a mark in squared radii.
const MARK_AREA: f32 = 2.4;

/// How far the pixels that a point lights are from its center, in pixels.
pub(crate) const REACH: f32 = 1.0;

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
    let weight = |(&radius, &drawn)| if drawn { weight(view, camera, radius) } else { 0.0 };
    let weights: Vec<f32> = view.radii.iter().zip(drawn).map(weight).collect();
    let [left, top] = camera.to_screen([0.0, view.world[1]]);
    let [right, bottom] = camera.to_screen([view.world[0], 0.0]);
    let (columns, rows) = (left.floor()..right, top.floor()..bottom);

    let bands = canvas.pixels.par_chunks_mut(width * BAND).enumerate();
    bands.for_each_init(Band::default, |band, (k, pixels)| {
        band.start(k * BAND, width, pixels.len() / width);
        let rows_here = band.picture_rows();
        for part in visible.iter().filter(|part| part.reaches(&rows_here, REACH)) {
            band.add(view, camera, part, colors.of(part), &weights);
        }
        for (row, pixels) in pixels.chunks_mut(width).enumerate() {
            let in_rows = rows.contains(&((band.first_row + row) as f32));
            for (column, (pixel, sum)) in pixels.iter_mut().zip(band.row(row)).enumerate() {
                let itself = in_rows && columns.contains(&(column as f32));
                *pixel = lit(*pixel, *sum, if itself { 1.0 } else { REPETITION });
            }
        }
    });
}

/// A pixel with what fell on it: the mean of both, of which `share` is seen.
fn lit(under: Pixel, sum: f32x4, share: f32) -> Pixel {
    let weight = sum.as_array()[3];
    let under = f32x4::new(under.map(f32::from));
    let mixed = under + (sum - under * weight) * (share / (1.0 + weight));
    // Clipped as lanes: casts that saturate are made one channel at a time.
    let channels = mixed.max(f32x4::ZERO).min(f32x4::splat(255.0)).fast_round_int();
    let [red, green, blue, _] = channels.to_array().map(|channel| channel as u8);
    [red, green, blue, 255]
}

/// How much light an agent of a radius in world units gives: as much as the mark that it will be
/// when it is nearer, enough to be seen alone, and less where several share a pixel, to leave
/// dense and sparse places different.
fn weight(view: &View, camera: &Camera, radius: f32) -> f32 {
    let radius = radius * camera.zoom;
    let pixels = view.world[0] * view.world[1] * camera.zoom * camera.zoom;
    let agents_per_pixel = view.x.len() as f32 / pixels;
    (MEAN_WEIGHT / agents_per_pixel).min(MOST_FOR_SMALL).max(MARK_AREA * radius * radius)
}

/// The sums of a band of rows.
#[derive(Default)]
struct Band {
    /// What fell on each pixel: weighted red, green, blue, and the weight; with a margin of
    /// [`MARGIN`] pixels all around that is not shown.
    sums: Vec<f32x4>,
    first_row: usize,
    width: usize,
    rows: usize,
}

impl Band {
    fn start(&mut self, first_row: usize, width: usize, rows: usize) {
        (self.first_row, self.width, self.rows) = (first_row, width, rows);
        self.sums.clear();
        self.sums.resize(self.stride() * (rows + 2 * MARGIN), f32x4::ZERO);
    }

    fn stride(&self) -> usize {
        self.width + 2 * MARGIN
    }

    fn row(&self, row: usize) -> &[f32x4] {
        &self.sums[(row + MARGIN) * self.stride() + MARGIN..][..self.width]
    }

    /// The picture's rows.
    fn picture_rows(&self) -> Range<f32> {
        self.first_row as f32..(self.first_row + self.rows) as f32
    }

    /// Adds the agents of a part that fall on the band, each with the weight of its species.
    fn add(
        &mut self,
        view: &View,
        camera: &Camera,
        part: &Visible,
        colors: &[f32x4],
        weights: &[f32],
    ) {
        let stride = self.stride();
        // Pixels from the margin's corner. An agent in the margin's inner half may reach into
        // the band, and what it spreads stays within the margin.
        let [left, top] = camera.to_screen(part.image);
        let (left, top) = (left + MARGIN as f32, top + MARGIN as f32 - self.first_row as f32);
        let end = [self.width, self.rows].map(|length| (length + MARGIN + 1) as f32);
        for (slot, color) in part.slots.clone().zip(colors) {
            let (x, y) = (left + view.x[slot] * camera.zoom, top - view.y[slot] * camera.zoom);
            // False for NaN as well.
            if !(x >= 1.0 && x < end[0] && y >= 1.0 && y < end[1]) {
                continue;
            }
            let light = *color * weights[view.kind(slot)];
            let (across, down) = (spread(x.fract()), spread(y.fract()));
            let corner = (y as usize - 1) * stride + x as usize - 1;
            for (row, down) in down.into_iter().enumerate() {
                let sums = &mut self.sums[corner + row * stride..][..3];
                for (sum, across) in sums.iter_mut().zip(across) {
                    *sum += light * (across * down);
                }
            }
        }
    }
}

/// How a point at `at` in its pixel, from 0 to 1, is spread over the pixel before, its own
/// and the one after: a quadratic B-spline, whose sum is 1 wherever the point is.
fn spread(at: f32) -> [f32; 3] {
    let (before, after) = (1.0 - at, at);
    [before * before / 2.0, 0.5 + before * after, after * after / 2.0]
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn spreading_loses_nothing() {
        for at in [0.0, 0.1, 0.5, 0.99, 1.0] {
            let [before, own, after] = spread(at);
            assert!((before + own + after - 1.0_f32).abs() < 1.0e-6);
            assert!(own >= before && own >= after);
        }
    }
}
