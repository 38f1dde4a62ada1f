use crate::cpu::{Instructions, Level};
use crate::crowd::Partition;
use crate::error::Error;
use crate::math::lanes::dispatch::Method;
use crate::parallel::{MAX_THREADS, Workers};
use crate::simulation::{Executor, Simulation};

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

impl Simulation {
    /// Arguments by which `with_lanes!` chooses the kernels' lane type.
    pub(crate) fn lane_choice(&self, method: Method) -> (Instructions, Method, bool) {
        (self.execution.instructions, method, self.setting.space.is_flat())
    }

    /// How steps are computed.
    pub fn execution(&self) -> Execution {
        let Executor { workers, method, instructions, partition } = &self.execution;
        Execution {
            partition: *partition,
            method: *method,
            level: instructions.level(),
            threads: workers.threads(),
        }
    }

    /// Sets how steps are computed. Results do not change.
    ///
    /// ```
    /// use flockwork::{Partition, Scene};
    ///
    /// let mut crowd = Scene::named("flock")?.build()?;
    /// crowd.set_execution(crowd.execution().threads(2).partition(Partition::AllPairs))?;
    /// assert_eq!(crowd.execution().threads, 2);
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// A level that this processor does not support, a number of threads outside 1 to 1024,
    /// or a failure to start the threads. On error, nothing changes.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Error> {
        let Execution { partition, method, level, threads } = execution;
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(Error::refused("threads", threads, format!("from 1 to {MAX_THREADS}")));
        }
        let instructions = Instructions::new(level)?;
        let mut workers = self.execution.workers.clone();
        if threads != workers.threads() {
            workers = Workers::new(threads)?;
        }
        self.execution = Executor { workers, method, instructions, partition };
        Ok(())
    }

    /// The number of threads that a step actually uses:
    /// 1 if the crowd is too small to benefit from more.
    #[must_use]
    pub fn threads_in_use(&self) -> usize {
        self.execution.workers.for_crowd(self.len()).threads()
    }
}
