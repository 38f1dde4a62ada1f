//! Agents drawn as points of light, for crowds seen from afar.
//!
//! Each agent spreads its weight smoothly over 3x3 pixels, so it glides between pixels instead of
//! jumping; where agents are denser than pixels, over its own pixel only. The weights of all pixels are
//! known before any is shown (`tone.rs`). A pixel then shows a share of the mean color that fell on it.
//!
//! The picture is split into bands of rows, one thread per band. Within a band, agents are added in
//! the crowd's order, so the picture does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::f32x4;

use super::super::coloring::AgentColors;
use super::super::culling::Seen;
use super::places::{Band, MARGIN};
use super::tone::Tone;
use crate::raster::canvas::{Canvas, mix};

/// Rows of pixels per band: few enough for a band's sums to stay in a core's cache, many enough for
/// its margin not to matter.
const BAND: usize = 24;
/// Agents per pixel from which each lights one pixel only.
const DENSE: f32 = 0.5;

#[derive(Default)]
pub(crate) struct Points {
    /// Weighted red, green and blue of what falls on each pixel, and the weight.
    light: Vec<f32x4>,
}

impl Points {
    /// Draws agents with the light of each species' points, and an opacity. Returns the share of the
    /// picture that they cover.
    pub(crate) fn draw(
        &mut self,
        seen: &Seen<'_>,
        colors: &AgentColors,
        lights: &[f32],
        opacity: f32,
        canvas: &mut Canvas<'_>,
    ) -> f32 {
        let width = canvas.width;
        self.gather(seen, colors, lights, width, canvas.pixels.len());
        let tone = Tone::of(&self.light, opacity);
        let rows = canvas.pixels.par_chunks_mut(width).zip(self.light.par_chunks(width));
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
        tone.covered
    }

    /// Sums what falls on each pixel.
    fn gather(
        &mut self,
        seen: &Seen<'_>,
        colors: &AgentColors,
        lights: &[f32],
        width: usize,
        pixels: usize,
    ) {
        let agents: usize = seen.chunks.iter().map(|chunk| chunk.slots.len()).sum();
        let dense = agents as f32 >= DENSE * pixels as f32;
        self.light.resize(pixels, f32x4::ZERO);
        let strips = self.light.par_chunks_mut(width * BAND).enumerate();
        strips.for_each_init(Vec::new, |sums, (number, strip)| {
            let rows = number * BAND..number * BAND + strip.len() / width;
            let band = Band { columns: width, rows };
            let stride = band.stride();
            sums.clear();
            sums.resize(band.len(), f32x4::ZERO);
            accelerated(
                #[inline(always)]
                || {
                    band.visit(
                        seen,
                        #[inline(always)]
                        |chunk, k, pixel, within| {
                            let light =
                                colors.of(chunk)[k] * lights[seen.view.kind(chunk.slots.start + k)];
                            if dense {
                                sums[pixel] += light;
                                return;
                            }
                            let [across, down] = within.map(spread);
                            let corner = pixel - stride - 1;
                            for (row, down) in down.into_iter().enumerate() {
                                let sums = &mut sums[corner + row * stride..][..3];
                                for (sum, across) in sums.iter_mut().zip(across) {
                                    *sum += light * (across * down);
                                }
                            }
                        },
                    );
                },
            );
            for (row, light) in strip.chunks_mut(width).enumerate() {
                light.copy_from_slice(&sums[(row + MARGIN) * stride + MARGIN..][..width]);
            }
        });
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
