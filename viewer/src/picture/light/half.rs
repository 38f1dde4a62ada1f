//! A picture of half the size, blurred, and enlarged again.
//!
//! Rows are independent, so the result does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::f32x4;

use crate::raster::canvas::{Canvas, mix};

/// Rows that a thread takes at a time.
pub(super) const ROWS: usize = 16;

#[derive(Default)]
pub(super) struct HalfPicture {
    pub(super) columns: usize,
    pub(super) texels: Vec<f32x4>,
    /// What a pass writes.
    spare: Vec<f32x4>,
}

impl HalfPicture {
    /// Makes room for a picture of this size in pixels, and clears it.
    pub(super) fn start(&mut self, canvas: &Canvas<'_>) {
        self.columns = canvas.width.div_ceil(2);
        self.texels.clear();
        self.texels.resize(self.columns * canvas.height().div_ceil(2), f32x4::ZERO);
    }

    /// Blurs with the weights 1, 4, 6, 4, 1 across and down, at places `step` apart.
    pub(super) fn blur(&mut self, step: usize) {
        let columns = self.columns;
        self.spare.resize(self.texels.len(), f32x4::ZERO);
        let rows = self.spare.par_chunks_mut(columns).zip(self.texels.par_chunks(columns));
        rows.with_min_len(ROWS).for_each_init(Vec::new, |padded, (to, from)| {
            padded.clear();
            padded.resize(2 * step, from[0]);
            padded.extend_from_slice(from);
            padded.resize(4 * step + columns, from[columns - 1]);
            weigh([0, 1, 2, 3, 4].map(|k| &padded[k * step..]), to);
        });
        let (spare, last) = (&self.spare, self.spare.len() / columns - 1);
        let rows = self.texels.par_chunks_mut(columns).enumerate().with_min_len(ROWS);
        rows.for_each(|(y, to)| {
            let row =
                |k: usize| &spare[(y + k * step).saturating_sub(2 * step).min(last) * columns..];
            weigh([0, 1, 2, 3, 4].map(row), to);
        });
    }

    /// Enlarges it to the size of a canvas, interpolated, and mixes it in, four pixels at a time.
    pub(super) fn mix_into(
        &self,
        canvas: &mut Canvas<'_>,
        mixed: impl Fn([f32x4; 4], [f32x4; 4]) -> [f32x4; 4] + Sync,
    ) {
        let (columns, last) = (self.columns, self.texels.len() / self.columns - 1);
        let source = |y: usize| &self.texels[y.min(last) * columns..][..columns];
        let rows = canvas.pixels.par_chunks_mut(canvas.width).enumerate().with_min_len(ROWS);
        rows.for_each_init(Vec::new, |row, (y, pixels)| {
            // Each pixel lies a quarter of the way to the next texel but one.
            let far = if y % 2 == 0 { (y / 2).saturating_sub(1) } else { y / 2 + 1 };
            accelerated(
                #[inline(always)]
                || {
                    enlarge(source(y / 2), source(far), row);
                    mix(pixels, row, &mixed);
                },
            );
        });
    }
}

/// The means of five rows with the weights 1, 4, 6, 4, 1.
fn weigh(five: [&[f32x4]; 5], to: &mut [f32x4]) {
    accelerated(
        #[inline(always)]
        || {
            let [a, b, c, d, e] = five.map(|row| &row[..to.len()]);
            for (k, to) in to.iter_mut().enumerate() {
                *to = (a[k] + e[k] + (b[k] + d[k]) * 4.0 + c[k] * 6.0) * (1.0 / 16.0);
            }
        },
    );
}

/// A row of the full size between two of the half size, nearer to the first.
#[inline(always)]
fn enlarge(near: &[f32x4], far: &[f32x4], row: &mut Vec<f32x4>) {
    let mix = |near: f32x4, far: f32x4| near * 0.75 + far * 0.25;
    let at = |k: usize| mix(near[k], far[k]);
    let mut before = at(0);
    let mut here = before;
    row.clear();
    for k in 0..near.len() {
        let next = if k + 1 < near.len() { at(k + 1) } else { here };
        row.extend([mix(here, before), mix(here, next)]);
        (before, here) = (here, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::Pixel;

    fn even(width: usize, height: usize, texel: [f32; 4]) -> (HalfPicture, Vec<Pixel>) {
        let mut pixels = vec![[0; 4]; width * height];
        let mut half = HalfPicture::default();
        half.start(&Canvas::new(width, &mut pixels));
        half.texels.fill(f32x4::new(texel));
        (half, pixels)
    }

    #[test]
    fn an_even_picture_stays_as_it_is() {
        for (width, height) in [(1, 1), (2, 2), (3, 5), (9, 4), (33, 21)] {
            let (mut half, mut pixels) = even(width, height, [255.0, 100.0, 0.0, 1.0]);
            [1, 2, 3].into_iter().for_each(|step| half.blur(step));
            half.mix_into(&mut Canvas::new(width, &mut pixels), |_, texels| texels);
            assert!(pixels.iter().all(|pixel| *pixel == [255, 100, 0, 1]), "{pixels:?}");
        }
    }

    #[test]
    fn a_point_spreads_evenly_and_keeps_its_light() {
        let (mut half, _) = even(64, 64, [0.0; 4]);
        half.texels[16 * 32 + 16] = f32x4::splat(1.0);
        half.blur(1);
        half.blur(2);
        let at = |x: usize, y: usize| half.texels[y * 32 + x].to_array()[0];
        for k in 1..7 {
            assert!(at(16 + k, 16) <= at(15 + k, 16));
            assert!(at(16 + k, 16) == at(16 - k, 16) && at(16 + k, 16) == at(16, 16 + k));
        }
        assert!(at(18, 16) > 0.0 && at(23, 16) == 0.0);
        let sum: f32 = half.texels.iter().map(|texel| texel.to_array()[0]).sum();
        assert!((sum - 1.0).abs() < 1.0e-5, "{sum}");
    }
}
