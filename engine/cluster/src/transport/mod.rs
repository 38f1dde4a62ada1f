//! Moving bytes between the ranks of a crowd.
//!
//! A program is written once, for a [`Transport`]. Over [`threads`] it needs nothing installed;
//! over `mpi`, a feature of the crate, it runs on many hosts.

#[cfg(feature = "mpi")]
pub mod mpi;
pub mod threads;

use std::time::Duration;

/// Moves bytes between the ranks of a crowd.
///
/// All ranks call the same functions in the same order. Where a rank waits for one that failed, it
/// gets [`Lost`] or is ended; it never waits forever.
pub trait Transport {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// Sends every `outgoing` message and receives every `incoming` one.
    ///
    /// First all sends are posted, then `meanwhile` is called until it returns `false`. It computes
    /// a stretch at each call, and messages progress between the calls. Then the rank waits until
    /// all that it expects is there and all that it sent has left.
    ///
    /// Messages from one rank to another arrive in the order in which they were sent. After an
    /// error, the contents of the buffers are unspecified.
    ///
    /// # Panics
    /// If a rank does not exist. Threads also panic on a message that its receiver does not expect.
    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        meanwhile: &mut dyn FnMut() -> bool,
    ) -> Result<(), Lost>;

    /// Adds up the values of all ranks, wrapping; every rank gets the sums.
    fn sum(&mut self, values: &mut [u64]) -> Result<(), Lost>;

    /// The least of the values of all ranks.
    fn least(&mut self, value: u64) -> Result<u64, Lost>;

    /// The bytes of every rank, in the order of ranks.
    fn all_gather(&mut self, bytes: &[u8], into: &mut Vec<Vec<u8>>) -> Result<(), Lost>;

    /// Payload bytes that [`exchange`](Self::exchange) sent to other ranks so far.
    fn bytes_sent(&self) -> u64;

    /// Time spent waiting for other ranks so far.
    fn waited(&self) -> Duration;

    /// Tells all other ranks that this one cannot go on, and why. Threads get [`Lost`] from
    /// whatever they wait for. MPI ends all processes, this one too, with status 2; rank and reason
    /// are printed.
    fn fail(&mut self, reason: &str);
}

/// A message to another rank, or to this one.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// The rank that receives it.
    pub to: usize,
    /// Its parts, which are sent from where they are.
    pub pieces: &'a [&'a [u8]],
}

/// Where a message from another rank, or from this one, goes.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// The rank that sends it.
    pub from: usize,
    /// The number of pieces that it is sent in.
    pub pieces: usize,
    /// What was there before is replaced by the pieces, joined in their order. Its memory is used
    /// again, for this message or a later one.
    pub bytes: &'a mut Vec<u8>,
}

/// A rank that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank} failed: {reason}")]
pub struct Lost {
    /// Its number.
    pub rank: usize,
    /// Its message, or what is known of the failure.
    pub reason: String,
}
