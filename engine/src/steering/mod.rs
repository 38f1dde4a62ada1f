//! Steering: from a crowd and the behaviors of its species to the next state, a few batches at a
//! time.
//!
//! `combine` walks over the agents in groups of batches and runs the behaviors over them;
//! `locomotion` moves what they steer.

use std::ops::Range;

pub(crate) mod combine;
pub(crate) mod locomotion;

/// The slots of each batch of `width` agents in a range.
pub(crate) fn batches(range: Range<usize>, width: usize) -> impl Iterator<Item = Range<usize>> {
    range.clone().step_by(width).map(move |first| first..range.end.min(first + width))
}
