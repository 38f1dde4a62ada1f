//! Errors from distributed crowds.

use std::path::Path;

use flockwork::internal::escaped;
use flockwork::slab::Refused;

use crate::transport::Lost;

/// An error from an operation on a distributed crowd.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine returned the same error on all ranks, or rejected part of a checkpoint.
    #[error(transparent)]
    Engine(#[from] flockwork::Error),
    /// A call, such as a step, failed on one rank and therefore fails on all ranks.
    /// The error is the same as for an undivided crowd. The state does not change on any rank.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A rank has exited or crashed.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// A checkpoint file or folder cannot be read or written, or its contents are invalid.
    #[error("{}: {}", escaped(path), escaped(message))]
    File {
        /// Path of the file or folder as text. Invalid Unicode is replaced.
        path: String,
        /// The operating system's message, or a description of the invalid contents.
        message: String,
    },
}

/// Messages may quote long files, so they are truncated to this many characters.
const MAX_MESSAGE_CHARS: usize = 200;

pub(crate) fn wrong(path: &Path, message: impl ToString) -> Failure {
    let mut message = message.to_string();
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
        message.truncate(end);
        message.push('…');
    }
    Failure::File { path: path.display().to_string(), message }
}
