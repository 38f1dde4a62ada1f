//! Agents drawn as points of light, for crowds seen from afar.
//!
//! Each agent spreads its weight smoothly over 3x3 pixels, so it glides between pixels instead of
//! jumping. A pixel then shows the weighted mean of what was there, with a weight of 1, and of the
//! colors that fell on it.
//!
//! The picture is split into bands of rows, one thread per band. Within a band, agents are added in
//! the crowd's order, so the picture does not depend on the number of threads.

use std::ops::Range;

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::{f32x4, i16x8, i32x4, i32x8, u8x16};

use super::super::camera::Camera;
use super::super::coloring::AgentColors;
use super::super::culling::VisibleChunk;
use super::super::view::View;
use super::places::{Places, Squares};
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Pixel, REPETITION, WeightedColor};

/// Rows of pixels per band: few enough for a band's sums to stay in a core's cache, many enough for
/// its margin not to matter.
const BAND: usize = 24;
/// Pixels around a band: those that agents just outside it light, and those that agents there
/// spread into.
const MARGIN: usize = 2;
/// How far from a point's center it lights pixels, in pixels.
pub(crate) const EXTENT: f32 = 1.0;

/// Draws agents with the light of each species' points.
pub(crate) fn draw(
    view: &View,
    camera: &Camera,
    visible: &[VisibleChunk],
    colors: &AgentColors,
    lights: &[f32],
    canvas: &mut Canvas<'_>,
) {
    let width = canvas.width;
    let [left, top] = camera.to_screen([0.0, view.world[1]]);
    let [right, bottom] = camera.to_screen([view.world[0], 0.0]);
    let whole = |from: f32, to: f32| from.floor() as usize..to.ceil() as usize;
    let (columns, rows) = (whole(left, right), whole(top, bottom));

    let bands = canvas.pixels.par_chunks_mut(width * BAND).enumerate();
    bands.for_each_init(Band::default, |band, (k, pixels)| {
        accelerated(
            #[inline(always)]
            || {
                band.start(k * BAND, width, pixels.len() / width);
                let rows_here = band.picture_rows();
                let mut places = Places::new();
                for chunk in visible.iter().filter(|chunk| chunk.overlaps_rows(&rows_here, EXTENT))
                {
                    band.add(view, camera, chunk, colors.of(chunk), lights, &mut places);
                }
                for (row, pixels) in pixels.chunks_mut(width).enumerate() {
                    let in_row = rows.contains(&(band.first_row + row));
                    let itself = if in_row { columns.clone() } else { 0..0 };
                    let (start, end) = (itself.start.min(width), itself.end.min(width));
                    let sums = band.row(row);
                    light(&mut pixels[..start], &sums[..start], REPETITION);
                    light(&mut pixels[start..end], &sums[start..end], 1.0);
                    light(&mut pixels[end..], &sums[end..], REPETITION);
                }
            },
        );
    });
}

/// Lights pixels with what fell on them.
#[inline(always)]
fn light(pixels: &mut [Pixel], sums: &[f32x4], share: f32) {
    let (fours, rest) = pixels.as_chunks_mut::<4>();
    let (sums_of_fours, sums_of_rest) = sums.as_chunks::<4>();
    for (pixels, sums) in fours.iter_mut().zip(sums_of_fours) {
        *pixels = lit(*pixels, sums, share);
    }
    let (mut last, mut sums) = ([[0; 4]; 4], [f32x4::ZERO; 4]);
    last[..rest.len()].copy_from_slice(rest);
    sums[..rest.len()].copy_from_slice(sums_of_rest);
    rest.copy_from_slice(&lit(last, &sums, share)[..rest.len()]);
}

/// Four pixels with the light that fell on them: each the weighted mean of both, shown with an
/// opacity of `share`.
#[inline(always)]
fn lit(under: [Pixel; 4], sums: &[f32x4; 4], share: f32) -> [Pixel; 4] {
    // Agents' light has no alpha: that of the pixel shrinks by what they cover.
    const COLORS: f32x4 = f32x4::new([1.0, 1.0, 1.0, 0.0]);
    let weights = sums.map(|sum| sum.as_array()[3]);
    let opacities = share / (1.0 + f32x4::new(weights));
    let mixed: [i32x4; 4] = std::array::from_fn(
        #[inline(always)]
        |k| {
            let below = f32x4::from_i32x4(i32x4::new(under[k].map(i32::from)));
            let light = sums[k] * COLORS - below * weights[k];
            (below + light * opacities.as_array()[k]).fast_round_int()
        },
    );
    // Clipped to the range of a channel.
    let [low, high]: [i32x8; 2] = bytemuck::must_cast(mixed);
    let [low, high] = [low, high].map(i16x8::from_i32x8_saturate);
    bytemuck::must_cast(u8x16::narrow_i16x8(low, high))
}

/// The sums of a band of rows.
#[derive(Default)]
struct Band {
    /// What fell on each pixel: weighted red, green and blue, and the weight. A margin of
    /// [`MARGIN`] pixels all around is not shown.
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

    /// The rows of the picture.
    fn picture_rows(&self) -> Range<f32> {
        self.first_row as f32..(self.first_row + self.rows) as f32
    }

    /// Adds the agents of a chunk that fall on the band, each with its species' light.
    #[inline(always)]
    fn add(
        &mut self,
        view: &View,
        camera: &Camera,
        chunk: &VisibleChunk,
        colors: &[WeightedColor],
        lights: &[f32],
        places: &mut Places,
    ) {
        // Pixels from the margin's corner. An agent in the inner half of the margin may light the
        // band, and its light stays within the margin.
        let [left, top] = camera.to_screen(chunk.image);
        let stride = self.stride();
        let squares = Squares {
            origin: [left + MARGIN as f32, top + MARGIN as f32 - self.first_row as f32],
            scale: camera.zoom,
            first: 1.0,
            end: [self.width, self.rows].map(|length| (length + MARGIN + 1) as f32),
            stride,
        };
        let slots = chunk.slots.clone();
        places.find(&view.x[slots.clone()], &view.y[slots.clone()], &squares);
        for (k, square) in places.squares(slots.len()).enumerate() {
            let Some(square) = square else { continue };
            let light = colors[k] * lights[view.kind(slots.start + k)];
            let [across, down] = places.within(k).map(spread);
            let corner = square - stride - 1;
            for (row, down) in down.into_iter().enumerate() {
                let sums = &mut self.sums[corner + row * stride..][..3];
                for (sum, across) in sums.iter_mut().zip(across) {
                    *sum += light * (across * down);
                }
            }
        }
    }
}

/// How a point at `at` within its pixel, from 0 to 1, is spread over the previous pixel, its own
/// and the next: a quadratic B-spline, whose weights always sum to 1.
#[inline(always)]
fn spread(at: f32) -> [f32; 3] {
    let (before, after) = (1.0 - at, at);
    [before * before / 2.0, 0.5 + before * after, after * after / 2.0]
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn spread_weights_sum_to_one() {
        for at in [0.0, 0.1, 0.5, 0.99, 1.0] {
            let [before, own, after] = spread(at);
            assert!((before + own + after - 1.0_f32).abs() < 1.0e-6);
            assert!(own >= before && own >= after);
        }
    }
}
