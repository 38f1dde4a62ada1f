//! A soft glow around agents: their light, blurred, over the picture.

use rayon::prelude::*;

use super::half::{HalfPicture, MAX, Texel};
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Pixel, agents_share};

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
        rows.for_each_init(Default::default, |(mixed, glow), (y, pixels)| {
            half.enlarged_row(y, mixed, glow);
            pixels.iter_mut().zip(&*glow).for_each(|(pixel, glow)| add(pixel, *glow));
        });
    }
}

/// The agents' light in two rows of pixels, at half the size.
fn gather(upper: &[Pixel], lower: &[Pixel], texels: &mut [Texel]) {
    let width = upper.len();
    for (k, texel) in texels.iter_mut().enumerate() {
        let (left, right) = (2 * k, (2 * k + 1).min(width - 1));
        let four = [upper[left], upper[right], lower[left], lower[right]];
        let lights = four.map(|pixel| u32::from(agents_share(pixel)));
        *texel = if lights == [0; 4] {
            [0; 4]
        } else {
            let channel = |c: usize| {
                let sum: u32 =
                    four.iter().zip(lights).map(|(p, light)| u32::from(p[c]) * light).sum();
                // Four pixels of at most 255 times 255, to at most `MAX`.
                ((sum >> 6) as u16).min(MAX)
            };
            [channel(0), channel(1), channel(2), 0]
        };
    }
}

/// Lightens a pixel: what is bright already gains less.
fn add(pixel: &mut Pixel, glow: Texel) {
    for (channel, glow) in pixel[..3].iter_mut().zip(glow) {
        let below = u16::from(*channel);
        *channel = (below + (((255 - below) * ((glow * STRENGTH) >> 4).min(255)) >> 8)) as u8;
    }
    pixel[3] = 255;
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
