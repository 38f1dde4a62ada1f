//! Transports move bytes between the ranks of a crowd.
//!
//! Programs are generic over [`Transport`]. [`threads`] runs all ranks in one process.
//! `mpi`, an optional feature of this crate, runs ranks on many hosts.

#[cfg(feature = "mpi")]
pub mod mpi;
pub mod threads;

use std::time::Duration;

pub use flockwork::slab::{Exchange, Incoming, Outgoing};

/// Moves bytes between the ranks of a crowd. Each rank steps the slab that has the rank's number.
///
/// A rank that waits for a failed rank gets [`Lost`] or is terminated, so no rank waits forever.
pub trait Transport: Exchange<Lost = Lost> {
    /// Rank of this process or thread, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks, including this one.
    fn ranks(&self) -> usize;

    /// Payload bytes that [`exchange`](Exchange::exchange) has sent to other ranks so far.
    fn bytes_sent(&self) -> u64;

    /// Total time spent waiting for other ranks so far.
    fn waited(&self) -> Duration;

    /// Tells all other ranks that this rank cannot continue. Threads get [`Lost`] from their
    /// current or next wait. MPI prints the rank and the reason, and then ends all processes,
    /// including this one, with status 2.
    fn fail(&mut self, reason: &str);
}

/// The error that all ranks get when a rank has failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank} failed: {reason}")]
pub struct Lost {
    /// The failed rank, counted from 0.
    pub rank: usize,
    /// The rank's error message, or a description of the failure.
    pub reason: String,
}
