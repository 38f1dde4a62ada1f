//! The state of the machine during timing: the speed of its clock and of its memory, and the cores
//! kept busy by other processes.

use std::hint::black_box;
use std::time::Instant;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The time of a fixed chain of dependent integer operations, in microseconds. It touches no
/// memory, so it depends only on the processor's clock and on other work on the core. Without the
/// shift the chain would be linear, and the compiler would merge many of its links.
pub(crate) fn clock_us() -> f64 {
    let start = Instant::now();
    let mut value = black_box(1_u64);
    for _ in 0..16_384 {
        value = (value ^ (value >> 29)).wrapping_mul(6_364_136_223_846_793_005);
    }
    black_box(value);
    start.elapsed().as_secs_f64() * 1.0e6
}

/// A chain of loads through memory in random order, each of which waits for the one before. It is
/// longer than the caches that a core has for itself, so it waits for what is shared with other
/// cores, and with other guests of the machine: the last cache and memory.
pub(crate) struct MemoryProbe {
    /// For each line of memory, the next one; the rest of a line is padding.
    next: Vec<[u32; LINE]>,
    at: u32,
}

/// Numbers in a line of memory.
const LINE: usize = 16;
const LINES: u32 = 1 << 19;
const LOADS: u32 = 1_024;

impl MemoryProbe {
    pub(crate) fn new() -> Self {
        // One circle through all lines (Sattolo).
        let mut order: Vec<u32> = (0..LINES).collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2004);
        for k in (1..order.len()).rev() {
            order.swap(k, (random.next_u64() % k as u64) as usize);
        }
        let mut next = vec![[0; LINE]; LINES as usize];
        for (line, to) in next.iter_mut().zip(order) {
            line[0] = to;
        }
        Self { next, at: 0 }
    }

    /// Nanoseconds per load, over a part of the chain that no cache of a core still has.
    pub(crate) fn ns(&mut self) -> f64 {
        let start = Instant::now();
        for _ in 0..LOADS {
            self.at = self.next[self.at as usize][0];
        }
        black_box(self.at);
        start.elapsed().as_secs_f64() * 1.0e9 / f64::from(LOADS)
    }
}

/// Watches the cores kept busy by other processes and by other guests of the machine.
pub(crate) struct Watch {
    start: Instant,
    before: Option<Ticks>,
}

/// Processor time in ticks of a hundredth of a second.
struct Ticks {
    all: f64,
    own: f64,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now(), before: Ticks::now() }
    }

    /// Cores kept busy by others since the start, if the system reports them, and the seconds since
    /// then. Within a few ticks the value is coarse and may be negative.
    pub(crate) fn cores_elsewhere(&self) -> (Option<f64>, f64) {
        let seconds = self.start.elapsed().as_secs_f64();
        let cores = self.before.as_ref().zip(Ticks::now()).map(|(before, after)| {
            let ticks = (after.all - before.all) - (after.own - before.own);
            ticks / 100.0 / seconds
        });
        (cores, seconds)
    }
}

/// Seconds for which all threads of this program together were ready and waited for a core, since
/// their start, if the system reports it.
pub(crate) fn waited_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may have ended since it was listed.
        let Ok(text) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else {
            continue;
        };
        nanoseconds += waited(&text)?;
    }
    Some(nanoseconds * 1.0e-9)
}

/// The second number: the first is the time on a core, the third the number of times.
fn waited(schedstat: &str) -> Option<f64> {
    schedstat.split_whitespace().nth(1)?.parse().ok()
}

impl Ticks {
    fn now() -> Option<Self> {
        let system = std::fs::read_to_string("/proc/stat").ok()?;
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        Some(Self { all: busy(&system)?, own: used(&own)? })
    }
}

/// Busy ticks of all cores: user, nice, system, irq, softirq and steal, without idle and iowait.
fn busy(stat: &str) -> Option<f64> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let fields: Vec<f64> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
    Some([0, 1, 2, 5, 6, 7].iter().filter_map(|&field| fields.get(field)).sum())
}

/// User and system ticks of a process. Its name may contain spaces and parentheses.
fn used(stat: &str) -> Option<f64> {
    let after_name = &stat[stat.rfind(')')? + 1..];
    let mut fields = after_name.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_read_from_the_systems_tables() {
        let stat = "cpu  100 10 20 900 50 3 4 5 7 0\ncpu0 1 2 3\n";
        assert_eq!(busy(stat), Some(142.0));
        let own = "42 (a (b) c) R 1 1 1 0 -1 4194304 80 0 0 0 17 4 0 0 20 0 1 0 5 6 7";
        assert_eq!(used(own), Some(21.0));
        assert_eq!(waited("74020 1500 3\n"), Some(1500.0));
        assert_eq!(waited("74020"), None);
        assert_eq!(busy(""), None);
        assert_eq!(used("nothing"), None);
    }

    #[test]
    fn the_chain_through_memory_is_one_circle() {
        let mut probe = MemoryProbe::new();
        let mut steps = 0_u32;
        loop {
            probe.at = probe.next[probe.at as usize][0];
            steps += 1;
            if probe.at == 0 {
                break;
            }
        }
        assert_eq!(steps, LINES);
        // A load that leaves a core's caches takes more than a few cycles.
        assert!(probe.ns() > 1.0);
    }

    #[test]
    fn the_spin_loop_runs_every_link_of_its_chain() {
        // Each link has a multiplication of at least three cycles, at under ten cycles per ns.
        assert!(clock_us() > 16_384.0 * 3.0 / 10.0 * 1.0e-3);
    }
}
