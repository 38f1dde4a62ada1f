use std::time::{Duration, Instant};

use crate::cpu::Level;
use crate::crowd::Partition;
use crate::math::lanes::dispatch::Method;

/// How steps are computed. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Execution {
    /// The neighbor-search method: grid cells or all pairs.
    pub partition: Partition,
    /// The implementation of steps: SIMD kernels or one agent at a time.
    pub method: Method,
    /// The instruction set, and thus the vector width, of the kernels and the sort.
    pub level: Level,
    /// The number of threads that share a step, from 1 to 1024. With 1 thread, or for small crowds,
    /// steps run on the caller's thread.
    pub threads: usize,
}

impl Execution {
    setters! {
        /// Selects the neighbor-search method: grid cells or all pairs.
        partition(partition: Partition) = partition;
        /// Selects the implementation of steps: SIMD kernels or one agent at a time.
        method(method: Method) = method;
        /// Selects the instruction set, and thus the vector width, of the kernels and the sort.
        level(level: Level) = level;
        /// Sets the number of threads that share a step, from 1 to 1024.
        threads(threads: usize) = threads;
    }
}

/// Time spent in each stage of a step; zero for disabled stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Time spent sorting the crowd into cells.
    pub sort: Duration,
    /// Time spent steering and moving all agents.
    pub steer: Duration,
    /// Time spent pushing overlapping agents apart.
    pub non_penetration: Duration,
    /// Time spent smoothing headings.
    pub smooth: Duration,
}

/// Times the stages of a step. Timing is optional, because reading the clock takes up to 1/60
/// of a small crowd's step.
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub(crate) fn start(timed: bool) -> Self {
        Self(timed.then(Instant::now))
    }

    pub(crate) fn lap(&mut self) -> Duration {
        self.0.as_mut().map_or(Duration::ZERO, |start| {
            let end = Instant::now();
            end - std::mem::replace(start, end)
        })
    }
}
