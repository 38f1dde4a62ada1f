//! Heading smoothing, one agent.

use crate::kernels::smoothing::{ONE, share, unpacked};

/// A part of a heading as a whole number.
pub(crate) fn whole(part: f32) -> i32 {
    (part * ONE).round_ties_even() as i32
}

/// The sum of all headings, added up anew.
pub(crate) fn sum(headings: impl Iterator<Item = i64>) -> i64 {
    headings.sum()
}

/// The mean of that many headings with that sum.
pub(crate) fn mean(sum: i64, samples: usize) -> [f32; 2] {
    unpacked(sum).map(|sum| sum as f32 * share(samples))
}
