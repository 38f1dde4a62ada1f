//! Heading smoothing, one agent at a time, all headings added up anew.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::kernels::smoothing::{ONE, packed, share, unpacked};

/// Puts headings into their places in a column, renews the sums over all columns, and writes the
/// means.
pub(crate) fn advance<'a>(
    places: &[u32],
    (x, y): (&[f32], &[f32]),
    (column, columns, sums): (
        &[AtomicI64],
        impl ExactSizeIterator<Item = &'a [AtomicI64]> + Clone,
        &[AtomicI64],
    ),
    (mean_x, mean_y): (&mut [f32], &mut [f32]),
) {
    for (k, &place) in places.iter().enumerate() {
        let place = place as usize;
        column[place].store(whole([x[k], y[k]]), Relaxed);
        let sum = columns.clone().map(|column| column[place].load(Relaxed)).sum();
        sums[place].store(sum, Relaxed);
        [mean_x[k], mean_y[k]] = mean(sum, columns.len());
    }
}

/// A heading in whole numbers.
pub(crate) fn whole(heading: [f32; 2]) -> i64 {
    packed(heading.map(|part| (part * ONE).round_ties_even() as i32))
}

/// The mean of that many headings with that sum.
pub(crate) fn mean(sum: i64, samples: usize) -> [f32; 2] {
    unpacked(sum).map(|sum| sum as f32 * share(samples))
}
