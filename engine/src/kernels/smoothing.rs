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

use wide::{f32x16, i32x16};

/// Agents that are smoothed together.
pub(crate) const BLOCK: usize = 16;

/// What a heading's part of 1 is as a whole number. A hundred of them fit.
pub(crate) const ONE: f32 = 16_777_216.0;

/// Headings of up to [`BLOCK`] agents.
pub(crate) struct Headings<'a> {
    pub(crate) x: &'a [f32],
    pub(crate) y: &'a [f32],
}

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

/// Renews the sums of the agents that have these places and headings, by `sum`, and writes the
/// means of as many headings as there are `samples`.
#[inline(always)]
pub(crate) fn advance(
    places: &[u32],
    headings: Headings<'_>,
    samples: usize,
    sum: impl Fn(u32, i64) -> i64,
    (x, y): (&mut [f32], &mut [f32]),
) {
    let [xs, ys] = [headings.x, headings.y].map(whole);
    let mut sums = [[0; BLOCK]; 2];
    for (k, &place) in places.iter().enumerate() {
        [sums[0][k], sums[1][k]] = unpacked(sum(place, packed([xs[k], ys[k]])));
    }
    for (mean, sums) in [x, y].into_iter().zip(sums) {
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
