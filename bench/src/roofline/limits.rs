//! The limits of the machine for given numbers of threads.

use std::thread::available_parallelism;

use flockwork::cpu::Level;
use serde::{Deserialize, Serialize};

use super::arithmetic::{self, Rates};
use super::caches::Caches;
use super::memory::{self, Bandwidth};
use super::timing::Unmeasured;

/// The limits of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Roofline {
    /// Lanes of the widest vector in this build.
    pub lanes: usize,
    pub caches: Caches,
    /// One entry per number of threads.
    pub limits: Vec<Limits>,
}

/// The limits of some threads together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub threads: usize,
    pub rates: Rates,
    /// From the smallest working set to the largest.
    pub bandwidths: Vec<Bandwidth>,
}

impl Roofline {
    /// Measures the limits for crowds of up to `largest` bytes, in about a second per number of
    /// threads.
    pub fn measure(threads: &[usize], largest: usize) -> Result<Self, Unmeasured> {
        let level = Level::used_or_found();
        let caches = Caches::look();
        let cores = available_parallelism().map_or(1, usize::from);
        let limits = worth_measuring(threads, cores).into_iter().map(|threads| {
            let rates = arithmetic::rates(level, threads)?;
            Ok(Limits {
                threads,
                rates,
                bandwidths: memory::bandwidths(threads, &caches, largest)?,
            })
        });
        let limits = limits.collect::<Result<_, _>>()?;
        let lanes = level.lanes();
        Ok(Self { lanes, caches, limits })
    }

    /// The limits of this number of threads, or of the nearest measured number.
    pub fn limits(&self, threads: usize) -> Option<&Limits> {
        self.limits.iter().min_by_key(|limits| limits.threads.abs_diff(threads))
    }
}

/// Each number of threads once and none above the number of cores: more threads compute no faster,
/// and each would allocate a working set beyond all caches.
fn worth_measuring(threads: &[usize], cores: usize) -> Vec<usize> {
    let mut threads: Vec<usize> = threads.iter().map(|&threads| threads.min(cores)).collect();
    threads.dedup();
    threads
}

#[cfg(test)]
mod tests {
    use super::worth_measuring;

    #[test]
    fn at_most_as_many_threads_as_cores_are_measured() {
        assert_eq!(worth_measuring(&[1, 1_024], 8), [1, 8]);
        assert_eq!(worth_measuring(&[1, 1], 8), [1]);
    }
}
