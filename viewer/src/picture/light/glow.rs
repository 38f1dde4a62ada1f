//! A soft glow around agents: their light, blurred, over the picture.

use flockwork::internal::accelerated;
use rayon::prelude::*;

use super::half::{HalfPicture, ROWS, Texel};
use crate::raster::canvas::Canvas;
use crate::raster::palette::Pixel;

/// The blurs' steps, in half-size pixels.
const STEPS: [usize; 2] = [1, 2];
/// Strength of the glow, in sixteenths of the blurred light.
const STRENGTH: u16 = 24;

#[derive(Default)]
pub(crate) struct Glow {
    half: HalfPicture,
}

impl Glow {
    /// Adds the glow to a picture, and makes it opaque.
    pub(crate) fn draw(&mut self, canvas: &mut Canvas<'_>) {
        let (width, height) = (canvas.width, canvas.height());
        self.half.resize(width, height);
        let pixels = &*canvas.pixels;
        let rows = self.half.texels.par_chunks_mut(width.div_ceil(2)).enumerate();
        rows.with_min_len(ROWS).for_each_init(Vec::new, |lights, (k, texels)| {
            let row = |y: usize| &pixels[y.min(height - 1) * width..][..width];
            accelerated(
                #[inline(always)]
                || gather(row(2 * k), row(2 * k + 1), lights, texels),
            );
        });
        STEPS.into_iter().for_each(|step| self.half.blur(step));
        self.half.mix_into(canvas, add);
    }
}

/// The agents' light in two rows of pixels, at half the size. `lights` is room for a row.
#[inline(always)]
fn gather(upper: &[Pixel], lower: &[Pixel], lights: &mut Vec<u64>, texels: &mut [Texel]) {
    lights.clear();
    lights.extend(upper.iter().zip(lower).map(|(&a, &b)| light(a) + light(b)));
    // The last of an odd number stands for its missing neighbor too.
    lights.extend(lights.last().copied().filter(|_| upper.len() % 2 == 1));
    for (texel, [left, right]) in texels.iter_mut().zip(lights.as_chunks().0) {
        // Four pixels of at most 255 times 255, a quarter of each, to at most `MAX`.
        let all = ((left + right) >> 4) & 0x0000_0fff_0fff_0fff;
        *texel = bytemuck::must_cast(all.to_le_bytes());
    }
}

/// A quarter of the agents' light in a pixel, 16 bits for each of red, green and blue.
#[inline(always)]
fn light(pixel: Pixel) -> u64 {
    let all = u64::from(u32::from_le_bytes(pixel));
    let share = 255 - (all >> 24);
    let channels = (all & 0xff) | (all & 0xff00) << 8 | (all & 0xff_0000) << 16;
    ((channels * share) >> 2) & 0x3fff_3fff_3fff
}

/// Lightens pixels: what is bright already gains less.
#[inline(always)]
fn add(pixels: &mut [Pixel], glow: &[Texel]) {
    // One flat loop over equal lengths, which compiles to SIMD instructions.
    let channels: &mut [u8] = bytemuck::cast_slice_mut(pixels);
    let glow: &[u16] = &bytemuck::cast_slice(glow)[..channels.len()];
    for (channel, glow) in channels.iter_mut().zip(glow) {
        let below = u16::from(*channel);
        *channel = (below + (((255 - below) * ((glow * STRENGTH) >> 4).min(255)) >> 8)) as u8;
    }
    pixels.iter_mut().for_each(|pixel| pixel[3] = 255);
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
        Glow::default().draw(&mut Canvas::new(width, &mut pixels));
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
