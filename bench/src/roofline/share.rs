//! How close a step comes to the limits.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::limits::{Limits, Roofline};
use super::work::{SORT_BYTES, STEER_BYTES, Step};

/// The resource that bounds the time of steering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
