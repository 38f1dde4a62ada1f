//! A picture of half the size, blurred, and enlarged again.
//!
//! All numbers are whole, so the result is the same on every machine; rows are independent, so it
//! does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;

use crate::raster::canvas::Canvas;
use crate::raster::palette::Pixel;

/// Three channels and one more, each up to [`MAX`].
pub(super) type Texel = [u16; 4];
/// A channel at its brightest: 16 times what a pixel has.
pub(super) const MAX: u16 = 255 * 16;
/// Rows that a thread takes at a time.
pub(super) const ROWS: usize = 16;

#[derive(Default)]
pub(super) struct HalfPicture {
    pub(super) width: usize,
    pub(super) texels: Vec<Texel>,
    /// What a pass writes.
    spare: Vec<Texel>,
}

impl HalfPicture {
    /// Makes room for a picture of this size in pixels. The content is unspecified.
    pub(super) fn resize(&mut self, width: usize, height: usize) {
        self.width = width.div_ceil(2);
        self.texels.resize(self.width * height.div_ceil(2), [0; 4]);
    }

    /// Blurs with the weights 1, 4, 6, 4, 1 across and down, at places `step` apart.
    pub(super) fn blur(&mut self, step: usize) {
        let (width, height) = (self.width, self.texels.len() / self.width.max(1));
        self.spare.resize(self.texels.len(), [0; 4]);
        let texels = &self.texels;
        let rows = self.spare.par_chunks_mut(width).zip(texels.par_chunks(width));
        rows.with_min_len(ROWS).for_each(|(to, from)| {
            accelerated(
                #[inline(always)]
                || blur_row(to, from, step),
            );
        });
        let spare = &self.spare;
        let rows = self.texels.par_chunks_mut(width).enumerate().with_min_len(ROWS);
        rows.for_each(|(y, to)| {
            let row = |away: isize| {
                let y = (y as isize + away * step as isize).clamp(0, height as isize - 1) as usize;
                &spare[y * width..][..width]
            };
            let five = [-2, -1, 0, 1, 2].map(row);
            accelerated(
                #[inline(always)]
                || weighted(five, to),
            );
        });
    }

    /// Enlarges it to the size of a canvas, and mixes it in row by row.
    pub(super) fn mix_into(
        &self,
        canvas: &mut Canvas<'_>,
        mix: impl Fn(&mut [Pixel], &[Texel]) + Sync,
    ) {
        let rows = canvas.pixels.par_chunks_mut(canvas.width).enumerate().with_min_len(ROWS);
        rows.for_each_init(
            || self.row(),
            |row, (y, pixels)| {
                accelerated(
                    #[inline(always)]
                    || mix(pixels, self.enlarge(y, row)),
                );
            },
        );
    }

    /// Room for a row of the full size.
    fn row(&self) -> EnlargedRow {
        let width = self.width;
        EnlargedRow { mixed: vec![[0; 4]; width + 2], texels: vec![[0; 4]; 2 * width] }
    }

    /// A row of the full size, interpolated; each channel up to 255.
    #[inline(always)]
    fn enlarge<'a>(&self, y: usize, row: &'a mut EnlargedRow) -> &'a [Texel] {
        let (width, height) = (self.width, self.texels.len() / self.width);
        let near = y / 2;
        let far = if y.is_multiple_of(2) { near.saturating_sub(1) } else { near + 1 };
        let source = |y: usize| flat(&self.texels[y.min(height - 1) * width..][..width]);
        // Each pixel lies a quarter of the way to the next but one. Both steps multiply by four,
        // and texels are 16 times as bright as pixels.
        let mixed: &mut [u16] = flat_mut(&mut row.mixed[1..=width]);
        for ((mixed, near), far) in mixed.iter_mut().zip(source(near)).zip(source(far)) {
            *mixed = 3 * near + far;
        }
        row.mixed[0] = row.mixed[1];
        row.mixed[width + 1] = row.mixed[width];
        let (left, right) = (&row.mixed[..width], &row.mixed[2..]);
        let two = row.texels.as_chunks_mut::<2>().0.iter_mut();
        for (((two, here), left), right) in two.zip(&row.mixed[1..]).zip(left).zip(right) {
            for k in 0..4 {
                two[0][k] = (3 * here[k] + left[k]) >> 8;
                two[1][k] = (3 * here[k] + right[k]) >> 8;
            }
        }
        &row.texels
    }
}

