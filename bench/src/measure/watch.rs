//! What else the machine does while times are taken: how fast its clock runs, and how many
//! cores are busy for others.

use std::hint::black_box;
use std::time::Instant;

/// How long a fixed chain of dependent integer operations takes, in microseconds: it touches
/// no memory, so only the processor's clock and whoever shares the core can change it. Without
/// the shift it would be linear, and the compiler would take many links of it at once.
pub(crate) fn spin_us() -> f64 {
    let start = Instant::now();
    let mut value = black_box(1_u64);
    for _ in 0..16_384 {
        value = (value ^ (value >> 29)).wrapping_mul(6_364_136_223_846_793_005);
    }
    black_box(value);
    start.elapsed().as_secs_f64() * 1.0e6
}

/// Watches the cores that other processes, and other guests of the machine, keep busy.
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

    /// Cores kept busy by others since the start, if the system tells, and the seconds since
    /// then. In a few ticks' time it says little, and may be below zero.
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

/// Busy ticks of all cores: user, nice, system, irq, softirq and stolen by other guests; not
/// idle and waiting for input.
fn busy(stat: &str) -> Option<f64> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let fields: Vec<f64> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
    Some([0, 1, 2, 5, 6, 7].iter().filter_map(|&field| fields.get(field)).sum())
}

/// User and system ticks of a process. Its name may hold spaces and parentheses.
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
    fn no_link_of_the_spin_loops_chain_is_left_out() {
        // Each has a multiplication of three cycles at least, at less than ten per nanosecond.
        assert!(spin_us() > 16_384.0 * 3.0 / 10.0 * 1.0e-3);
    }
}
