use wide::{f32x4, i16x8, i32x4, i32x8, u8x16};

use super::palette::Pixel;

pub(crate) struct Canvas<'a> {
    pub(crate) width: usize,
    pub(crate) pixels: &'a mut [Pixel],
}

impl<'a> Canvas<'a> {
    /// `pixels` contains whole rows, from top to bottom.
    pub(crate) fn new(width: usize, pixels: &'a mut [Pixel]) -> Self {
        Self { width: width.max(1), pixels }
    }

    pub(crate) fn columns(&self, width: usize) -> Vec<Pixel> {
        let rows = self.pixels.chunks(self.width);
        rows.flat_map(|row| &row[..width.min(row.len())]).copied().collect()
    }
}

/// Applies `mixed` to a row of pixels and their light, four pixels at a time.
/// `light` may be longer than the row.
#[inline(always)]
pub(crate) fn mix(
    pixels: &mut [Pixel],
    light: &[f32x4],
    mixed: impl Fn([f32x4; 4], [f32x4; 4]) -> [f32x4; 4],
) {
    let light = &light[..pixels.len()];
    let ((fours, rest), (light, light_of_rest)) = (pixels.as_chunks_mut(), light.as_chunks());
    for (pixels, light) in fours.iter_mut().zip(light) {
        *pixels = clipped(mixed(channels(*pixels), *light));
    }
    let (mut last, mut light) = ([[0; 4]; 4], [f32x4::ZERO; 4]);
    last[..rest.len()].copy_from_slice(rest);
    light[..rest.len()].copy_from_slice(light_of_rest);
    rest.copy_from_slice(&clipped(mixed(channels(last), light))[..rest.len()]);
}

#[inline(always)]
fn channels(pixels: [Pixel; 4]) -> [f32x4; 4] {
    pixels.map(
        #[inline(always)]
        |pixel| f32x4::from_i32x4(i32x4::new(pixel.map(i32::from))),
    )
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
