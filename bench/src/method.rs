//! The engine's methods that are compared.

use clap::ValueEnum;
use flockwork::{LaneWidth, Partition, Simulation};

/// A way to compute a step. All give the same state, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// All pairs, kernels with one lane, one thread
    AllPairsScalar,
    /// All pairs, SIMD kernels, one thread
    AllPairsSimd,
    /// Cell space, kernels with one lane, one thread
    CellsScalar,
    /// Cell space, SIMD kernels, one thread
    CellsSimd,
    /// Cell space, SIMD kernels, all threads
    CellsSimdMt,
}

impl Method {
    pub(crate) const ALL: [Self; 5] = [
        Self::AllPairsScalar,
        Self::AllPairsSimd,
        Self::CellsScalar,
        Self::CellsSimd,
        Self::CellsSimdMt,
    ];

    /// The name in options and reports.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::AllPairsScalar => "all-pairs-scalar",
            Self::AllPairsSimd => "all-pairs-simd",
            Self::CellsScalar => "cells-scalar",
            Self::CellsSimd => "cells-simd",
            Self::CellsSimdMt => "cells-simd-mt",
        }
    }

    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::AllPairsScalar => "all pairs, kernels with one lane, one thread",
            Self::AllPairsSimd => "all pairs, SIMD kernels, one thread",
            Self::CellsScalar => "cell space, kernels with one lane, one thread",
            Self::CellsSimd => "cell space, SIMD kernels, one thread",
            Self::CellsSimdMt => "cell space, SIMD kernels, all threads",
        }
    }

    /// The expected exponent of the time of a step over the number of agents.
    pub(crate) fn expected_slope(self) -> f64 {
        if self.partition() == Partition::AllPairs { 2.0 } else { 1.0 }
    }

    fn partition(self) -> Partition {
        match self {
            Self::AllPairsScalar | Self::AllPairsSimd => Partition::AllPairs,
            Self::CellsScalar | Self::CellsSimd | Self::CellsSimdMt => Partition::Cells,
        }
    }

    /// The number of threads it uses out of `all`.
    fn threads(self, all: usize) -> usize {
        if self == Self::CellsSimdMt { all } else { 1 }
    }

    /// Makes a simulation compute its steps this way.
    pub(crate) fn apply(
        self,
        simulation: &mut Simulation,
        threads: usize,
    ) -> Result<(), flockwork::Error> {
        simulation.set_method(match self {
            Self::AllPairsScalar | Self::CellsScalar => flockwork::Method::Scalar,
            _ => flockwork::Method::Kernels(LaneWidth::of(simulation.level())),
        });
        simulation.set_partition(self.partition());
        simulation.set_threads(self.threads(threads))
    }
}
