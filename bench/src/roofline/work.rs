//! How much work a step of scene W is, counted from the kernels, and the shortest time that the
//! measured limits allow for it.
//!
//! A bound from below: loop ends, mispredicted branches, waiting for results and the few
//! operations not counted here come on top. So 100 % is out of reach, and what is missing is
//! what there is to gain at most.

use serde::{Deserialize, Serialize};

use super::{Limits, Roofline};

/// Operations, each on one lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Work {
    /// Additions, subtractions and comparisons.
    pub(crate) add: f64,
    pub(crate) mul: f64,
    pub(crate) fma: f64,
    pub(crate) div: f64,
    pub(crate) sqrt: f64,
    pub(crate) broadcast: f64,
}

impl Work {
    pub(crate) const NONE: Self =
        Self { add: 0.0, mul: 0.0, fma: 0.0, div: 0.0, sqrt: 0.0, broadcast: 0.0 };
    /// Of one lane and one candidate in the sweep (`kernels/neighborhood.rs`), whether it is in
    /// sight: the way there 2 subtractions, the squared distance 2 multiply-adds, a comparison.
    pub(crate) const TEST: Self = Self { add: 3.0, fma: 2.0, broadcast: 2.0, ..Self::NONE };
    /// What is summed of it: one more neighbor 1 addition; heading and offset 2 each; inverse
    /// offset 2 multiply-adds and 1 division.
    pub(crate) const SUMS: Self =
        Self { add: 5.0, fma: 2.0, div: 1.0, broadcast: 2.0, ..Self::NONE };
    /// What the minimum image of a pair adds: all pairs on a torus need it. Rounding is counted
    /// as an addition.
    pub(crate) const IMAGE: Self = Self { add: 4.0, mul: 2.0, fma: 2.0, ..Self::NONE };
    /// Of one agent after the sweep: roots and divisions of three prioritized behaviors
    /// (`combine.rs`: 4 and 3, since what the first leaves needs no root), cohesion (1 and 0) and
    /// locomotion (1 and 1). The rest is cheap beside the sweep.
    pub(crate) const AGENT: Self = Self { div: 4.0, sqrt: 6.0, ..Self::NONE };

    pub(crate) fn plus(self, other: Self, times: f64) -> Self {
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

/// Bytes of memory per agent that the sort moves: positions 8 for the cell numbers, which are
/// written, counted and read again 4 + 4 + 4; the order written and read 4 + 4; five columns
/// read and written 20 + 20.
pub(crate) const SORT_BYTES: f64 = 68.0;
/// Bytes per agent that steering moves: four columns read and written.
pub(crate) const STEER_BYTES: f64 = 32.0;

/// All counts, for whoever wants to check a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Counts {
    /// Operations per tested pair.
    pub(crate) test: Work,
    /// Operations per summed pair.
    pub(crate) sums: Work,
    /// What all pairs add to that.
    pub(crate) image: Work,
    /// Operations per agent, besides pairs.
    pub(crate) agent: Work,
    /// Bytes per agent.
    pub(crate) sort_bytes: f64,
    pub(crate) steer_bytes: f64,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            test: Work::TEST,
            sums: Work::SUMS,
            image: Work::IMAGE,
            agent: Work::AGENT,
            sort_bytes: SORT_BYTES,
            steer_bytes: STEER_BYTES,
        }
    }
}

/// Whether pairs are tested in the minimum image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pairs {
    /// All of them, each in its minimum image.
    All,
    /// Those in nearby cells, one shift for a whole run.
    Cells,
}

/// A step of scene W, as it was measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) pairs: Pairs,
    pub(crate) threads: usize,
    /// Pairs tested per agent: [`flockwork::Census::pairs_per_agent`].
    pub(crate) pairs_per_agent: f64,
    /// How many of these are summed: all by SIMD, where lanes share candidates, and by scalar code
    /// those in sight.
    pub(crate) summed_per_agent: f64,
    /// Bytes held for the agents: [`flockwork::Simulation::bytes`].
    pub(crate) bytes: usize,
    pub(crate) ns_per_agent: f64,
}

/// What the shortest possible time is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ruler {
    Arithmetic,
    /// Multiply-adds where they are library calls.
    Calls,
    Division,
    Broadcast,
    Memory,
}

/// How near a step comes to what the machine allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Share {
    /// Nanoseconds per agent-step that the limits allow.
    pub(crate) limit_ns: f64,
    /// What steering would wait for.
    pub(crate) ruler: Ruler,
    /// The limit as a percentage of the measured time.
    pub(crate) percent: f64,
}

impl Step {
    /// What the arithmetic of this step is, per agent.
    pub(crate) fn work(&self) -> Work {
        let test = match self.pairs {
            Pairs::All => Work::TEST.plus(Work::IMAGE, 1.0),
            Pairs::Cells => Work::TEST,
        };
        Work::AGENT.plus(test, self.pairs_per_agent).plus(Work::SUMS, self.summed_per_agent)
    }
}

impl Roofline {
    /// The share of the limit that a step reached; none if no limits were measured.
    pub(crate) fn share(&self, step: &Step) -> Option<Share> {
        Some(self.limits(step.threads)?.share(step))
    }
}

impl Limits {
    fn share(&self, step: &Step) -> Share {
        let (work, rates) = (step.work(), &self.rates);
        let seconds_per_byte = 1.0 / self.bandwidth_of(step.bytes);
        let (arithmetic, calls) = if rates.fma_calls {
            // What was measured of additions and calls together says little: beside other work
            // more of the additions hide behind the calls.
            ((work.add / rates.add).max(work.mul / rates.mul), work.fma / rates.fma)
        } else {
            // Additions may have units of their own, or share those of multiply-adds.
            let apart = (work.add / rates.add).max(work.mul / rates.mul + work.fma / rates.fma);
            let shared = (work.add + work.mul + work.fma) / rates.add_and_fma;
            (apart.max(shared), 0.0)
        };
        let times = [
            (Ruler::Arithmetic, arithmetic),
            (Ruler::Calls, calls),
            (Ruler::Division, work.div / rates.div + work.sqrt / rates.sqrt),
            (Ruler::Broadcast, work.broadcast / rates.broadcast),
            (Ruler::Memory, STEER_BYTES * seconds_per_byte),
        ];
        let (ruler, steer) = times.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("five");
        // The sort comes before and cannot overlap.
        let limit_ns = (SORT_BYTES * seconds_per_byte + steer) * 1.0e9;
        Share { limit_ns, ruler, percent: 100.0 * limit_ns / step.ns_per_agent }
    }

    /// Bytes per second with a working set of that size: copying, since a step writes as much
    /// as it reads.
    fn bandwidth_of(&self, bytes: usize) -> f64 {
        let fits = self.bandwidths.iter().find(|known| bytes <= known.working_set);
        fits.or(self.bandwidths.last()).map_or(f64::INFINITY, |known| known.copy)
    }
}
