//! Draws agents as points of light, for crowds seen from a distance.
//!
//! Each agent spreads its weight smoothly over 3x3 pixels, so agents glide between
//! pixels instead of jumping. In a dense picture, an agent lights only its own pixel.
//! All weights are summed before any pixel is shown (`tone.rs`).
//! A pixel then blends the mean color of its light over the background.
//!
//! The picture is split into bands of rows, one thread per band. Within a band, agents are added
//! in crowd order, so the picture does not depend on the number of threads.

use std::ops::Range;

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::{f32x4, i16x8, i32x4, i32x8, u8x16};

use super::super::culling::VisibleCrowd;
use super::super::view::CHUNK_SIZE;
use super::tone::Tone;
use crate::raster::{Canvas, Pixel};

/// Rows per band: few enough that a band's sums stay in a core's cache, many enough that the cost
/// of its margin does not matter.
const BAND: usize = 24;
/// At this many agents per pixel or more, each agent lights only its own pixel.
const DENSE: f32 = 0.5;

/// Per pixel: weighted sums of red, green and blue, then the total weight.
#[derive(Default)]
pub(crate) struct Light(pub(super) Vec<f32x4>);

/// How the previous picture's light decays: the fraction kept, and the weight at or below which
/// light is dropped.
#[derive(Clone, Copy, Default)]
pub(super) struct Fade {
    pub(super) kept: f32,
    pub(super) faint: f32,
}

impl Light {
    pub(crate) fn draw_points(
        &mut self,
        seen: &VisibleCrowd<'_>,
        lights: &[f32],
        opacity: f32,
        canvas: &mut Canvas<'_>,
    ) {
        // With one species, no agent's species needs to be read.
        let shared = (lights.len() == 1).then(|| lights[0]);
        let light = |slot: usize| {
            shared.unwrap_or_else(|| lights[seen.view.kind(slot)]) * seen.view.light(slot)
        };
        self.gather(seen, light, Fade::default(), None, canvas);
        self.show(Tone::of(&self.0, opacity), canvas);
    }

    pub(super) fn show(&self, tone: Tone, canvas: &mut Canvas<'_>) {
        let rows = canvas.pixels.par_chunks_mut(canvas.width).zip(self.0.par_chunks(canvas.width));
        rows.with_min_len(BAND).for_each(|(pixels, light)| {
            accelerated(
                #[inline(always)]
                || mix(pixels, light, &tone),
            );
        });
    }

    /// Adds each agent's light to the pixels at its position or, with `motion`, at several points
    /// along its displacement.
    pub(super) fn gather(
        &mut self,
        seen: &VisibleCrowd<'_>,
        light: impl Fn(usize) -> f32 + Sync,
        fade: Fade,
        motion: Option<Motion<'_>>,
        canvas: &Canvas<'_>,
    ) {
        let (width, pixels) = (canvas.width, canvas.pixels.len());
        let agents: usize = seen.chunks.iter().map(|chunk| chunk.slots.len()).sum();
        let dense = agents as f32 >= DENSE * pixels as f32;
        let points = motion.map_or(1, |motion| motion.points);
        self.0.resize(pixels, f32x4::ZERO);
        let strips = self.0.par_chunks_mut(width * BAND).enumerate();
        strips.for_each_init(Vec::new, |sums, (number, strip)| {
            let rows = number * BAND..number * BAND + strip.len() / width;
            let band = Band { columns: width, rows };
            let stride = band.stride();
            sums.clear();
            sums.resize(band.len(), f32x4::ZERO);
            for point in 0..points {
                let lag = point as f32 / points as f32;
                accelerated(
                    #[inline(always)]
                    || {
                        let mut colors = [f32x4::ZERO; CHUNK_SIZE];
                        band.visit(
                            seen,
                            motion,
                            lag,
                            #[inline(always)]
                            |slots, pixels, [right, down]| {
                                let colors = &mut colors[..slots.len()];
                                seen.view.colors(slots.clone(), colors);
                                let agents = slots.zip(colors).zip(pixels).enumerate();
                                for (k, ((slot, color), &pixel)) in agents {
                                    let Ok(pixel) = usize::try_from(pixel) else { continue };
                                    let light = *color * light(slot);
                                    if dense {
                                        sums[pixel] += light;
                                    } else {
                                        let sums = &mut sums[pixel - stride - 1..];
                                        splat(light, [right[k], down[k]], sums, stride);
                                    }
                                }
                            },
                        );
                    },
                );
            }
            for (row, light) in strip.chunks_mut(width).enumerate() {
                let added = &sums[(row + MARGIN) * stride + MARGIN..][..width];
                if fade.kept == 0.0 {
                    light.copy_from_slice(added);
                    continue;
                }
                for (light, added) in light.iter_mut().zip(added) {
                    let kept = if light.as_array()[3] > fade.faint { fade.kept } else { 0.0 };
                    *light = *light * kept + *added;
                }
            }
        });
    }
}

/// Adds a point's light to 3x3 pixels. `within` is the point's position in its own pixel, from 0
/// to 1. `sums` begins at that pixel's upper left neighbor.
#[inline(always)]
fn splat(light: f32x4, within: [f32; 2], sums: &mut [f32x4], stride: usize) {
    let [across, down] = within.map(spread);
    for (row, down) in down.into_iter().enumerate() {
        for (sum, across) in sums[row * stride..][..3].iter_mut().zip(across) {
            *sum += light * (across * down);
        }
    }
}

/// Returns a point's weights for the previous pixel, its own and the next: a quadratic B-spline,
/// so the weights sum to 1. `at` is the point's position in its own pixel, from 0 to 1.
#[inline(always)]
fn spread(at: f32) -> [f32; 3] {
    let (before, after) = (1.0 - at, at);
    [before * before / 2.0, 0.5 + before * after, after * after / 2.0]
}

