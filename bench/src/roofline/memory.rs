//! How fast memory is read and copied, from working sets that fit the first cache to those
//! that fit none.

use std::hint::black_box;

use serde::Serialize;
use wide::f32x8;

use super::WrongResult;
use super::caches::Caches;
use super::together::fastest;

/// Bytes per second, all threads together.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Bandwidth {
    /// What the working set of a thread fits: `L1`, `L2`, `L3` or `memory`.
    pub(crate) level: &'static str,
    /// Of all threads.
    pub(crate) working_set: usize,
    pub(crate) read: f64,
    /// Bytes read plus bytes written.
    pub(crate) copy: f64,
}

/// Bytes that a thread touches in a repeat, at least.
const BYTES_PER_REPEAT: usize = 16 << 20;
/// Independent sums, so that additions do not wait for each other.
const SUMS: usize = 8;

pub(crate) fn bandwidths(threads: usize, caches: &Caches) -> Result<Vec<Bandwidth>, WrongResult> {
    // Half of a cache: the other half is for whatever else is in it. The last cache is shared,
    // and its share must not fit the cache before it.
    let shared = (caches.l3 / 2 / threads).max(caches.l2 * 2).min(caches.l3);
    let beyond = (caches.l3 * 4).max(128 << 20) / threads;
    let sets = [
        ("L1", caches.l1 / 2),
        ("L2", caches.l2 / 2),
        ("L3", shared),
        ("memory", beyond.max(caches.l3)),
    ];
    sets.into_iter().map(|(level, bytes)| bandwidth(level, bytes, threads)).collect()
}

fn bandwidth(level: &'static str, bytes: usize, threads: usize) -> Result<Bandwidth, WrongResult> {
    let vectors = bytes / size_of::<f32x8>() / SUMS / 2 * SUMS * 2;
    let passes = (BYTES_PER_REPEAT / bytes).max(1);
    let rate = |seconds: f64| (threads * passes * vectors * size_of::<f32x8>()) as f64 / seconds;

    let ones = || vec![f32x8::splat(1.0); vectors];
    let (seconds, sum) = fastest(threads, ones, |ones| {
        (0..passes).map(|_| sum_of(black_box(&ones[..]))).fold(0.0, f64::max)
    });
    check("reading", sum, (vectors * 8) as f64)?;
    let read = rate(seconds);

    // Half of the working set is copied to the other half.
    let halves = || (vec![f32x8::splat(1.0); vectors / 2], vec![f32x8::splat(0.0); vectors / 2]);
    let (seconds, sum) = fastest(threads, halves, |(from, to)| {
        for _ in 0..passes {
            to.copy_from_slice(black_box(&from[..]));
            black_box(&mut to[..]);
        }
        to[0].reduce_add() + to[vectors / 2 - 1].reduce_add()
    });
    check("copying", f64::from(sum), 16.0)?;
    Ok(Bandwidth {
        level,
        working_set: threads * vectors * size_of::<f32x8>(),
        read,
        copy: rate(seconds),
    })
}

/// The sum of whole numbers, which lanes hold exactly up to 16 million.
fn sum_of(vectors: &[f32x8]) -> f64 {
    let mut sums = [f32x8::splat(0.0); SUMS];
    for row in vectors.as_chunks::<SUMS>().0 {
        sums.iter_mut().zip(row).for_each(|(sum, &vector)| *sum += vector);
    }
    sums.iter().flat_map(|sum| sum.to_array()).map(f64::from).sum()
}

fn check(operation: &'static str, found: f64, expected: f64) -> Result<(), WrongResult> {
    if found == expected {
        return Ok(());
    }
    Err(WrongResult { operation, found: found as f32, expected: expected as f32 })
}
