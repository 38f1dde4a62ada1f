//! Heading smoothing, one agent at a time: all headings are added up again.

use std::sync::atomic::Ordering::Relaxed;

use crate::crowd::history::Samples;
use crate::math::fixed::{from_heading, mean};

/// Puts headings into their places in the newest column, sums up all columns, and writes the means.
pub(crate) fn advance(
    places: &[u32],
    [x, y]: [&[f32]; 2],
    samples: &Samples<'_>,
    [mean_x, mean_y]: [&mut [f32]; 2],
) {
    for (k, &place) in places.iter().enumerate() {
        let place = place as usize;
        samples.newest[place].store(from_heading([x[k], y[k]]), Relaxed);
        let sum = samples.columns.iter().map(|column| column[place].load(Relaxed)).sum();
        samples.sums[place].store(sum, Relaxed);
        [mean_x[k], mean_y[k]] = mean(sum, samples.columns.len());
    }
}
