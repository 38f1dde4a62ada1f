//! Counts the kernels' work in a step of workload W and compares it with the machine's limits.
//!
//! The counts are a lower bound: loop tails, mispredicted branches, latency and a few
//! uncounted operations take extra time. A step therefore cannot reach 100% of its limit,
//! and the gap bounds any possible gain.

use std::fmt;

use serde::Serialize;

use super::limits::Limits;

/// Number of operations, counted per lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Additions, subtractions and comparisons.
    pub add: f64,
    pub mul: f64,
    pub fma: f64,
    pub div: f64,
    pub sqrt: f64,
    pub broadcast: f64,
}

impl Work {
    pub const NONE: Self =
        Self { add: 0.0, mul: 0.0, fma: 0.0, div: 0.0, sqrt: 0.0, broadcast: 0.0 };
    /// Work per axis to test one candidate in one lane of the sweep (`batch/sweep.rs`): a
    /// subtraction for the offset and a multiply-add for the squared distance.
    pub const TEST_AXIS: Self = Self { add: 1.0, fma: 1.0, broadcast: 1.0, ..Self::NONE };
    /// Work to compare the distance with the view distance, once per candidate.
    pub const TEST: Self = Self { add: 1.0, ..Self::NONE };
    /// Work per axis to add one candidate to the sums: an addition each for heading and offset, and
    /// a multiply-add for the inverse offset.
    pub const SUMS_AXIS: Self = Self { add: 2.0, fma: 1.0, broadcast: 1.0, ..Self::NONE };
    /// Work to add one candidate to the sums, besides the work per axis: 1 addition for the count,
    /// 1 division.
    pub const SUMS: Self = Self { add: 1.0, div: 1.0, ..Self::NONE };
    /// [`Self::SUMS`] with 16 lanes, where a reciprocal estimate and 4 multiply-adds replace one in
    /// four divisions. The estimate counts as a multiplication.
    pub const SUMS_OF_16: Self = Self { mul: 0.25, fma: 1.0, div: 0.75, ..Self::SUMS };
    /// Extra work per pair and axis for the minimum image. With cells, a run of candidates shares
    /// one shift. Rounding counts as an addition.
    pub const IMAGE_AXIS: Self = Self { add: 2.0, mul: 1.0, fma: 1.0, ..Self::NONE };
    /// Square roots and divisions per agent after the sweep: 4 and 3 for three prioritized
    /// behaviors (`step/combine.rs`; the budget left by the first force needs no root),
    /// 1 and 0 for cohesion, 1 and 1 for locomotion. The rest is cheap compared with the sweep.
    pub const AGENT: Self = Self { div: 4.0, sqrt: 6.0, ..Self::NONE };

    pub fn plus(self, other: Self, times: f64) -> Self {
        Self {
            add: self.add + times * other.add,
            mul: self.mul + times * other.mul,
            fma: self.fma + times * other.fma,
            div: self.div + times * other.div,
            sqrt: self.sqrt + times * other.sqrt,
            broadcast: self.broadcast + times * other.broadcast,
        }
    }
}

/// Bytes per agent that the sort moves in addition to `SORT_BYTES_PER_AXIS`. The sort writes the
/// cell numbers and reads them twice (4 + 4 + 4), writes and reads the order (4 + 4), and reads and
/// writes the column of indices (4 + 4).
const SORT_BYTES: f64 = 28.0;
/// The sort reads each axis of the positions to compute cell numbers (4), and reads and writes two
/// columns of each axis (8 + 8).
const SORT_BYTES_PER_AXIS: f64 = 20.0;
/// Bytes per agent and axis that steering moves: two columns, read and written.
const STEER_BYTES_PER_AXIS: f64 = 16.0;

#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Number of dimensions, 2 or 3.
    pub axes: f64,
    /// True if every pair needs its own periodic shift. With cells, a run of candidates shares one.
    pub all_pairs: bool,
    /// Lanes per vector; 1 for scalar code.
    pub lanes: usize,
    /// Tested pairs per agent: [`flockwork::inspect::NeighborCounts::pairs_per_agent`].
    pub pairs_per_agent: f64,
    /// Pairs added to the sums, per agent: with SIMD, all tested pairs, because lanes share
    /// candidates; in scalar code, only visible pairs.
    pub summed_per_agent: f64,
    /// Bytes used by the agents: [`flockwork::Simulation::bytes`].
    pub bytes: usize,
    pub ns_per_agent: f64,
}

impl Step {
    pub fn work(&self) -> Work {
        let image = if self.all_pairs { Work::IMAGE_AXIS } else { Work::NONE };
        let test = Work::TEST.plus(Work::TEST_AXIS.plus(image, 1.0), self.axes);
        let sums = if self.lanes == 16 { Work::SUMS_OF_16 } else { Work::SUMS };
        let sums = sums.plus(Work::SUMS_AXIS, self.axes);
        Work::AGENT.plus(test, self.pairs_per_agent).plus(sums, self.summed_per_agent)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    Arithmetic,
    /// Multiply-adds emulated in software, because the instruction set lacks them.
    Calls,
    Division,
    Broadcast,
    Memory,
}

impl fmt::Display for Bottleneck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Arithmetic => "arithmetic",
            Self::Calls => "software fma",
            Self::Division => "division",
            Self::Broadcast => "broadcasts",
            Self::Memory => "memory",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Shortest possible time, in nanoseconds per agent-step.
    pub limit_ns: f64,
    pub bottleneck: Bottleneck,
    /// The limit as a percentage of the measured time.
    pub percent: f64,
}

impl Limits {
    pub fn share(&self, step: &Step) -> Share {
        let (work, rates) = (step.work(), &self.rates);
        let seconds_per_byte = 1.0 / self.bandwidth_of(step.bytes);
        let (arithmetic, calls) = if rates.fma_calls {
            // Don't use `rates.add_and_fma`: a step overlaps more additions with each emulated
            // multiply-add than the benchmark of that rate does.
            ((work.add / rates.add).max(work.mul / rates.mul), work.fma / rates.fma)
        } else {
            // Additions may share execution units with multiply-adds; take the longer estimate.
            let apart = (work.add / rates.add).max(work.mul / rates.mul + work.fma / rates.fma);
            let shared = (work.add + work.mul + work.fma) / rates.add_and_fma;
            (apart.max(shared), 0.0)
        };
        let times = [
            (Bottleneck::Arithmetic, arithmetic),
            (Bottleneck::Calls, calls),
            (Bottleneck::Division, work.div / rates.div + work.sqrt / rates.sqrt),
            (Bottleneck::Broadcast, work.broadcast / rates.broadcast),
            (Bottleneck::Memory, STEER_BYTES_PER_AXIS * step.axes * seconds_per_byte),
        ];
        let (bottleneck, steer) =
            times.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("five");
        // The sort comes first and cannot overlap with steering.
        let sort_bytes = SORT_BYTES + SORT_BYTES_PER_AXIS * step.axes;
        let limit_ns = (sort_bytes * seconds_per_byte + steer) * 1.0e9;
        Share { limit_ns, bottleneck, percent: 100.0 * limit_ns / step.ns_per_agent }
    }

    /// Copy bandwidth in bytes per second for a working set of `bytes` bytes.
    fn bandwidth_of(&self, bytes: usize) -> f64 {
        let fits = self.bandwidths.iter().find(|known| bytes <= known.working_set);
        fits.or(self.bandwidths.last()).map_or(f64::INFINITY, |known| known.copy)
    }
}
