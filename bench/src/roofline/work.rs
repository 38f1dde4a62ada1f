//! How much work a step of scene W is, counted from the kernels, and the shortest time that the
//! measured limits allow for it.
//!
//! A bound from below: loop ends, mispredicted branches, waiting for results and the few
//! operations not counted here come on top. So 100 % is out of reach, and what is missing is
//! what there is to gain at most.

use serde::Serialize;

/// Operations, each on one lane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
    /// Of one lane and one candidate in the sweep (`kernels/neighborhood.rs`), whether it is in
    /// sight: the way there 2 subtractions, the squared distance 2 multiply-adds, a comparison.
    pub const TEST: Self = Self { add: 3.0, fma: 2.0, broadcast: 2.0, ..Self::NONE };
    /// What is summed of it: one more neighbor 1 addition; heading and offset 2 each; inverse
    /// offset 2 multiply-adds and 1 division.
    pub const SUMS: Self = Self { add: 5.0, fma: 2.0, div: 1.0, broadcast: 2.0, ..Self::NONE };
    /// What the minimum image of a pair adds: all pairs on a torus need it. Rounding is counted
    /// as an addition.
    pub const IMAGE: Self = Self { add: 4.0, mul: 2.0, fma: 2.0, ..Self::NONE };
    /// Of one agent after the sweep: roots and divisions of three prioritized behaviors
    /// (`combine.rs`: 4 and 3, since what the first leaves needs no root), cohesion (1 and 0) and
    /// locomotion (1 and 1). The rest is cheap beside the sweep.
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

/// Bytes of memory per agent that the sort moves: positions 8 for the cell numbers, which are
/// written, counted and read again 4 + 4 + 4; the order written and read 4 + 4; five columns
/// read and written 20 + 20.
pub(super) const SORT_BYTES: f64 = 68.0;
/// Bytes per agent that steering moves: four columns read and written.
pub(super) const STEER_BYTES: f64 = 32.0;

/// All counts, for whoever wants to check a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Counts {
    /// Operations per tested pair.
    pub test: Work,
    /// Operations per summed pair.
    pub sums: Work,
    /// What all pairs add to that.
    pub image: Work,
    /// Operations per agent, besides pairs.
    pub agent: Work,
    /// Bytes per agent.
    pub sort_bytes: f64,
    pub steer_bytes: f64,
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
pub enum Pairs {
    /// All of them, each in its minimum image.
    All,
    /// Those in nearby cells, one shift for a whole run.
    Cells,
}

/// A step of scene W, as it was measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    pub pairs: Pairs,
    pub threads: usize,
    /// Pairs tested per agent: [`flockwork::Census::pairs_per_agent`].
    pub pairs_per_agent: f64,
    /// How many of these are summed: all by SIMD, where lanes share candidates, and by scalar code
    /// those in sight.
    pub summed_per_agent: f64,
    /// Bytes held for the agents: [`flockwork::Simulation::bytes`].
    pub bytes: usize,
    pub ns_per_agent: f64,
}

impl Step {
    /// What the arithmetic of this step is, per agent.
    pub fn work(&self) -> Work {
        let test = match self.pairs {
            Pairs::All => Work::TEST.plus(Work::IMAGE, 1.0),
            Pairs::Cells => Work::TEST,
        };
        Work::AGENT.plus(test, self.pairs_per_agent).plus(Work::SUMS, self.summed_per_agent)
    }
}
