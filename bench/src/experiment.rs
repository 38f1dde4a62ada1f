use std::fmt;

use clap::ValueEnum;
use flockwork::cpu::Level;
use serde::Serialize;

use crate::peers::Peer;
use crate::variant::Variant;

pub(crate) const IDLE: &str = "(none)";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Experiment {
    #[default]
    Scaling,
    Density,
    CellSize,
    Threads,
    Levels,
    Scenes,
    Clustered,
    Kernels,
    Heavy,
    NeighborCount,
    Uneven,
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
    pub(crate) slow: Variant,
    pub(crate) fast: Variant,
}

impl Experiment {
    /// Returns the speed-ups that can be computed from these variants, most important first.
    pub(crate) fn questions(self, variants: &[Variant]) -> Vec<Question> {
        let over = |slow: Variant, fast: Variant| Question { slow, fast };
        let against_all = |fast: Variant| -> Vec<Question> {
            let others = variants.iter().filter(|slow| **slow != fast);
            others.map(|&slow| over(slow, fast)).collect()
        };
        let asked: Vec<Question> = match self {
            Self::Levels => against_all(Variant::Level(Level::used_or_found())),
            Self::NeighborCount => against_all(Variant::Peer(Peer::Flockwork)),
            _ => {
                let threaded = variants.iter().filter(|variant| variant.uses_threads());
                let threaded = threaded.map(|&fast| over(Variant::CellsSimd, fast));
                [
                    over(Variant::AllPairsSimd, Variant::CellsSimd),
                    over(Variant::AllPairsScalar, Variant::CellsScalar),
                    over(Variant::NextBest, Variant::CellsSimd),
                    over(Variant::CellsSimd, Variant::CellsSimdFlat),
                    over(Variant::AllPairsScalar, Variant::AllPairsSimd),
                    over(Variant::CellsScalar, Variant::CellsSimd),
                ]
                .into_iter()
                .chain(threaded)
                .collect()
            }
        };
        let has = |variant| variants.contains(&variant);
        asked.into_iter().filter(|asked| has(asked.slow) && has(asked.fast)).collect()
    }
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match (self.slow, self.fast) {
            (Variant::AllPairsSimd, Variant::CellsSimd) => "cells over all pairs, SIMD",
            (Variant::AllPairsScalar, Variant::CellsScalar) => "cells over all pairs, scalar",
            (Variant::AllPairsScalar, Variant::AllPairsSimd) => "SIMD over scalar, all pairs",
            (Variant::CellsScalar, Variant::CellsSimd) => "SIMD over scalar, cells",
            (Variant::CellsSimd, Variant::CellsSimdMt(None)) => "several threads over one",
            (Variant::CellsSimd, Variant::CellsSimdMt(Some(threads))) => {
                return write!(out, "{threads} threads over one");
            }
            (_, Variant::CellsSimdFlat) => "2D over 3D, cells, SIMD",
            (Variant::NextBest, _) => "cells, SIMD, over zelll, scalar",
            (slow, fast) => return write!(out, "{} over {}", fast.words(), slow.words()),
        })
    }
}
