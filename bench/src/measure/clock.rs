use std::sync::LazyLock;
use std::time::{Duration, Instant};

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
