use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::results::row::Load;

/// The clock that times a row's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Wall,
    /// Processor time of the calling thread, which steps on one thread. Measured on Linux only.
    Processor,
}

impl Clock {
    /// Time since an arbitrary start.
    pub(super) fn now(self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            #[cfg(target_os = "linux")]
            Self::Processor => {
                let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
                Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
            }
            _ => START.elapsed(),
        }
    }

    /// Seconds that this process's live threads spent waiting for a core while runnable.
    /// `None` if the system does not report waiting times, or if the clock leaves them out.
    pub(super) fn waited_seconds(self) -> Option<f64> {
        if self == Self::Processor {
            return None;
        }
        let mut nanoseconds = 0.0;
        for thread in std::fs::read_dir("/proc/self/task").ok()? {
            // The thread may have exited since it was listed.
            let Ok(text) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else {
                continue;
            };
            // The fields of `schedstat` are nanoseconds on a core, nanoseconds of waiting,
            // and the number of time slices.
            nanoseconds += text.split_whitespace().nth(1)?.parse::<f64>().ok()?;
        }
        Some(nanoseconds * 1.0e-9)
    }
}

/// Measures the processor time that other processes take, on Linux.
pub(super) struct LoadClock {
    begun: Instant,
    own_and_idle: Option<(f64, f64)>,
}

impl LoadClock {
    pub(super) fn start() -> Self {
        Self { begun: Instant::now(), own_and_idle: own_and_idle() }
    }

    pub(super) fn load(&self) -> Option<Load> {
        let wall_seconds = self.begun.elapsed().as_secs_f64();
        let ((before, _), (now, cores)) = (self.own_and_idle?, own_and_idle()?);
        let others = cores * wall_seconds - (now - before);
        Some(Load { others_seconds: others.max(0.0), wall_seconds })
    }
}

/// Seconds in which cores were idle or ran this process, and the number of cores.
#[cfg(target_os = "linux")]
fn own_and_idle() -> Option<(f64, f64)> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let cores = text.lines().filter(|line| line.starts_with("cpu")).count() - 1;
    // After `cpu`, the first line has ticks of user, nice and system time, then idle and iowait.
    let idle = text.lines().next()?.split_whitespace().skip(4).take(2);
    let idle: f64 = idle.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    let own = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let own = Duration::new(own.tv_sec as u64, own.tv_nsec as u32).as_secs_f64();
    Some((own + idle / TICKS_PER_SECOND, cores as f64))
}

#[cfg(not(target_os = "linux"))]
fn own_and_idle() -> Option<(f64, f64)> {
    None
}
