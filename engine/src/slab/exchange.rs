//! Communication between slabs: a step moves bytes through an [`Exchange`] and knows nothing about
//! hosts.

use std::fmt::Display;

/// Moves bytes between the slabs of a crowd. Slabs are numbered from 0.
///
/// All slabs must call the same functions in the same order. Each function returns
/// [`Lost`](Self::Lost) if it waits for a slab that is no longer running.
#[allow(clippy::missing_errors_doc, reason = "all functions have the same error")]
pub trait Exchange {
    /// The error if another slab is no longer running.
    type Lost;

    /// Sends every `outgoing` piece and receives every `incoming` message.
    ///
    /// Posts all sends first. Then calls `meanwhile`, which does part of the slab's work, until it
    /// returns `false`, and processes messages between the calls. Finally, waits until all expected
    /// messages have arrived and all sent messages have left.
    ///
    /// In an exchange, each slab sends at most one message to each slab, including itself. The
    /// pieces of a message must be adjacent in `outgoing`. After an error, the contents of the
    /// buffers are unspecified.
    ///
    /// # Panics
    /// May panic if a slab does not exist, or if the receiver does not expect a message.
    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming],
        meanwhile: &mut dyn FnMut() -> bool,
    ) -> Result<(), Self::Lost>;

    /// Replaces each element of `values` with its wrapping sum over all slabs.
    fn sum(&mut self, values: &mut [u64]) -> Result<(), Self::Lost>;

    /// Returns the minimum of `value` over all slabs.
    fn min(&mut self, value: u64) -> Result<u64, Self::Lost>;

    /// Gathers every slab's `bytes` on all slabs; `into` is indexed by slab.
    fn all_gather(&mut self, bytes: &[u8], into: &mut Vec<Vec<u8>>) -> Result<(), Self::Lost>;
}

/// A piece of a message to any slab, including the sender itself.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// Number of the receiver.
    pub to: usize,
    /// Bytes to send. The receiver gets all pieces of the message, joined in order.
    pub piece: &'a [u8],
}

/// Receive buffer for a message from any slab, including the receiver itself.
#[derive(Debug, Clone, Default)]
pub struct Incoming {
    /// Number of the sender.
    pub from: usize,
    /// Number of pieces that the sender sends.
    pub pieces: usize,
    /// The joined pieces replace the contents of this buffer.
    /// The exchange may swap the buffer for another and reuse its memory later.
    pub bytes: Vec<u8>,
}

/// One slab's error, returned on every slab.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {message}")]
pub struct Refused {
    /// Number of the slab that failed, which is the number of the rank that steps it.
    pub rank: usize,
    /// The failed slab's error message.
    pub message: String,
}

/// Returns this slab's value if no slab has an error. Otherwise, every slab gets the error of the
/// lowest slab that has an error, so that no slab waits for the failed slab.
///
/// # Errors
/// [`Exchange::Lost`] if a slab is no longer running.
pub fn agree<V, X: Exchange + ?Sized>(
    result: Result<V, impl Display>,
    exchange: &mut X,
) -> Result<Result<V, Refused>, X::Lost> {
    // Empty bytes mean success. Errors get the prefix `!`, because their text could be empty.
    let brought = result.as_ref().err().map_or(String::new(), |error| format!("!{error}"));
    let mut all = Vec::new();
    exchange.all_gather(brought.as_bytes(), &mut all)?;
    let failed = all.iter().position(|brought| !brought.is_empty());
    Ok(match (result, failed) {
        (Ok(value), None) => Ok(value),
        (_, failed) => {
            let rank = failed.unwrap_or_default();
            let message = String::from_utf8_lossy(&all[rank][1..]).into_owned();
            Err(Refused { rank, message })
        }
    })
}