/// A row of the full size.
struct EnlargedRow {
    /// Two rows of the half size, mixed, with the first and the last texel repeated.
    mixed: Vec<Texel>,
    texels: Vec<Texel>,
}

#[inline(always)]
fn blur_row(to: &mut [Texel], from: &[Texel], step: usize) {
    let width = from.len();
    let margin = (2 * step).min(width);
    let at = |k: isize| &from[k.clamp(0, width as isize - 1) as usize..][..1];
    for k in (0..margin).chain(width.saturating_sub(margin).max(margin)..width) {
        let five = [-2, -1, 0, 1, 2].map(|away| at(k as isize + away * step as isize));
        weighted(five, &mut to[k..=k]);
    }
    if width > 2 * margin {
        let inner = width - 2 * margin;
        weighted([0, 1, 2, 3, 4].map(|k| &from[k * step..][..inner]), &mut to[margin..][..inner]);
    }
}

/// The means with the weights 1, 4, 6, 4, 1, rounded. Sixteen times [`MAX`] fits.
#[inline(always)]
fn weighted(five: [&[Texel]; 5], to: &mut [Texel]) {
    // One flat loop over equal lengths, which compiles to SIMD instructions.
    let to = flat_mut(to);
    let [a, b, c, d, e] = five.map(|row| &flat(row)[..to.len()]);
    for k in 0..to.len() {
        to[k] = (a[k] + e[k] + 4 * (b[k] + d[k]) + 6 * c[k] + 8) >> 4;
    }
}

#[inline(always)]
fn flat(texels: &[Texel]) -> &[u16] {
    bytemuck::cast_slice(texels)
}

#[inline(always)]
fn flat_mut(texels: &mut [Texel]) -> &mut [u16] {
    bytemuck::cast_slice_mut(texels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(width: usize, height: usize, texel: Texel) -> HalfPicture {
        let mut half = HalfPicture::default();
        half.resize(width, height);
        half.texels.fill(texel);
        half
    }

    #[test]
    fn an_even_picture_stays_as_it_is() {
        for (width, height) in [(1, 1), (2, 2), (3, 5), (9, 4), (33, 21)] {
            let mut half = even(width, height, [MAX, 1_600, 0, 16]);
            [1, 2, 3].into_iter().for_each(|step| half.blur(step));
            assert!(half.texels.iter().all(|texel| *texel == [MAX, 1_600, 0, 16]));
            let mut row = half.row();
            for y in 0..height {
                let row = half.enlarge(y, &mut row);
                assert!(row.len() >= width);
                assert!(row.iter().all(|texel| *texel == [255, 100, 0, 1]), "{row:?}");
            }
        }
    }

    #[test]
    fn a_point_spreads_evenly_and_keeps_its_light() {
        let mut half = even(64, 64, [0; 4]);
        half.texels[16 * 32 + 16] = [MAX, 0, 0, 0];
        half.blur(1);
        half.blur(2);
        let at = |x: usize, y: usize| half.texels[y * 32 + x][0];
        for k in 1..7 {
            assert!(at(16 + k, 16) <= at(15 + k, 16));
            assert_eq!(at(16 + k, 16), at(16 - k, 16));
            assert!(at(16, 16 + k).abs_diff(at(16 + k, 16)) <= 2, "rounded twice");
        }
        assert!(at(18, 16) > 0 && at(23, 16) == 0);
        let sum: u32 = half.texels.iter().map(|texel| u32::from(texel[0])).sum();
        assert!(sum.abs_diff(MAX.into()) < 100, "{sum}");
    }
}
