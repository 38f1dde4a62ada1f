//! Heading smoothing: the mean of an agent's latest headings.
//!
//! Each agent has a ring of headings in one stretch of memory. Once a step its ring comes
//! along from the slot it had before the sort, the oldest heading gives way to the newest,
//! and all are added: four floats, two headings, at a time, so that the lanes hold
//! (Σx, Σy) of the even and of the odd entries. The sum starts anew each step and does not
//! drift.
//!
//! Cost per agent: 8 bytes per sample read and written, and for every two samples an addition,
//! a comparison and a blend, which are cheaper than a branch at the oldest heading.

use wide::f32x4;

/// Floats per ring: an even number of headings, so that they are whole vectors; the spare
/// one stays zero.
pub(crate) fn stride(samples: usize) -> usize {
    samples.next_multiple_of(2) * 2
}

/// Copies a ring, with `heading` in place of entry `oldest`, and returns the sum of all
/// entries.
#[inline(always)]
pub(crate) fn advance(from: &[f32], to: &mut [f32], oldest: usize, heading: [f32; 2]) -> [f32; 2] {
    let ((from, _), (to, _)) = (from.as_chunks::<4>(), to.as_chunks_mut::<4>());
    let [x, y] = heading;
    let newest = f32x4::from([x, y, x, y]);
    // How many entries are left before the oldest, per half of a vector.
    let oldest = oldest as f32;
    let mut left = f32x4::from([oldest, oldest, oldest - 1.0, oldest - 1.0]);
    let mut sum = f32x4::ZERO;
    for (from, to) in from.iter().zip(to) {
        let entry = left.simd_eq(f32x4::ZERO).select(newest, f32x4::from(*from));
        left -= f32x4::splat(2.0);
        sum += entry;
        *to = entry.to_array();
    }
    let [x_even, y_even, x_odd, y_odd] = sum.to_array();
    [x_even + x_odd, y_even + y_odd]
}
