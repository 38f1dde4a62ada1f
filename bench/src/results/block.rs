//! Consecutive repeats of a row, with what was seen of other work beside them.

use serde::{Deserialize, Serialize};

use crate::counters::Counts;
use crate::results::statistics::median;

/// Consecutive repeats. The blocks of a row are spread over the whole run, so that their
/// differences show how well another run would agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Block {
    /// Nanoseconds per agent-step, in order of measurement.
    pub(crate) ns: Vec<f64>,
    /// The share of the time for which the threads were ready and waited for a core, in the calmest
    /// quarter of the block, if the system reports it.
    pub(crate) waited: Option<f64>,
    /// Cores kept busy by other processes during the block, if the system reports them. The system
    /// counts in hundredths of a second, so only several blocks together are meaningful.
    pub(crate) cores_elsewhere: Option<f64>,
    /// Duration of the block.
    pub(crate) seconds: f64,
    /// Nanoseconds per agent of the stages of a step; only for the engine's own steps.
    pub(crate) stages_ns: Option<Stages>,
    /// What the processor counted, if it did and the steps were those of one thread.
    pub(crate) counts: Option<Counts>,
}

/// The times of the stages of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stages {
    pub(crate) sort: f64,
    pub(crate) steer: f64,
    pub(crate) non_penetration: f64,
    pub(crate) smooth: f64,
}

impl Stages {
    pub(crate) const NAMES: [&'static str; 4] = ["sort", "steer", "non-penetration", "smooth"];
}

impl From<Stages> for [f64; 4] {
    fn from(Stages { sort, steer, non_penetration, smooth }: Stages) -> Self {
        [sort, steer, non_penetration, smooth]
    }
}

impl From<[f64; 4]> for Stages {
    fn from([sort, steer, non_penetration, smooth]: [f64; 4]) -> Self {
        Self { sort, steer, non_penetration, smooth }
    }
}

/// The median of each of some numbers; `None` for none.
pub(crate) fn medians<T, const N: usize>(all: impl Iterator<Item = T>) -> Option<T>
where
    T: Into<[f64; N]> + From<[f64; N]>,
{
    let all: Vec<[f64; N]> = all.map(T::into).collect();
    let of = |k: usize| median(&all.iter().map(|one| one[k]).collect::<Vec<_>>());
    (!all.is_empty()).then(|| std::array::from_fn(of).into())
}
