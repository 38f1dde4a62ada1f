//! Memory bandwidth for reading and copying, from working sets that fit the first cache to sets
//! that fit no cache.

use std::hint::black_box;

use flockwork::cpu::Level;
use flockwork::internal::with_lanes_of;
use serde::{Deserialize, Serialize};

use super::caches::Caches;
use super::chains::{LANES, ROW, Sum, Vector};
use super::error::{WrongResult, check};
use super::timing::fastest;

/// Bytes per second, all threads together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bandwidth {
    /// The level that the working set of a thread fits: `L1`, `L2`, `L3` or `memory`.
    pub level: String,
    /// Bytes of all threads together.
    pub working_set: usize,
    pub read: f64,
    /// Bytes read plus bytes written.
    pub copy: f64,
}

/// The fewest bytes that a thread touches in a repeat.
const BYTES_PER_REPEAT: usize = 16 << 20;
pub(crate) fn bandwidths(
    kernels: Level,
    threads: usize,
    caches: &Caches,
) -> Result<Vec<Bandwidth>, WrongResult> {
    // Half of a cache, since it contains other data too. The last cache is shared, and a thread's
    // share of it must not fit the cache before it.
    let shared = (caches.l3 / 2 / threads).max(caches.l2 * 2).min(caches.l3);
    let beyond = (caches.l3 * 4).clamp(128 << 20, 1 << 30) / threads;
    let sets = [
        ("L1", caches.l1 / 2),
        ("L2", caches.l2 / 2),
        ("L3", shared),
        ("memory", beyond.max(caches.l3)),
    ];
    sets.into_iter().map(|(level, bytes)| bandwidth(kernels, level, bytes, threads)).collect()
}

fn bandwidth(
    kernels: Level,
    level: &str,
    bytes: usize,
    threads: usize,
) -> Result<Bandwidth, WrongResult> {
    let vectors = bytes / size_of::<Vector>() / ROW / 2 * ROW * 2;
    let passes = (BYTES_PER_REPEAT / bytes).max(1);
    let rate = |seconds: f64| (threads * passes * vectors * size_of::<Vector>()) as f64 / seconds;

    let expected = (vectors * LANES) as f64;
    let ones = || vec![Vector::splat(1.0); vectors];
    let (seconds, sum) = fastest(threads, ones, |ones| {
        let sum = |_| with_lanes_of(kernels, Sum(black_box(&ones[..])));
        let mut sums = (0..passes).map(sum).map(|sum| sum.expect("the processor has the level"));
        sums.find(|sum| *sum != expected).unwrap_or(expected)
    });
    check("reading", sum, expected)?;
    let read = rate(seconds);

    // One half of the working set is copied to the other.
    let halves = || (vec![Vector::splat(1.0); vectors / 2], vec![Vector::splat(0.0); vectors / 2]);
    let (seconds, sum) = fastest(threads, halves, |(from, to)| {
        for _ in 0..passes {
            to.copy_from_slice(black_box(&from[..]));
            black_box(&mut to[..]);
        }
        total(&to[0]) + total(&to[vectors / 2 - 1])
    });
    check("copying", sum, (2 * LANES) as f64)?;
    Ok(Bandwidth {
        level: level.to_owned(),
        working_set: threads * vectors * size_of::<Vector>(),
        read,
        copy: rate(seconds),
    })
}

fn total(lanes: &Vector) -> f64 {
    lanes.to_array().into_iter().map(f64::from).sum()
}
