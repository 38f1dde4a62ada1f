//! Counters of the processor, where the system gives them to this program.

use serde::{Deserialize, Serialize};

/// What is counted, per agent-step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) cycles: f64,
    pub(crate) instructions: f64,
    pub(crate) branch_misses: f64,
}

impl From<Counts> for [f64; 3] {
    fn from(Counts { cycles, instructions, branch_misses }: Counts) -> Self {
        [cycles, instructions, branch_misses]
    }
}

impl From<[f64; 3]> for Counts {
    fn from([cycles, instructions, branch_misses]: [f64; 3]) -> Self {
        Self { cycles, instructions, branch_misses }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use of_linux::Counters;

#[cfg(target_os = "linux")]
mod of_linux {
    use std::io;

    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter, Group};

    /// The counters of the thread that opened them, outside of the kernel.
    pub(crate) struct Counters {
        group: Group,
        counters: [Counter; 3],
    }

    impl Counters {
        /// Says why if the system gives none.
        pub(crate) fn open() -> Result<Self, String> {
            let mut counters = Self::new().map_err(|error| match error.kind() {
                io::ErrorKind::PermissionDenied => {
                    "the system does not allow it (kernel.perf_event_paranoid)".to_owned()
                }
                io::ErrorKind::NotFound => "this machine has none, like most virtual ones".into(),
                _ => error.to_string(),
            })?;
            counters.start();
            std::hint::black_box((0..1_000_u64).fold(0, |sum, k| std::hint::black_box(sum ^ k)));
            match counters.stop() {
                Some([cycles, instructions, _]) if cycles > 0.0 && instructions > 0.0 => {
                    Ok(counters)
                }
                _ => Err("they do not count".into()),
            }
        }

        fn new() -> io::Result<Self> {
            let mut group = Group::new()?;
            let mut add = |event: Hardware| group.add(&Builder::new(event));
            let counters = [
                add(Hardware::CPU_CYCLES)?,
                add(Hardware::INSTRUCTIONS)?,
                add(Hardware::BRANCH_MISSES)?,
            ];
            Ok(Self { group, counters })
        }

        pub(crate) fn start(&mut self) {
            // What fails here gives no counts when they are read.
            let _ = self.group.reset().and_then(|()| self.group.enable());
        }

        /// Cycles, instructions and mispredicted branches since the start; `None` if others had the
        /// counters for a part of the time.
        pub(crate) fn stop(&mut self) -> Option<[f64; 3]> {
            self.group.disable().ok()?;
            let counts = self.group.read().ok()?;
            let whole = counts.time_running() == counts.time_enabled();
            whole.then(|| self.counters.each_ref().map(|counter| counts[counter] as f64))
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) struct Counters(std::convert::Infallible);

#[cfg(not(target_os = "linux"))]
impl Counters {
    pub(crate) fn open() -> Result<Self, String> {
        Err("they are read on Linux only".into())
    }

    pub(crate) fn start(&mut self) {
        match self.0 {}
    }

    pub(crate) fn stop(&mut self) -> Option<[f64; 3]> {
        match self.0 {}
    }
}
