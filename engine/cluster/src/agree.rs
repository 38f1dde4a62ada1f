//! Collective errors: if an operation fails on one rank, all ranks return the same error,
//! so that no rank waits for the failed rank.

use std::fmt::Display;

use crate::transport::{Lost, Transport};

/// The error of one rank, returned by all ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {message}")]
pub struct Refused {
    /// The lowest rank that failed.
    pub rank: usize,
    /// The failed rank's error message.
    pub message: String,
}

/// Returns this rank's value if no rank has an error.
/// Otherwise, every rank gets the error of the lowest rank that has an error.
///
/// # Errors
/// [`Lost`] if a rank is no longer running.
pub fn agree<V>(
    result: Result<V, impl Display>,
    transport: &mut impl Transport,
) -> Result<Result<V, Refused>, Lost> {
    // Empty bytes mean success. Errors get the prefix `!`, because their text could be empty.
    let (value, brought) = match result {
        Ok(value) => (Some(value), String::new()),
        Err(error) => (None, format!("!{error}")),
    };
    let mut all = Vec::new();
    transport.all_gather(brought.as_bytes(), &mut all)?;
    let failed = all.iter().position(|brought| !brought.is_empty());
    Ok(match failed {
        Some(rank) => {
            let message = String::from_utf8_lossy(&all[rank][1..]).into_owned();
            Err(Refused { rank, message })
        }
        None => Ok(value.expect("no rank has an error")),
    })
}
