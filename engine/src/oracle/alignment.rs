//! Alignment, as specified.

use crate::behaviors::alignment::Alignment;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, sub};

pub(super) fn force(_: &Alignment, oracle: &mut Oracle<'_>) -> V {
    if oracle.neighbors.is_empty() {
        return [0.0; 2];
    }
    sub(oracle.mean_heading(), oracle.heading())
}
