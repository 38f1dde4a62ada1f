//! What other work on the machine took while times were taken: cores kept busy by other processes,
//! and the time for which the program's own threads waited for a core.

use std::time::Instant;

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
}
