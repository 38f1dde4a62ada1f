//! Heading smoothing: the mean of an agent's latest headings.
//!
//! Each agent has a ring of headings in one stretch of memory. Once a step its ring comes
//! along from the slot it had before the sort, the oldest heading gives way to the newest,
//! and all are added: four floats, two headings, at a time, so that the lanes hold
//! (Σx, Σy) of the even and of the odd entries. The sum starts anew each step and does not
//! drift.
//!
//! Cost per agent: 8 bytes per sample read and written, half as many vector additions as
//! samples.

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
    let mut renewed = from[oldest / 2];
    let half = if oldest.is_multiple_of(2) { &mut renewed[..2] } else { &mut renewed[2..] };
    half.copy_from_slice(&heading);

    let (before, after) = (&from[..oldest / 2], &from[oldest / 2 + 1..]);
    let add = |sum: f32x4, pair: &[f32; 4]| sum + f32x4::from(*pair);
    let sum = after.iter().fold(add(before.iter().fold(f32x4::ZERO, add), &renewed), add);
    to.copy_from_slice(from);
    to[oldest / 2] = renewed;
    let [x_even, y_even, x_odd, y_odd] = sum.to_array();
    [x_even + x_odd, y_even + y_odd]
}
