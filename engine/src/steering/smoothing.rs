//! Heading smoothing: the mean of an agent's latest headings.
//!
//! Headings are in [fixed point](crate::math::fixed), so a running sum costs one subtraction and
//! one addition, is exact, and does not drift. Lanes are agents where headings become whole numbers;
//! then each agent's sum is looked up in its history row.
//!
//! Cost per agent: 8 bytes of heading and 8 of sum read and written, for any number of headings per
//! mean.

use std::sync::atomic::Ordering::Relaxed;

use crate::crowd::history::{BLOCK, Samples};
use crate::math::fixed::{ONE, packed};
use crate::math::lanes::{BitLanes, Lanes};

/// Puts the headings (`x`, `y`) of up to [`BLOCK`] agents into their rows of the newest column,
/// replacing the oldest, and updates the sums.
#[inline(always)]
pub(crate) fn advance<L: Lanes>(rows: &[u32], [x, y]: [&[f32]; 2], samples: &Samples<'_>) {
    let (xs, ys) = (whole::<L>(x), whole::<L>(y));
    for (k, &row) in rows.iter().take(BLOCK).enumerate() {
        let (oldest, sum) = (&samples.newest[row as usize], &samples.sums[row as usize]);
        let heading = packed([xs[k] as i32, ys[k] as i32]);
        sum.store(sum.load(Relaxed) + (heading - oldest.load(Relaxed)), Relaxed);
        oldest.store(heading, Relaxed);
    }
}

/// Headings in fixed point.
#[inline(always)]
fn whole<L: Lanes>(parts: &[f32]) -> [u32; BLOCK] {
    let mut padded = [0.0; BLOCK];
    padded[..parts.len()].copy_from_slice(parts);
    let mut whole = [0; BLOCK];
    for (whole, parts) in whole.chunks_exact_mut(L::WIDTH).zip(padded.chunks_exact(L::WIDTH)) {
        (L::load(parts) * L::splat(ONE)).round_int().store(whole);
    }
    whole
}
