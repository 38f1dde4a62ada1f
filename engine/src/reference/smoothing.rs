//! Heading smoothing, one agent at a time: all headings are added up again.

use std::sync::atomic::Ordering::Relaxed;

use crate::crowd::history::Samples;
use crate::math::fixed::from_heading;
use crate::math::scalar::Scalar;

/// Puts headings into their rows of the newest column, and sums up all columns.
#[inline(always)]
pub(crate) fn advance<S: Scalar>(rows: &[u32], [x, y]: [&[f32]; 2], samples: &Samples<'_>) {
    for (k, &row) in rows.iter().enumerate() {
        let row = row as usize;
        samples.newest[row].store(from_heading([x[k], y[k]]), Relaxed);
        let sum = samples.columns.iter().map(|column| column[row].load(Relaxed)).sum();
        samples.sums[row].store(sum, Relaxed);
    }
}
