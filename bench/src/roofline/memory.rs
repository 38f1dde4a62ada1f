//! Cache sizes and memory bandwidth. Bandwidth is measured by copying, since a step writes about
//! as much as it reads. Working sets range from the L1 cache to main memory.

use std::hint::black_box;

use flockwork::internal::memory;
use serde::Serialize;

use super::timing::{Unmeasured, check, fastest};

/// Data cache sizes of the first processor, in bytes, or typical sizes if the system does
/// not report them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Caches {
    pub l1: usize,
    pub l2: usize,
    pub l3: usize,
}

impl Caches {
    pub fn detect() -> Self {
        let sizes: [Option<usize>; 3] = [1, 2, 3].map(size_of_level);
        match sizes {
            [Some(l1), Some(l2), l3] => Self { l1, l2, l3: l3.unwrap_or(l2) },
            _ => Self { l1: 32 << 10, l2: 1 << 20, l3: 32 << 20 },
        }
    }
}

fn size_of_level(level: u32) -> Option<usize> {
    let size = |index: u32| {
        let read = |what: &str| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}");
            Some(std::fs::read_to_string(path).ok()?.trim().to_owned())
        };
        let is_it = read("level")?.parse() == Ok(level) && read("type")? != "Instruction";
        if is_it { bytes(&read("size")?) } else { None }
    };
    (0..8).find_map(size)
}

fn bytes(size: &str) -> Option<usize> {
    let (number, factor) = match size.strip_suffix('K') {
        Some(number) => (number, 1 << 10),
        None => (size.strip_suffix('M')?, 1 << 20),
    };
    Some(number.parse::<usize>().ok()? * factor)
}

/// Unit of allocation; its alignment keeps the kernels' vectors from crossing cache lines.
type Vector = wide::f32x16;

/// Combined copy bandwidth of all threads at one level of the memory hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bandwidth {
    /// Memory level that holds each thread's working set: `L1`, `L2`, `L3` or `memory`.
    pub level: String,
    /// Combined buffer size of all threads, in bytes.
    pub working_set: usize,
    /// Bytes read plus bytes written, per second.
    pub copy: f64,
}

/// Minimum number of bytes that a thread touches per repeat.
const BYTES_PER_REPEAT: usize = 16 << 20;

/// Measures the memory levels up to the first that holds `largest` bytes, because no step needs
/// more. Stops early if the next level exceeds the available memory.
pub(super) fn bandwidths(
    threads: usize,
    caches: &Caches,
    largest: usize,
) -> Result<Vec<Bandwidth>, Unmeasured> {
    // Fill only half of a cache, since other data needs the rest. Threads share the L3 cache, but
    // each thread's buffer must exceed its L2 cache, or L2 would be measured instead.
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
    let smaller = sets(1).iter().take_while(|(_, bytes)| *bytes < largest).count();
    let needed = sets(threads).into_iter().take(smaller + 1);
    let fits = |(_, bytes): &(&str, usize)| memory::check((threads * bytes) as u64).is_ok();
    let measured = needed.take_while(fits);
    measured.map(|(level, bytes)| bandwidth(level, bytes, threads)).collect()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_with_their_unit() {
        assert_eq!(bytes("48K"), Some(48 * 1024));
        assert_eq!(bytes("2M"), Some(2 * 1024 * 1024));
        assert_eq!(bytes("12"), None);
    }

    /// Regression: buffers beyond the available memory were filled until the program was killed.
    #[test]
    fn levels_that_do_not_fit_into_memory_are_left_out() {
        let caches = Caches { l1: 32 << 10, l2: 1 << 20, l3: 1 << 50 };
        let levels: Vec<String> =
            bandwidths(1, &caches, usize::MAX).unwrap().into_iter().map(|it| it.level).collect();
        assert_eq!(levels, ["L1", "L2"]);
    }

    #[test]
    fn higher_levels_are_not_smaller() {
        let Caches { l1, l2, l3, .. } = Caches::detect();
        assert!(0 < l1 && l1 <= l2 && l2 <= l3);
    }
}
