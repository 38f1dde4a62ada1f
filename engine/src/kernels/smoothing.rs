//! Heading smoothing: the mean of an agent's latest headings.
//!
//! Headings are in [fixed point](crate::math::fixed), so a running sum costs one subtraction and
//! one addition, is exact, and does not drift. Lanes are agents where headings become whole numbers
//! and sums become means; in between, each agent's sum is looked up in its history row.
//!
//! Cost per agent: 8 bytes of heading and 8 of sum read and written, for any number of headings per
//! mean.

use std::sync::atomic::Ordering::Relaxed;

use wide::{f32x16, i32x16};

use crate::crowd::history::{BLOCK, Samples};
use crate::math::fixed::{ONE, packed, share, unpacked};

/// Puts the headings (`x`, `y`) of up to [`BLOCK`] agents into their rows of the newest column,
/// replacing the oldest, updates the sums, and writes the means.
#[inline(always)]
pub(crate) fn advance(
    rows: &[u32],
    [x, y]: [&[f32]; 2],
    samples: &Samples<'_>,
    [mean_x, mean_y]: [&mut [f32]; 2],
) {
    let (xs, ys) = (whole(x), whole(y));
    let mut updated = [[0; BLOCK]; 2];
    for (k, &row) in rows.iter().take(BLOCK).enumerate() {
        let (oldest, sum) = (&samples.newest[row as usize], &samples.sums[row as usize]);
        let heading = packed([xs[k], ys[k]]);
        let both = sum.load(Relaxed) + (heading - oldest.load(Relaxed));
        oldest.store(heading, Relaxed);
        sum.store(both, Relaxed);
        [updated[0][k], updated[1][k]] = unpacked(both);
    }
    let share = f32x16::splat(share(samples.columns.len()));
    for (mean, sums) in [mean_x, mean_y].into_iter().zip(updated) {
        let means = f32x16::from_i32x16(i32x16::from(sums)) * share;
        mean.copy_from_slice(&means.to_array()[..mean.len()]);
    }
}

#[inline(always)]
fn whole(parts: &[f32]) -> [i32; BLOCK] {
    let mut padded = [0.0; BLOCK];
    padded[..parts.len()].copy_from_slice(parts);
    (f32x16::from(padded) * f32x16::splat(ONE)).fast_round_int().to_array()
}
