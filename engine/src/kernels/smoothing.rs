//! Heading smoothing: the mean of an agent's latest headings.
//!
//! Headings are whole numbers of 2⁻²⁴, both parts in one word, whose sums are those of the parts
//! as long as none overflows. So a running sum costs one subtraction and one addition, is exact,
//! and does not drift.
//!
//! Lanes are agents where headings become whole numbers and sums become means; in between, each
//! agent's sum is looked up in its place.
//!
//! Cost per agent: 8 bytes of heading and 8 of sum read and written, however many headings there
//! are to a mean.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use wide::{f32x16, i32x16};

/// Agents that are smoothed together.
pub(crate) const BLOCK: usize = 16;

/// What a heading's part of 1 is as a whole number. A hundred of them fit.
pub(crate) const ONE: f32 = 16_777_216.0;

/// Both parts in one word: what is added and subtracted there is added and subtracted in both.
#[inline(always)]
pub(crate) fn packed([x, y]: [i32; 2]) -> i64 {
    (i64::from(y) << 32) + i64::from(x)
}

#[inline(always)]
pub(crate) fn unpacked(both: i64) -> [i32; 2] {
    let x = both as i32;
    [x, ((both - i64::from(x)) >> 32) as i32]
}

/// Puts the headings (`x`, `y`) of up to [`BLOCK`] agents into their places in a column, in place of
/// the oldest, renews the sums, and writes the means of as many headings as there are `samples`.
#[inline(always)]
pub(crate) fn advance(
    places: &[u32],
    (x, y): (&[f32], &[f32]),
    (column, sums): (&[AtomicI64], &[AtomicI64]),
    samples: usize,
    (mean_x, mean_y): (&mut [f32], &mut [f32]),
) {
    let (xs, ys) = (whole(x), whole(y));
    let mut renewed = [[0; BLOCK]; 2];
    for (k, &place) in places.iter().take(BLOCK).enumerate() {
        let (there, sum) = (&column[place as usize], &sums[place as usize]);
        let heading = packed([xs[k], ys[k]]);
        let both = sum.load(Relaxed) + (heading - there.load(Relaxed));
        there.store(heading, Relaxed);
        sum.store(both, Relaxed);
        [renewed[0][k], renewed[1][k]] = unpacked(both);
    }
    for (mean, sums) in [mean_x, mean_y].into_iter().zip(renewed) {
        let means = f32x16::from_i32x16(i32x16::from(sums)) * f32x16::splat(share(samples));
        mean.copy_from_slice(&means.to_array()[..mean.len()]);
    }
}

/// By what a sum of that many headings is multiplied.
pub(crate) fn share(samples: usize) -> f32 {
    1.0 / (ONE * samples as f32)
}

#[inline(always)]
fn whole(parts: &[f32]) -> [i32; BLOCK] {
    let mut padded = [0.0; BLOCK];
    padded[..parts.len()].copy_from_slice(parts);
    (f32x16::from(padded) * f32x16::splat(ONE)).fast_round_int().to_array()
}
