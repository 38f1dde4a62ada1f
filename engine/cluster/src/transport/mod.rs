//! Transports move bytes between the ranks of a crowd.
//!
//! Programs are generic over [`Transport`]. [`threads`] runs all ranks in one process.
//! `mpi`, an optional feature of this crate, runs ranks on many hosts.

#[cfg(feature = "mpi")]
pub mod mpi;
pub mod threads;

use std::time::Duration;

/// Moves bytes between the ranks of a crowd.
///
/// All ranks must call the same functions in the same order.
/// A rank that waits for a failed rank gets [`Lost`] or is terminated, so no rank waits forever.
pub trait Transport {
    /// Rank of this process or thread, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks, including this one.
    fn ranks(&self) -> usize;

    /// Sends every `outgoing` message and receives every `incoming` message.
    ///
    /// Posts all sends first. Then calls `meanwhile`, which does part of the rank's work, until it
    /// returns `false`, and processes messages between the calls. Finally, waits until all expected
    /// messages have arrived and all sent messages have left.
    ///
    /// Messages from one rank to another arrive in the order in which they were sent.
    /// After an error, the contents of the buffers are unspecified.
    ///
    /// # Panics
    /// If a rank does not exist. The thread transport also panics
    /// if the receiver does not expect a message.
    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        meanwhile: &mut dyn FnMut() -> bool,
    ) -> Result<(), Lost>;

    /// Replaces each element of `values` with its wrapping sum over all ranks.
    fn sum(&mut self, values: &mut [u64]) -> Result<(), Lost>;

    /// Returns the minimum of `value` over all ranks.
    fn min(&mut self, value: u64) -> Result<u64, Lost>;

    /// Gathers every rank's `bytes` on all ranks; `into` is indexed by rank.
    fn all_gather(&mut self, bytes: &[u8], into: &mut Vec<Vec<u8>>) -> Result<(), Lost>;

    /// Payload bytes that [`exchange`](Self::exchange) has sent to other ranks so far.
    fn bytes_sent(&self) -> u64;

    /// Total time spent waiting for other ranks so far.
    fn waited(&self) -> Duration;

    /// Tells all other ranks that this rank cannot continue. Threads get [`Lost`] from their
    /// current or next wait. MPI prints the rank and the reason, and then ends all processes,
    /// including this one, with status 2.
    fn fail(&mut self, reason: &str);
}

/// A message to any rank, including the sender itself.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// Rank of the receiver, from 0.
    pub to: usize,
    /// Pieces of the message, joined in this order on arrival.
    pub pieces: &'a [&'a [u8]],
}

/// Receive buffer for a message from any rank, including the receiver itself.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// Rank of the sender, from 0.
    pub from: usize,
    /// Number of pieces in the message; must equal the length of [`Outgoing::pieces`].
    pub pieces: usize,
    /// The joined pieces replace the contents of this buffer.
    /// The transport may swap the buffer for another and reuse its memory later.
    pub bytes: &'a mut Vec<u8>,
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
