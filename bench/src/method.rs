//! The engine's methods that are compared.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use flockwork::{Partition, Simulation};

/// A way to compute a step. All give the same state, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    AllPairsScalar,
    AllPairsSimd,
    CellsScalar,
    CellsSimd,
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

    /// The name in options and reports, and what it means.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::AllPairsScalar => {
                ["all-pairs-scalar", "all pairs, kernels with one lane, one thread"]
            }
            Self::AllPairsSimd => ["all-pairs-simd", "all pairs, SIMD kernels, one thread"],
            Self::CellsScalar => ["cells-scalar", "cell space, kernels with one lane, one thread"],
            Self::CellsSimd => ["cells-simd", "cell space, SIMD kernels, one thread"],
            Self::CellsSimdMt => ["cells-simd-mt", "cell space, SIMD kernels, all threads"],
        }
    }

    pub(crate) fn id(self) -> &'static str {
        self.names()[0]
    }

    pub(crate) fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.id() == id)
    }

    pub(crate) fn about(self) -> &'static str {
        self.names()[1]
    }

    pub(crate) fn is_all_pairs(self) -> bool {
        matches!(self, Self::AllPairsScalar | Self::AllPairsSimd)
    }

    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Self::AllPairsScalar | Self::CellsScalar)
    }

    /// The expected exponent of the time of a step over the number of agents.
    pub(crate) fn expected_slope(self) -> f64 {
        if self.is_all_pairs() { 2.0 } else { 1.0 }
    }

    /// Makes a simulation compute its steps this way.
    pub(crate) fn apply(
        self,
        simulation: &mut Simulation,
        threads: usize,
    ) -> Result<(), flockwork::Error> {
        simulation.set_method(match self.is_scalar() {
            true => flockwork::Method::Scalar,
            false => flockwork::Method::Simd,
        });
        let all_pairs = self.is_all_pairs();
        simulation.set_partition(if all_pairs { Partition::AllPairs } else { Partition::Cells });
        simulation.set_threads(if self == Self::CellsSimdMt { threads } else { 1 })
    }
}

impl ValueEnum for Method {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.id()).help(self.about()))
    }
}
