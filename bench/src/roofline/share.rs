//! The work of a step of scene W, counted in the kernels, and how close it comes to the limits.
//!
//! The counts are a lower bound: loop ends, mispredicted branches, waiting for results and the few
//! operations not counted here add to it. So a step cannot reach 100 % of its limit, and the rest
//! is the most that can be gained.

use std::fmt;

use serde::Serialize;

use super::limits::{Limits, Roofline};

/// Operations, each on one lane.
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
    /// The test of one candidate by one lane in the sweep (`batch/neighborhood.rs`): the offset
    /// takes 2 subtractions, the squared distance 2 multiply-adds, the comparison with the view
    /// distance 1.
    pub const TEST: Self = Self { add: 3.0, fma: 2.0, broadcast: 2.0, ..Self::NONE };
    /// The sums of one candidate: the count takes 1 addition, heading and offset 2 each, the
    /// inverse offset 2 multiply-adds and 1 division.
    pub const SUMS: Self = Self { add: 5.0, fma: 2.0, div: 1.0, broadcast: 2.0, ..Self::NONE };
    /// [`Self::SUMS`] in a vector of 16 lanes, where every fourth division is an estimate and 4
    /// multiply-adds. The estimate counts as a multiplication.
    pub const SUMS_OF_16: Self = Self { mul: 0.25, fma: 3.0, div: 0.75, ..Self::SUMS };
    /// The minimum image of a pair, which all pairs on a torus need in addition. Rounding counts as
    /// an addition.
    pub const IMAGE: Self = Self { add: 4.0, mul: 2.0, fma: 2.0, ..Self::NONE };
    /// One agent after the sweep. Roots and divisions of three prioritized behaviors (`combine.rs`:
    /// 4 and 3, since what the first leaves of the force budget needs no root), of cohesion (1 and
    /// 0) and of locomotion (1 and 1). The rest is cheap beside the sweep.
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

/// Bytes of memory per agent that the sort moves: it reads positions (8) for the cell numbers,
/// which it writes, counts and reads again (4 + 4 + 4); writes and reads the order (4 + 4); reads
/// and writes five columns (20 + 20).
const SORT_BYTES: f64 = 68.0;
/// Bytes per agent that steering moves: four columns read and written.
const STEER_BYTES: f64 = 32.0;

/// How pairs are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// All pairs, each in its minimum image.
    All,
    /// Pairs in nearby cells, with one shift for a whole run of candidates.
    Cells,
}

/// A measured step of scene W.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub pairs: Pairs,
    pub threads: usize,
    /// Lanes of its vectors; 1 for scalar code.
    pub lanes: usize,
    /// Pairs tested per agent: [`flockwork::Census::pairs_per_agent`].
    pub pairs_per_agent: f64,
    /// How many of these are summed: all with SIMD, where lanes share candidates; those in view
    /// with scalar code.
    pub summed_per_agent: f64,
    /// Memory of the agents: [`flockwork::Simulation::bytes`].
    pub bytes: usize,
    pub ns_per_agent: f64,
}

impl Step {
    /// The operations of this step per agent.
    pub fn work(&self) -> Work {
        let test = match self.pairs {
            Pairs::All => Work::TEST.plus(Work::IMAGE, 1.0),
            Pairs::Cells => Work::TEST,
        };
        let sums = if self.lanes == 16 { Work::SUMS_OF_16 } else { Work::SUMS };
        Work::AGENT.plus(test, self.pairs_per_agent).plus(sums, self.summed_per_agent)
    }
}

/// The resource that bounds the time of steering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    Arithmetic,
    /// Multiply-adds where there is no instruction for them.
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

/// How close a step comes to the limit of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Nanoseconds per agent-step that the limits allow.
    pub limit_ns: f64,
    /// The resource that bounds steering.
    pub bottleneck: Bottleneck,
    /// The limit as a percentage of the measured time.
    pub percent: f64,
}

impl Roofline {
    /// The share of the limit that a step reached; `None` if no limits were measured.
    pub fn share(&self, step: &Step) -> Option<Share> {
        Some(self.limits(step.threads)?.share(step))
    }
}

impl Limits {
    fn share(&self, step: &Step) -> Share {
        let (work, rates) = (step.work(), &self.rates);
        let seconds_per_byte = 1.0 / self.bandwidth_of(step.bytes);
        let (arithmetic, calls) = if rates.fma_calls {
            // The rate of additions and multiply-adds together is not used: beside other work, more
            // of the additions run during the multiply-adds.
            ((work.add / rates.add).max(work.mul / rates.mul), work.fma / rates.fma)
        } else {
            // Additions may have their own units or share those of multiply-adds.
            let apart = (work.add / rates.add).max(work.mul / rates.mul + work.fma / rates.fma);
            let shared = (work.add + work.mul + work.fma) / rates.add_and_fma;
            (apart.max(shared), 0.0)
        };
        let times = [
            (Bottleneck::Arithmetic, arithmetic),
            (Bottleneck::Calls, calls),
            (Bottleneck::Division, work.div / rates.div + work.sqrt / rates.sqrt),
            (Bottleneck::Broadcast, work.broadcast / rates.broadcast),
            (Bottleneck::Memory, STEER_BYTES * seconds_per_byte),
        ];
        let (bottleneck, steer) =
            times.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("five");
        // The sort comes first and cannot overlap.
        let limit_ns = (SORT_BYTES * seconds_per_byte + steer) * 1.0e9;
        Share { limit_ns, bottleneck, percent: 100.0 * limit_ns / step.ns_per_agent }
    }

    /// Bytes per second with a working set of this size, when copying, since a step writes as much
    /// as it reads.
    fn bandwidth_of(&self, bytes: usize) -> f64 {
        let fits = self.bandwidths.iter().find(|known| bytes <= known.working_set);
        fits.or(self.bandwidths.last()).map_or(f64::INFINITY, |known| known.copy)
    }
}
