//! The state of the machine during timing: the speed of its clock, and the cores kept busy by
//! other processes.

use std::hint::black_box;
use std::time::Instant;

/// The time of a fixed chain of dependent integer operations, in microseconds. It touches no
/// memory, so it depends only on the processor's clock and on other work on the core. Without the
/// shift the chain would be linear, and the compiler would merge many of its links.
pub(crate) fn spin_us() -> f64 {
    let start = Instant::now();
    let mut value = black_box(1_u64);
    for _ in 0..16_384 {
        value = (value ^ (value >> 29)).wrapping_mul(6_364_136_223_846_793_005);
    }
    black_box(value);
    start.elapsed().as_secs_f64() * 1.0e6
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
        assert_eq!(busy(""), None);
        assert_eq!(used("nothing"), None);
    }

    #[test]
    fn the_spin_loop_runs_every_link_of_its_chain() {
        // Each link has a multiplication of at least three cycles, at under ten cycles per ns.
        assert!(spin_us() > 16_384.0 * 3.0 / 10.0 * 1.0e-3);
    }
}