/// Padding around a band, in pixels: room for agents up to [`REACH`] outside and their 3x3 light.
pub(super) const MARGIN: usize = 2;
/// Maximum distance in pixels at which an agent outside a band still adds light to it.
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
    /// Largest displacement of any agent since the previous picture, in pixels.
    pub(super) longest: f32,
}

impl Band {
    pub(super) fn stride(&self) -> usize {
        self.columns + 2 * MARGIN
    }

    pub(super) fn len(&self) -> usize {
        self.stride() * (self.rows.len() + 2 * MARGIN)
    }

    /// Visits the chunks that overlap the band in crowd order. Agents are first moved back along
    /// their displacements by the fraction `lag` (0 to 1). `each` receives the chunk's slots and,
    /// per agent, its pixel's index in the band (-1 outside) and its x and y offsets in that pixel
    /// (0 to 1).
    #[inline(always)]
    pub(super) fn visit(
        &self,
        seen: &VisibleCrowd<'_>,
        motion: Option<Motion<'_>>,
        lag: f32,
        mut each: impl FnMut(Range<usize>, &[i32], [&[f32]; 2]),
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
            let [left, top] = chunk.camera.to_screen([0.0; 2]).map(|at| at + margin);
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
            each(
                chunk.slots.clone(),
                &pixels[..x.len()],
                within.each_ref().map(|along| &along[..]),
            );
        }
    }
}

/// Loads four values starting at index `first`, with NaN for any past the end.
#[inline(always)]
fn four(values: &[f32], first: usize) -> f32x4 {
    if let Some(four) = values[first..].first_chunk() {
        return f32x4::new(*four);
    }
    let mut rest = [f32::NAN; 4];
    rest[..values.len() - first].copy_from_slice(&values[first..]);
    f32x4::new(rest)
}

/// Shows the light of a row of pixels, four pixels at a time. `light` may be longer than the row.
#[inline(always)]
fn mix(pixels: &mut [Pixel], light: &[f32x4], tone: &Tone) {
    let light = &light[..pixels.len()];
    let ((fours, rest), (light, light_of_rest)) = (pixels.as_chunks_mut(), light.as_chunks());
    for (pixels, light) in fours.iter_mut().zip(light) {
        if light.iter().all(|light| light.as_array()[3] == 0.0) {
            continue;
        }
        *pixels = clipped(tone.lit(channels(*pixels), *light));
    }
    let (mut last, mut light) = ([[0; 4]; 4], [f32x4::ZERO; 4]);
    last[..rest.len()].copy_from_slice(rest);
    light[..rest.len()].copy_from_slice(light_of_rest);
    rest.copy_from_slice(&clipped(tone.lit(channels(last), light))[..rest.len()]);
}

#[inline(always)]
fn channels(pixels: [Pixel; 4]) -> [f32x4; 4] {
    let pixels: u8x16 = bytemuck::must_cast(pixels);
    let [low, high] = [i16x8::from_u8x16_low(pixels), i16x8::from_u8x16_high(pixels)];
    let channels: [i32x4; 4] =
        bytemuck::must_cast([i32x8::from_i16x8(low), i32x8::from_i16x8(high)]);
    channels.map(f32x4::from_i32x4)
}

/// Rounds channels and clamps them to a pixel's range.
#[inline(always)]
fn clipped(channels: [f32x4; 4]) -> [Pixel; 4] {
    let whole = channels.map(
        #[inline(always)]
        |channels| channels.fast_round_int(),
    );
    let [low, high]: [i32x8; 2] = bytemuck::must_cast(whole);
    let [low, high] = [low, high].map(i16x8::from_i32x8_saturate);
    bytemuck::must_cast(u8x16::narrow_i16x8(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::view::{Chunk, View};

    #[test]
    fn spread_weights_sum_to_one() {
        for at in [0.0, 0.1, 0.5, 0.99, 1.0] {
            let [before, own, after] = spread(at);
            assert!((before + own + after - 1.0_f32).abs() < 1.0e-6);
            assert!(own >= before && own >= after);
        }
    }

    #[test]
    fn agents_are_found_in_their_pixels_and_others_are_outside() {
        let x = [1.0, 9.0, 37.0, -5.0, f32::NAN, 1.0, f32::INFINITY];
        let y = [2.0, 17.9, 2.0, 2.0, 5.0, f32::NAN, 1.0e30];
        let slots = 0..x.len();
        let chunk = Chunk { slots: slots.clone(), low: [-10.0; 2], high: [50.0; 2] };
        let (x, y, chunks) = (x.to_vec(), y.to_vec(), vec![chunk]);
        let view = View { world: [40.0, 20.0], x, y, chunks, ..View::default() };
        let camera = Camera::new([20.0, 10.0], 1.0, [40.0, 20.0]);
        let seen = VisibleCrowd::new(&view, &camera, &[camera], 4.0);
        let found = |rows: Range<usize>| {
            let band = Band { columns: 40, rows };
            let mut found = Vec::new();
            band.visit(&seen, None, 0.0, |chunk, pixels, within| {
                assert_eq!(chunk, slots);
                for (k, &pixel) in pixels.iter().enumerate().filter(|(_, pixel)| **pixel >= 0) {
                    assert!(within.iter().all(|along| (0.0..1.0).contains(&along[k])));
                    found.push((k, [pixel % 44, pixel / 44]));
                }
            });
            found
        };
        assert_eq!(found(0..20), [(0, [3, 20]), (1, [11, 4]), (2, [39, 20])]);
        assert_eq!(found(10..20), [(0, [3, 10]), (2, [39, 10])]);
        assert_eq!(found(3..10), [(1, [11, 1])], "just outside");
    }
}
