//! Memory bandwidth for copying, as a step writes about as much as it reads, from working sets that
//! fit the first cache to sets that fit no cache.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use super::caches::Caches;
use super::timing::{WrongResult, check, fastest};

/// What is allocated and counted: no vector of the kernels crosses its edges.
type Vector = wide::f32x16;

/// Bytes per second, all threads together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bandwidth {
    /// The level that the working set of a thread fits: `L1`, `L2`, `L3` or `memory`.
    pub level: String,
    /// Bytes of all threads together.
    pub working_set: usize,
    /// Bytes read plus bytes written.
    pub copy: f64,
}

/// The fewest bytes that a thread touches in a repeat.
const BYTES_PER_REPEAT: usize = 16 << 20;

pub(super) fn bandwidths(threads: usize, caches: &Caches) -> Result<Vec<Bandwidth>, WrongResult> {
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
    sets.into_iter().map(|(level, bytes)| bandwidth(level, bytes, threads)).collect()
}

/// One half of the working set is copied to the other.
fn bandwidth(level: &str, bytes: usize, threads: usize) -> Result<Bandwidth, WrongResult> {
    let half = bytes / size_of::<Vector>() / 2;
    let passes = (BYTES_PER_REPEAT / bytes).max(1);
    let halves = || (vec![Vector::splat(1.0); half], vec![Vector::splat(0.0); half]);
    let (seconds, ends) = fastest(threads, halves, |(from, to)| {
        for _ in 0..passes {
            to.copy_from_slice(black_box(&from[..]));
            black_box(&mut to[..]);
        }
        to[0] + to[half - 1]
    });
    for lane in ends.to_array() {
        check("copying", lane, 2.0)?;
    }
    let working_set = threads * 2 * half * size_of::<Vector>();
    let copy = (passes * working_set) as f64 / seconds;
    Ok(Bandwidth { level: level.to_owned(), working_set, copy })
}
