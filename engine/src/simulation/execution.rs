//! How steps are computed, which does not change their results.

use crate::cpu::{Instructions, Level};
use crate::crowd::Partition;
use crate::error::Error;
use crate::math::lanes::dispatch::Method;
use crate::parallel::{MAX_THREADS, Workers};
use crate::simulation::Simulation;

impl Simulation {
    /// How neighbor candidates are found.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.execution.partition
    }

    /// What computes the steps.
    #[must_use]
    pub fn method(&self) -> Method {
        self.execution.method
    }

    /// The instructions that the kernels and the sort use.
    #[must_use]
    pub fn level(&self) -> Level {
        self.execution.instructions.level()
    }

    /// How many threads share a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.execution.workers.threads()
    }

    /// How many threads a step actually uses: one if the crowd is too small for more to pay off.
    #[must_use]
    pub fn threads_in_use(&self) -> usize {
        self.execution.workers.for_crowd(self.len()).threads()
    }

    /// Chooses how neighbor candidates are found; the result is the same.
    pub fn set_partition(&mut self, partition: Partition) {
        self.execution.partition = partition;
    }

    /// Chooses what computes the steps; the result is the same.
    pub fn set_method(&mut self, method: Method) {
        self.execution.method = method;
    }

    /// Sets the instructions, and with them the vectors, that the kernels and the sort use. The
    /// results do not change.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if this processor lacks the level; nothing changes then.
    pub fn set_level(&mut self, level: Level) -> Result<(), Error> {
        self.execution.instructions = Instructions::new(level)?;
        Ok(())
    }

    /// Chooses how many threads share a step; 1 means the caller's thread alone. The result is the
    /// same. Small crowds always stay on the caller's thread.
    ///
    /// # Errors
    /// A number outside 1 to 1024, or if the threads cannot be started.
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
