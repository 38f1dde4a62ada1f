//! Heading smoothing, one agent at a time: all headings are added up again.

use std::sync::atomic::Ordering::Relaxed;

use crate::crowd::history::Samples;
use crate::math::fixed::{from_heading, mean};
use crate::math::scalar::Scalar;

/// Puts headings into their rows of the newest column, sums up all columns, and writes the means.
#[inline(always)]
pub(crate) fn advance<S: Scalar>(
    rows: &[u32],
    [x, y]: [&[f32]; 2],
    samples: &Samples<'_>,
    [mean_x, mean_y]: [&mut [f32]; 2],
) {
    for (k, &row) in rows.iter().enumerate() {
        let row = row as usize;
        samples.newest[row].store(from_heading([x[k], y[k]]), Relaxed);
        let sum = samples.columns.iter().map(|column| column[row].load(Relaxed)).sum();
        samples.sums[row].store(sum, Relaxed);
        [mean_x[k], mean_y[k]] = mean(sum, samples.columns.len());
    }
}
