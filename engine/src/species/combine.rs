//! How forces combine.

use serde::{Deserialize, Serialize};

/// How an agent's steering forces become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// In order, each weighted force takes what it needs of the remaining force budget;
    /// one that does not fit is cut to the remainder, and once nothing remains the rest are not
    /// evaluated (Buckland 2004, ch. 3, "weighted truncated running sum with prioritization").
    #[default]
    Prioritized,
    /// All weighted forces added, then truncated to the maximum force.
    WeightedSum,
    /// In order, each behavior has its turn with its probability; the first whose force is not
    /// zero, divided by its probability and truncated to the maximum force, is the result
    /// (Buckland 2004, ch. 3, "prioritized dithering").
    Dithered,
}

/// A remainder of the force budget below this share of the maximum force is nothing: it is of the
/// size of the rounding in the sum, which must not decide whether anything remains.
pub(crate) const NEGLIGIBLE: f32 = 1.0e-6;
