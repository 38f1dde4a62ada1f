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
    /// The number of threads that share a step, from 1 to 1024. With 1, steps run on the caller's
    /// thread; those of small crowds always do.
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
