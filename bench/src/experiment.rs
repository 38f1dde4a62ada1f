use std::fmt;

use clap::ValueEnum;
use flockwork::cpu::Level;
use serde::Serialize;

use crate::method::Method;
use crate::peers::Peer;

pub(crate) const IDLE: &str = "(none)";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Experiment {
    #[default]
    Scaling,
    Ladder,
    Density,
    CellSize,
    Threads,
    Levels,
    Scenes,
    Clustered,
    Kernels,
    Heavy,
    NeighborCount,
}

/// Row ids contain this name, so renaming breaks comparisons with older programs.
impl fmt::Display for Experiment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.to_possible_value().expect("none is hidden").get_name())
    }
}

/// A speed-up to report: the time of `slow` divided by the time of `fast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) slow: Method,
    pub(crate) fast: Method,
}

impl Experiment {
    /// Returns the questions that these methods can answer, most important first.
    pub(crate) fn questions(self, methods: &[Method]) -> Vec<Question> {
        let over = |slow: Method, fast: Method| Question { slow, fast };
        let against_all = |fast: Method| -> Vec<Question> {
            let others = methods.iter().filter(|slow| **slow != fast);
            others.map(|&slow| over(slow, fast)).collect()
        };
        let asked = match (self, methods) {
            (Self::Ladder, [first, .., last]) => {
                let rungs = methods.windows(2).map(|pair| over(pair[0], pair[1]));
                [over(*first, *last)].into_iter().chain(rungs).collect()
            }
            (Self::Levels, _) => against_all(Method::Level(Level::used_or_found())),
            (Self::NeighborCount, _) => against_all(Method::Peer(Peer::Flockwork)),
            _ => {
                let threaded = methods.iter().filter(|method| method.uses_threads());
                let threaded = threaded.map(|&fast| over(Method::CellsSimd, fast));
                [
                    over(Method::AllPairsSimd, Method::CellsSimd),
                    over(Method::AllPairsScalar, Method::CellsScalar),
                    over(Method::NextBest, Method::CellsSimd),
                    over(Method::AllPairsScalar, Method::AllPairsSimd),
                    over(Method::CellsScalar, Method::CellsSimd),
                ]
                .into_iter()
                .chain(threaded)
                .collect()
            }
        };
        let has = |method| methods.contains(&method);
        asked.into_iter().filter(|asked| has(asked.slow) && has(asked.fast)).collect()
    }
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match (self.slow, self.fast) {
            (Method::AllPairsSimd, Method::CellsSimd) => "cells over all pairs, SIMD",
            (Method::AllPairsScalar, Method::CellsScalar) => "cells over all pairs, scalar",
            (Method::AllPairsScalar, Method::AllPairsSimd) => "SIMD over scalar, all pairs",
            (Method::CellsScalar, Method::CellsSimd) => "SIMD over scalar, cells",
            (Method::CellsSimd, Method::CellsSimdMt(None)) => "all threads over one",
            (Method::CellsSimd, Method::CellsSimdMt(Some(threads))) => {
                return write!(out, "{threads} threads over one");
            }
            (Method::NextBest, _) => "flockwork over the next best, a flock on the crate zelll",
            (slow, fast) => return write!(out, "{} over {}", fast.words(), slow.words()),
        })
    }
}
