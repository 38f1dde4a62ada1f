//! A picture of half the size, blurred, and enlarged again.
//!
//! All numbers are whole, so the result is the same on every machine; rows are independent, so it
//! does not depend on the number of threads.

use rayon::prelude::*;

/// Three channels and one more, each up to [`MAX`].
pub(super) type Texel = [u16; 4];
/// A channel at its brightest: 16 times what a pixel has.
pub(super) const MAX: u16 = 255 * 16;
/// Rows that a thread takes at a time.
const ROWS: usize = 16;

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
        rows.with_min_len(ROWS).for_each(|(to, from)| blur_row(to, from, step));
        let spare = &self.spare;
        let rows = self.texels.par_chunks_mut(width).enumerate().with_min_len(ROWS);
        rows.for_each(|(y, to)| {
            let row = |away: isize| {
                let y = (y as isize + away * step as isize).clamp(0, height as isize - 1) as usize;
                &spare[y * width..][..width]
            };
            let [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(row);
            for (k, to) in to.iter_mut().enumerate() {
                *to = weighted(a[k], b[k], c[k], d[k], e[k]);
            }
        });
    }

    /// A row of the full size, interpolated; each channel up to 255.
    pub(super) fn enlarged_row(&self, y: usize, mixed: &mut Vec<Texel>, out: &mut Vec<Texel>) {
        let (width, height) = (self.width, self.texels.len() / self.width);
        let near = y / 2;
        let far = if y.is_multiple_of(2) { near.saturating_sub(1) } else { near + 1 };
        let row = |y: usize| &self.texels[y.min(height - 1) * width..][..width];
        // Each pixel lies a quarter of the way to the next but one.
        mixed.clear();
        mixed.extend(row(near).iter().zip(row(far)).map(|(near, far)| toward(*near, *far)));
        out.clear();
        for (k, &here) in mixed.iter().enumerate() {
            let (left, right) = (mixed[k.saturating_sub(1)], mixed[(k + 1).min(width - 1)]);
            // Both steps multiply by four, and texels are 16 times as bright as pixels.
            out.push(toward(here, left).map(|channel| channel >> 8));
            out.push(toward(here, right).map(|channel| channel >> 8));
        }
    }
}

fn blur_row(to: &mut [Texel], from: &[Texel], step: usize) {
    let width = from.len();
    let margin = (2 * step).min(width);
    let at = |k: isize| from[k.clamp(0, width as isize - 1) as usize];
    let edges = (0..margin).chain(width.saturating_sub(margin).max(margin)..width);
    for k in edges {
        let [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(|away| at(k as isize + away * step as isize));
        to[k] = weighted(a, b, c, d, e);
    }
    if width > 2 * margin {
        let inner = width - 2 * margin;
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|k| &from[k * step..][..inner]);
        for (k, to) in to[margin..][..inner].iter_mut().enumerate() {
            *to = weighted(a[k], b[k], c[k], d[k], e[k]);
        }
    }
}

/// The mean with the weights 1, 4, 6, 4, 1, rounded. Sixteen times [`MAX`] fits.
fn weighted(a: Texel, b: Texel, c: Texel, d: Texel, e: Texel) -> Texel {
    std::array::from_fn(|k| (a[k] + e[k] + 4 * (b[k] + d[k]) + 6 * c[k] + 8) >> 4)
}

/// Four times the value a quarter of the way from one to the other.
fn toward(near: Texel, far: Texel) -> Texel {
    std::array::from_fn(|k| 3 * near[k] + far[k])
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
            let (mut mixed, mut row) = (Vec::new(), Vec::new());
            for y in 0..height {
                half.enlarged_row(y, &mut mixed, &mut row);
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
