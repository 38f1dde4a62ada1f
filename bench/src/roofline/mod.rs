//! The roofline of the machine at hand: how fast it can do what the kernels are made of, and
//! how much of that a step reaches.
//!
//! Every limit is measured and none is looked up, with the vectors that the kernels use, as
//! the best of several repeats. Work whose result is not exactly what plain scalar code gets
//! has no rate.

use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

mod arithmetic;
pub(crate) mod caches;
mod memory;
mod together;
pub(crate) mod work;

pub(crate) use caches::Caches;
pub(crate) use memory::Bandwidth;
pub(crate) use work::{Counts, Pairs, Share, Step};

/// What the machine can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Roofline {
    /// Agents in a vector of the widest kind that this build has.
    pub(crate) lanes: usize,
    pub(crate) caches: Caches,
    /// One entry per number of threads.
    pub(crate) limits: Vec<Limits>,
    /// What the kernels do, by which shares are worked out: the present program's, also for
    /// reports of an earlier one.
    #[serde(skip_deserializing)]
    pub(crate) counted: Counts,
}

/// What some threads can do together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    pub(crate) rates: Rates,
    /// From the smallest working set to the largest.
    pub(crate) bandwidths: Vec<Bandwidth>,
}

/// Operations per second, counted in lanes: one vector of 16 is 16 operations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rates {
    /// Additions; subtractions and comparisons run in the same units.
    pub(crate) add: f64,
    pub(crate) mul: f64,
    /// Fused multiply-adds, each one operation.
    pub(crate) fma: f64,
    /// Whether these are library calls, one to a lane, since the build has no instruction for
    /// them. Older reports do not tell.
    #[serde(default)]
    pub(crate) fma_calls: bool,
    /// As many additions as multiply-adds, both counted: tells whether they share units.
    pub(crate) add_and_fma: f64,
    pub(crate) div: f64,
    pub(crate) sqrt: f64,
    /// Loads of one number into all lanes, each feeding an addition.
    pub(crate) broadcast: f64,
}

/// An operation that did not compute what it should have.
#[derive(Debug, thiserror::Error)]
#[error("the {operation} benchmark computed {found}, and scalar code {expected}")]
pub(crate) struct WrongResult {
    operation: &'static str,
    found: f32,
    expected: f32,
}

impl Roofline {
    /// Measures, in about a second per number of threads.
    pub(crate) fn measure(threads: &[usize]) -> Result<Self, WrongResult> {
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
    pub(crate) fn limits(&self, threads: usize) -> Option<&Limits> {
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
