//! Measuring: crowd by crowd, with the ways to compute it interleaved and every result checked.
//!
//! All ways start from the same warm state and take the same few steps. Before and during timing
//! they must reach the same state hash, so all do the same work on the same crowd. Repeats go round
//! robin over the ways, so that a noisy minute affects them all.
//!
//! The list of crowds is passed over several times, each time with fresh memory and threads, for
//! one block of repeats per crowd. The blocks of a row therefore differ as two runs would. What time
//! is left goes to rows whose blocks disagree.
//!
//! In a repeat, a small crowd is followed by others that differ only in their seed. If the same
//! steps of 100 agents came again and again, branch predictors would learn their few thousand
//! branches by heart, and the scalar methods would look almost twice as fast as on a new crowd.

pub(crate) mod crowd;
pub(crate) mod measurement;
pub(crate) mod progress;
pub(crate) mod runner;
pub(crate) mod schedule;
#[cfg(test)]
mod tests;
pub(crate) mod watch;
