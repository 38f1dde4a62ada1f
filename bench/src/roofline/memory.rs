//! Memory bandwidth for copying, as a step writes about as much as it reads, from working sets that
//! fit the first cache to sets that fit no cache.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use super::caches::Caches;
use super::timing::{Unmeasured, check, fastest};

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

/// The bandwidths of the levels up to the first that holds `largest` bytes, since no step needs those
/// beyond.
pub(super) fn bandwidths(
    threads: usize,
    caches: &Caches,
    largest: usize,
) -> Result<Vec<Bandwidth>, Unmeasured> {
    // Half of a cache, since it contains other data too. The last cache is shared, and a thread's
    // share of it must not fit the cache before it.
    let shared = |threads: usize| (caches.l3 / 2 / threads).max(caches.l2 * 2).min(caches.l3);
    let beyond =
        |threads: usize| ((caches.l3 * 4).clamp(128 << 20, 1 << 30) / threads).max(caches.l3);
    let sets = |threads: usize| {
        [
            ("L1", caches.l1 / 2),
            ("L2", caches.l2 / 2),
            ("L3", shared(threads)),
            ("memory", beyond(threads)),
        ]
    };
    // The same levels for any number of threads.
    let smaller = sets(1).iter().take_while(|(_, bytes)| *bytes < largest).count();
    let needed = sets(threads).into_iter().take(smaller + 1);
    needed.map(|(level, bytes)| bandwidth(level, bytes, threads)).collect()
}

/// One half of the working set is copied to the other.
fn bandwidth(level: &str, bytes: usize, threads: usize) -> Result<Bandwidth, Unmeasured> {
    let half = bytes / size_of::<Vector>() / 2;
    let passes = (BYTES_PER_REPEAT / bytes).max(1);
    let filled = |value: f32| {
        let mut vectors = Vec::new();
        let reserved = vectors.try_reserve_exact(half);
        reserved.map_err(|_| Unmeasured::Memory { bytes: threads * bytes })?;
        vectors.resize(half, Vector::splat(value));
        Ok(vectors)
    };
    let halves = (0..threads).map(|_| Ok((filled(1.0)?, filled(0.0)?)));
    let (seconds, ends) = fastest(halves.collect::<Result<_, _>>()?, |(from, to)| {
        for _ in 0..passes {
            to.copy_from_slice(black_box(&from[..]));
            black_box(&mut to[..]);
        }
        to[0] + to[half - 1]
    })?;
    for lane in ends.to_array() {
        check("copying", lane, 2.0)?;
    }
    let working_set = threads * 2 * half * size_of::<Vector>();
    let copy = (passes * working_set) as f64 / seconds;
    Ok(Bandwidth { level: level.to_owned(), working_set, copy })
}
