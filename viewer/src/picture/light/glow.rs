//! A soft glow around agents: their light, blurred, over the picture.

use rayon::prelude::*;

use super::half::{HalfPicture, MAX, Texel};
use crate::raster::canvas::Canvas;
use crate::raster::palette::Pixel;

/// The blurs' steps, in half-size pixels.
const STEPS: [usize; 2] = [1, 2];
/// Strength of the glow, in sixteenths of the blurred light.
const STRENGTH: u16 = 24;
/// Rows that a thread takes at a time.
const ROWS: usize = 16;

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
        rows.with_min_len(ROWS).for_each(|(k, texels)| {
            let row = |y: usize| &pixels[y.min(height - 1) * width..][..width];
            gather(row(2 * k), row(2 * k + 1), texels);
        });
        STEPS.into_iter().for_each(|step| self.half.blur(step));

        let half = &self.half;
        let rows = canvas.pixels.par_chunks_mut(width).enumerate().with_min_len(ROWS);
        rows.for_each_init(|| half.row(), |row, (y, pixels)| add(pixels, half.enlarge(y, row)));
    }
}

/// The agents' light in two rows of pixels, at half the size.
fn gather(upper: &[Pixel], lower: &[Pixel], texels: &mut [Texel]) {
    let width = upper.len();
    let light = |k: usize| {
        let ([red, blue], green) = add_lights(upper[k], lower[k]);
        [red, green, blue]
    };
    for (k, texel) in texels.iter_mut().enumerate() {
        let (left, right) = (light(2 * k), light((2 * k + 1).min(width - 1)));
        // Four pixels of at most 255 times 255, a quarter of each, to at most `MAX`.
        let channel = |c: usize| ((left[c] + right[c]) >> 4).min(MAX.into()) as u16;
        *texel = [channel(0), channel(1), channel(2), 0];
    }
}

/// A quarter of the agents' light in two pixels: red and blue, and green.
fn add_lights(a: Pixel, b: Pixel) -> ([u32; 2], u32) {
    // Two channels in one product, sixteen bits each.
    let light = |pixel: Pixel| {
        let all = u32::from_le_bytes(pixel);
        let share = 255 - (all >> 24);
        let red_and_blue = ((all & 0x00ff_00ff) * share) >> 2;
        (red_and_blue & 0x3fff_3fff, (((all >> 8) & 0xff) * share) >> 2)
    };
    let ((a, green_a), (b, green_b)) = (light(a), light(b));
    let sum = a + b;
    ([sum & 0xffff, sum >> 16], green_a + green_b)
}

/// Lightens pixels: what is bright already gains less.
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
