//! The limits of a machine, for some numbers of threads.

use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

use super::arithmetic::{self, Rates};
use super::caches::Caches;
use super::error::WrongResult;
use super::memory::{self, Bandwidth};
use super::work::Counts;

/// What the machine can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Roofline {
    /// Agents in a vector of the widest kind that this build has.
    pub lanes: usize,
    pub caches: Caches,
    /// One entry per number of threads.
    pub limits: Vec<Limits>,
    /// What the kernels do, by which shares are worked out: the present program's, also for
    /// reports of an earlier one.
    #[serde(skip_deserializing)]
    pub counted: Counts,
}

/// What some threads can do together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub threads: usize,
    pub rates: Rates,
    /// From the smallest working set to the largest.
    pub bandwidths: Vec<Bandwidth>,
}

impl Roofline {
    /// Measures, in about a second per number of threads.
    pub fn measure(threads: &[usize]) -> Result<Self, WrongResult> {
        let caches = Caches::look();
        let cores = available_parallelism().map_or(1, usize::from);
        let limits = worth_measuring(threads, cores).into_iter().map(|threads| {
            let rates = arithmetic::rates(threads)?;
            Ok(Limits { threads, rates, bandwidths: memory::bandwidths(threads, &caches)? })
        });
        let limits = limits.collect::<Result<_, _>>()?;
        Ok(Self { lanes: arithmetic::LANES, caches, limits, counted: Counts::default() })
    }

    /// The limits of that many threads, or of the nearest number that was measured.
    pub fn limits(&self, threads: usize) -> Option<&Limits> {
        self.limits.iter().min_by_key(|limits| limits.threads.abs_diff(threads))
    }
}

/// Each number of threads once, and none above the cores: more threads can do no more, and
/// each would take memory for sets beyond all caches.
fn worth_measuring(threads: &[usize], cores: usize) -> Vec<usize> {
    let mut threads: Vec<usize> = threads.iter().map(|&threads| threads.min(cores)).collect();
    threads.dedup();
    threads
}

#[cfg(test)]
mod tests {
    use super::worth_measuring;

    #[test]
    fn no_more_threads_are_measured_than_there_are_cores() {
        assert_eq!(worth_measuring(&[1, 1_024], 8), [1, 8]);
        assert_eq!(worth_measuring(&[1, 1], 8), [1]);
    }
}
