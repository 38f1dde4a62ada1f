//! Agents drawn as points of light, for crowds seen from afar.
//!
//! Each agent spreads its weight smoothly over 3x3 pixels, so it glides between pixels instead of
//! jumping. A pixel then shows the weighted mean of what was there, with a weight of 1, and of the
//! colors that fell on it.
//!
//! The picture is split into bands of rows, one thread per band. Within a band, agents are added in
//! the crowd's order, so the picture does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::f32x4;

use super::super::coloring::AgentColors;
use super::super::culling::Seen;
use super::places::{Band, MARGIN};
use crate::raster::canvas::{Canvas, mix};

/// Rows of pixels per band: few enough for a band's sums to stay in a core's cache, many enough for
/// its margin not to matter.
const BAND: usize = 24;

/// Draws agents with the light of each species' points.
pub(crate) fn draw(seen: &Seen<'_>, colors: &AgentColors, lights: &[f32], canvas: &mut Canvas<'_>) {
    let width = canvas.width;
    let strips = canvas.pixels.par_chunks_mut(width * BAND).enumerate();
    strips.for_each_init(Vec::new, |sums, (number, pixels)| {
        let rows = number * BAND..number * BAND + pixels.len() / width;
        let band = Band { columns: width, rows };
        let stride = band.stride();
        // What falls on each pixel: weighted red, green and blue, and the weight.
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
                for (row, pixels) in pixels.chunks_mut(width).enumerate() {
                    mix(pixels, &sums[(row + MARGIN) * stride + MARGIN..], lit);
                }
            },
        );
    });
}

/// Four pixels with the light that fell on them: each the weighted mean of both.
#[inline(always)]
fn lit(below: [f32x4; 4], sums: [f32x4; 4]) -> [f32x4; 4] {
    // Agents' light has no alpha: that of the pixel shrinks by what they cover.
    const COLORS: f32x4 = f32x4::new([1.0, 1.0, 1.0, 0.0]);
    let weights = f32x4::new(sums.map(|sum| sum.as_array()[3]));
    let shares = 1.0 / (1.0 + weights);
    std::array::from_fn(
        #[inline(always)]
        |k| (below[k] + sums[k] * COLORS) * shares.as_array()[k],
    )
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
