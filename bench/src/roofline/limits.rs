use std::thread::available_parallelism;

use flockwork::cpu::Level;
use serde::Serialize;

use super::arithmetic::{self, Rates};
use super::memory::{self, Bandwidth, Caches};
use super::timing::Unmeasured;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Roofline {
    pub lanes: usize,
    pub caches: Caches,
    pub limits: Vec<Limits>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limits {
    pub threads: usize,
    pub rates: Rates,
    /// Sorted from the smallest working set to the largest.
    pub bandwidths: Vec<Bandwidth>,
}

impl Roofline {
    /// Measures the limits for crowds of up to `largest` bytes, in about a second per thread count.
    /// Clamps thread counts to the number of cores: more threads compute no faster,
    /// and each would allocate a working set.
    pub fn measure(threads: &[usize], largest: usize) -> Result<Self, Unmeasured> {
        let level = Level::used_or_found();
        let caches = Caches::detect();
        let cores = available_parallelism().map_or(1, usize::from);
        let mut threads: Vec<usize> = threads.iter().map(|&threads| threads.min(cores)).collect();
        threads.dedup();
        let limits = threads.into_iter().map(|threads| {
            let bandwidths = memory::bandwidths(threads, &caches, largest)?;
            Ok(Limits { threads, rates: arithmetic::rates(level, threads)?, bandwidths })
        });
        let limits = limits.collect::<Result<_, _>>()?;
        let lanes = level.lanes();
        Ok(Self { lanes, caches, limits })
    }

    /// Returns the limits for this number of threads, or for the nearest measured number.
    pub fn limits(&self, threads: usize) -> Option<&Limits> {
        self.limits.iter().min_by_key(|limits| limits.threads.abs_diff(threads))
    }
}
