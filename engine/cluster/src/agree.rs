//! What fails on one rank fails on all of them, with the same message: none waits for another.

use std::fmt::Display;

use crate::transport::{Lost, Transport};

/// Something that no rank does because one of them cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {message}")]
pub struct Refused {
    /// The first rank that cannot.
    pub rank: usize,
    /// What is wrong there.
    pub message: String,
}

/// This rank's value if no rank has an error; otherwise, on every rank, the error of the first that
/// has one.
///
/// # Errors
/// [`Lost`] if a rank is gone.
pub fn agree<V>(
    result: Result<V, impl Display>,
    transport: &mut impl Transport,
) -> Result<Result<V, Refused>, Lost> {
    // A rank without an error brings no bytes.
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
