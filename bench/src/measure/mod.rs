//! The measuring core: crowd by crowd, ways to compute it interleaved, every result checked.
//!
//! All ways start from the same warm state, take the same few steps, and must then have the
//! same state hash, before and while they are timed: so all do the same work on the same
//! crowd. Repeats go round robin over the ways, so that a noisy minute hits all.
//!
//! The repeats of a crowd do not all follow one another. The whole list is gone through
//! several times, with memory and threads anew: a block of repeats each time. What differs
//! between the blocks of a row is what would differ between two runs.
//!
//! A small crowd is not alone in a repeat: others that differ only in their seed follow it.
//! Branch predictors learn the few thousand branches of a crowd of 100 by heart when the same
//! steps come again and again, and the scalar methods would look almost twice as fast as on
//! a crowd that they see for the first time.

pub(crate) mod measurement;
pub(crate) mod pace;
pub(crate) mod progress;
mod runner;
mod watch;
