//! A soft glow around agents: their light, blurred, over the picture.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::f32x4;

use super::half::{HalfPicture, ROWS};
use crate::raster::canvas::Canvas;
use crate::raster::palette::Pixel;

/// The blurs' steps, in half-size pixels.
const STEPS: [usize; 2] = [1, 2];
/// Strength of the glow beside the blurred light.
const STRENGTH: f32 = 1.3;

#[derive(Default)]
pub(crate) struct Glow {
    half: HalfPicture,
}

impl Glow {
    /// Adds the glow to a picture, scaled by a factor, and makes it opaque.
    pub(crate) fn draw(&mut self, canvas: &mut Canvas<'_>, factor: f32) {
        let (width, height) = (canvas.width, canvas.height());
        self.half.start(canvas);
        let pixels = &*canvas.pixels;
        let rows = self.half.texels.par_chunks_mut(self.half.columns).enumerate();
        rows.with_min_len(ROWS).for_each(|(k, texels)| {
            let row = |y: usize| &pixels[y.min(height - 1) * width..][..width];
            let (upper, lower) = (row(2 * k), row(2 * k + 1));
            accelerated(
                #[inline(always)]
                || {
                    let rows = upper.chunks(2).zip(lower.chunks(2));
                    for (texel, (upper, lower)) in texels.iter_mut().zip(rows) {
                        let [a, c] = [upper, lower].map(|two| light(two[0], factor));
                        let [b, d] = [upper, lower].map(|two| light(two[two.len() - 1], factor));
                        *texel = (a + b) + (c + d);
                    }
                },
            );
        });
        STEPS.into_iter().for_each(|step| self.half.blur(step));
        self.half.mix_into(
            canvas,
            #[inline(always)]
            |below, glow| {
                std::array::from_fn(
                    #[inline(always)]
                    |k| below[k] + (255.0 - below[k]) * glow[k].fast_min(f32x4::ONE),
                )
            },
        );
    }
}

/// What a pixel's light adds to the glow, as a share of each channel's range. All of alpha.
#[inline(always)]
fn light([red, green, blue, alpha]: Pixel, factor: f32) -> f32x4 {
    let share = f32::from(255 - alpha) * (factor * STRENGTH / (4.0 * 255.0 * 255.0));
    let [red, green, blue] = [red, green, blue].map(|channel| f32::from(channel) * share);
    f32x4::new([red, green, blue, 1.0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::{BACKGROUND, blend_light};

    fn glowing(lit: &[usize], width: usize, height: usize) -> Vec<Pixel> {
        let mut pixels = vec![BACKGROUND; width * height];
        for &at in lit {
            pixels[at] = blend_light(pixels[at], [200.0, 100.0, 0.0], 1.0);
        }
        Glow::default().draw(&mut Canvas::new(width, &mut pixels), 1.0);
        pixels
    }

    #[test]
    fn agents_glow_and_the_world_does_not() {
        let dark = glowing(&[], 41, 30);
        assert!(dark.iter().all(|pixel| *pixel == BACKGROUND));
        let spot: Vec<usize> = (13..17).flat_map(|y| (18..22).map(move |x| y * 41 + x)).collect();
        let pixels = glowing(&spot, 41, 30);
        let red = |x: usize, y: usize| pixels[y * 41 + x][0];
        assert!(red(20, 15) >= 200 && red(24, 15) > red(27, 15) && red(27, 15) > BACKGROUND[0]);
        assert_eq!(pixels[29 * 41 + 40], BACKGROUND);
        assert!(pixels.iter().all(|pixel| pixel[3] == 255), "opaque");
    }

    #[test]
    fn pictures_of_any_size_glow() {
        for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 3), (16, 16)] {
            let all: Vec<usize> = (0..width * height).collect();
            assert!(glowing(&all, width, height).iter().all(|pixel| pixel[0] >= 200));
        }
    }
}
