//! How forces combine.

use serde::{Deserialize, Serialize};

/// How an agent's steering forces combine into one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Weighted forces are added in priority order until the force budget is spent. A force that
    /// does not fit is cut to what is left. Once nothing is left, the remaining behaviors are not
    /// evaluated (Buckland 2004, ch. 3, "weighted truncated running sum with prioritization").
    #[default]
    Prioritized,
    /// All weighted forces are added, and the sum is truncated to the maximum force.
    WeightedSum,
    /// In priority order, each behavior has its turn with its probability. The first nonzero
    /// weighted force, divided by that probability and truncated to the maximum force, is the
    /// result (Buckland 2004, ch. 3, "prioritized dithering").
    Dithered,
}

/// A remaining force budget below this share of the maximum force counts as spent: it is no larger
/// than the rounding in the sum, which must not decide whether any budget remains.
pub(crate) const NEGLIGIBLE: f32 = 1.0e-6;
