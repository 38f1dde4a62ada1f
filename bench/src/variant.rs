//! Ways to compute a step. All variants of the engine reach the same state, bit for bit.

use std::fmt;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use flockwork::cpu::Level;
use flockwork::{Execution, Method, Partition, Simulation};

use crate::failure::Failure;
use crate::peers::{Peer, ZelllFlock};
use crate::uneven::NaiveLoop;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Variant {
    AllPairsScalar,
    AllPairsSimd,
    CellsScalar,
    #[default]
    CellsSimd,
    /// `CellsSimd` measured a second time: the difference between the two times is noise.
    CellsSimdAgain,
    /// `CellsSimd` for an equally large and dense crowd in a flat world, which reaches a different
    /// state.
    CellsSimdFlat,
    /// Number of threads. `None` uses the thread count passed to [`Self::apply`].
    CellsSimdMt(Option<usize>),
    Level(Level),
    /// Another crate's neighbor search, which is only part of a step, for workload W only.
    Peer(Peer),
    /// A full step built on another crate's neighbor search, for workload W only.
    NextBest,
    /// A loop over all sharks for every fish, which is only part of a step.
    NaiveLoop,
}

impl Variant {
    pub(crate) const CHOICES: [Self; 6] = [
        Self::AllPairsScalar,
        Self::AllPairsSimd,
        Self::CellsScalar,
        Self::CellsSimd,
        Self::CellsSimdMt(None),
        Self::CellsSimdFlat,
    ];

    /// The name in ids and options, and the name in words.
    fn names(self) -> (&'static str, &'static str) {
        let same = |name| (name, name);
        match self {
            Self::AllPairsScalar => ("all-pairs-scalar", "all pairs, scalar"),
            Self::AllPairsSimd => ("all-pairs-simd", "all pairs, SIMD"),
            Self::CellsScalar => ("cells-scalar", "cells, scalar"),
            Self::CellsSimd => ("cells-simd", "cells, SIMD"),
            Self::CellsSimdAgain => ("cells-simd-again", "cells, SIMD, again"),
            Self::CellsSimdFlat => ("cells-simd-2d", "cells, SIMD, in 2D"),
            Self::CellsSimdMt(_) => ("cells-simd-mt", "cells, several threads"),
            Self::Level(level) => same(level.name()),
            Self::Peer(peer) => same(peer.id()),
            Self::NextBest => (ZelllFlock::<2>::ID, "zelll, scalar"),
            Self::NaiveLoop => same(NaiveLoop::<2>::ID),
        }
    }

    pub(crate) fn words(self) -> String {
        match self {
            Self::CellsSimdMt(Some(threads)) => format!("cells, {threads} threads"),
            other => other.names().1.into(),
        }
    }

    /// True if `choices` is empty or names the variant, with any number of threads.
    pub(crate) fn is_chosen_by(self, choices: &[Self]) -> bool {
        let names = |it: &Self| self == *it || self.uses_threads() && it.uses_threads();
        choices.is_empty() || choices.iter().any(names)
    }

    pub(crate) fn is_all_pairs(self) -> bool {
        matches!(self, Self::AllPairsScalar | Self::AllPairsSimd)
    }

    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Self::AllPairsScalar | Self::CellsScalar)
    }

    pub(crate) fn is_of_engine(self) -> bool {
        !matches!(self, Self::Peer(_) | Self::NextBest | Self::NaiveLoop)
    }

    /// True for variants that reach one state, bit for bit, from the same start.
    pub(crate) fn shares_state(self) -> bool {
        self.is_of_engine() && !self.is_flat()
    }

    pub(crate) fn is_flat(self) -> bool {
        self == Self::CellsSimdFlat
    }

    pub(crate) fn uses_threads(self) -> bool {
        matches!(self, Self::CellsSimdMt(_))
    }

    pub(crate) fn expected_slope(self) -> f64 {
        if self.is_all_pairs() { 2.0 } else { 1.0 }
    }

    /// Rough step time, in seconds: 1.2 ns per pair for all-pairs search, 300 ns per agent
    /// for cells. SIMD cuts this to an eighth for all-pairs search and to a tenth for cells.
    pub(crate) fn usual_seconds(self, agents: usize) -> f64 {
        let ns = match self {
            Self::AllPairsSimd => 0.15,
            Self::AllPairsScalar => 1.2,
            Self::CellsScalar | Self::Peer(_) | Self::NextBest => 300.0,
            _ => 30.0,
        };
        (agents as f64).powf(self.expected_slope()) * ns * 1.0e-9
    }

    /// Configures a simulation for this variant. `threads` applies only to multi-threaded variants.
    /// Variants that bypass the engine take only their initial state from the simulation.
    pub(crate) fn apply(self, simulation: &mut Simulation, threads: usize) -> Result<(), Failure> {
        let level = match self {
            Self::Level(level) => level,
            _ => simulation.execution().level,
        };
        let threads = match self {
            Self::CellsSimdMt(asked) => asked.unwrap_or(threads),
            _ => 1,
        };
        let method = if self.is_scalar() { Method::Scalar } else { Method::Simd };
        let partition = if self.is_all_pairs() { Partition::AllPairs } else { Partition::Cells };
        Ok(simulation.set_execution(Execution { partition, method, level, threads })?)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CellsSimdMt(Some(threads)) => write!(out, "{}-{threads}", self.names().0),
            _ => out.write_str(self.names().0),
        }
    }
}

impl ValueEnum for Variant {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.names().0).help(self.words()))
    }
}
