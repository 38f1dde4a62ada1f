//! Draws agents as points of light, for crowds seen from afar.
//!
//! Each agent spreads its weight smoothly over 3x3 pixels, so agents glide between
//! pixels instead of jumping. In a dense picture, an agent lights only its own pixel.
//! All weights are summed before any pixel is shown (`tone.rs`).
//! A pixel then blends the mean color of its light over the background.
//!
//! The picture is split into bands of rows, one thread per band. Within a band, agents are added
//! in crowd order, so the picture does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::f32x4;

use super::super::coloring::AgentColors;
use super::super::culling::VisibleCrowd;
use super::binning::{Band, MARGIN, Motion};
use super::tone::Tone;
use crate::raster::canvas::{Canvas, mix};

/// Rows per band: few enough that a band's sums stay in a core's cache, many enough that the cost
/// of its margin does not matter.
const BAND: usize = 24;
/// At this many agents per pixel or more, each agent lights only its own pixel.
const DENSE: f32 = 0.5;

/// Per-pixel sums of weighted red, green and blue, and of the weight.
#[derive(Default)]
pub(crate) struct Light(pub(super) Vec<f32x4>);

/// Decay of the previous light: the share that is kept, and the weight below which light
/// is dropped.
#[derive(Clone, Copy, Default)]
pub(super) struct Fade {
    pub(super) kept: f32,
    pub(super) faint: f32,
}

impl Light {
    pub(crate) fn draw_points(
        &mut self,
        seen: &VisibleCrowd<'_>,
        colors: &AgentColors,
        lights: &[f32],
        opacity: f32,
        canvas: &mut Canvas<'_>,
    ) {
        let light = |slot: usize| lights[seen.view.kind(slot)];
        self.gather(seen, colors, light, Fade::default(), None, canvas);
        self.show(Tone::of(&self.0, opacity), canvas);
    }

    pub(super) fn show(&self, tone: Tone, canvas: &mut Canvas<'_>) {
        let rows = canvas.pixels.par_chunks_mut(canvas.width).zip(self.0.par_chunks(canvas.width));
        rows.with_min_len(BAND).for_each(|(pixels, light)| {
            accelerated(
                #[inline(always)]
                || {
                    mix(
                        pixels,
                        light,
                        #[inline(always)]
                        |below, sums| tone.lit(below, sums),
                    );
                },
            );
        });
    }

    /// Adds each agent's light to the pixels at its position or, with `motion`, at several points
    /// along its displacement.
    pub(super) fn gather(
        &mut self,
        seen: &VisibleCrowd<'_>,
        colors: &AgentColors,
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
                        band.visit(
                            seen,
                            motion,
                            lag,
                            #[inline(always)]
                            |chunk, k, pixel, within| {
                                let light = colors.of(chunk)[k] * light(chunk.slots.start + k);
                                if dense {
                                    sums[pixel] += light;
                                } else {
                                    splat(light, within, &mut sums[pixel - stride - 1..], stride);
                                }
                            },
                        );
                    },
                );
            }
            for (row, light) in strip.chunks_mut(width).enumerate() {
                let added = &sums[(row + MARGIN) * stride + MARGIN..][..width];
                for (light, added) in light.iter_mut().zip(added) {
                    let kept = if light.as_array()[3] > fade.faint { fade.kept } else { 0.0 };
                    *light = *light * kept + *added;
                }
            }
        });
    }
}

/// Adds light around a point; `within` is its position in its pixel.
/// `sums` begins at the pixel's upper left neighbor.
#[inline(always)]
fn splat(light: f32x4, within: [f32; 2], sums: &mut [f32x4], stride: usize) {
    let [across, down] = within.map(spread);
    for (row, down) in down.into_iter().enumerate() {
        for (sum, across) in sums[row * stride..][..3].iter_mut().zip(across) {
            *sum += light * (across * down);
        }
    }
}

/// Spreads a point over its own pixel, the previous and the next: a quadratic B-spline,
/// whose weights sum to 1. `at` is the position within the pixel, from 0 to 1.
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
