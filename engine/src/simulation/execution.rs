use crate::cpu::{Instructions, Level};
use crate::crowd::Partition;
use crate::error::Error;
use crate::math::lanes::dispatch::Method;
use crate::parallel::{MAX_THREADS, Workers};
use crate::simulation::Simulation;

impl Simulation {
    /// The neighbor-search method: grid cells or all pairs.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.execution.partition
    }

    /// The implementation used for steps: SIMD kernels or one agent at a time.
    #[must_use]
    pub fn method(&self) -> Method {
        self.execution.method
    }

    /// The instruction set used by the kernels and the sort.
    #[must_use]
    pub fn level(&self) -> Level {
        self.execution.instructions.level()
    }

    /// The number of threads that share a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.execution.workers.threads()
    }

    /// The number of threads that a step actually uses:
    /// 1 if the crowd is too small to benefit from more.
    #[must_use]
    pub fn threads_in_use(&self) -> usize {
        self.execution.workers.for_crowd(self.len()).threads()
    }

    /// Selects the neighbor-search method: grid cells or all pairs. Results do not change.
    pub fn set_partition(&mut self, partition: Partition) {
        self.execution.partition = partition;
    }

    /// Selects the implementation used for steps. Results do not change.
    pub fn set_method(&mut self, method: Method) {
        self.execution.method = method;
    }

    /// Selects the instruction set, and thus the vector width, for the kernels and the sort.
    /// Results do not change.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if this processor does not support the level.
    /// On error, nothing changes.
    pub fn set_level(&mut self, level: Level) -> Result<(), Error> {
        self.execution.instructions = Instructions::new(level)?;
        Ok(())
    }

    /// Sets the number of threads that share a step; with 1, steps run on the caller's thread.
    /// Results do not change. Small crowds always run on the caller's thread.
    ///
    /// # Errors
    /// A number outside 1 to 1024, or a failure to start the threads.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(Error::refused("threads", threads, format!("from 1 to {MAX_THREADS}")));
        }
        if threads != self.execution.workers.threads() {
            self.execution.workers = Workers::new(threads)?;
        }
        Ok(())
    }
}
