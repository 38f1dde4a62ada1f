//! Errors of distributed crowds.

use std::path::Path;

use crate::agree::Refused;
use crate::transport::Lost;

/// The error of an operation on a distributed crowd.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine refuses the call on all ranks alike, or it refuses a part of a checkpoint.
    #[error(transparent)]
    Engine(#[from] flockwork::Error),
    /// All ranks refuse a call, such as a step, because one rank must refuse it.
    /// The error is the same as on one host. The state does not change on any rank.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A rank is gone.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// The system refuses a file or folder of a checkpoint, or its contents are invalid.
    #[error("{path}: {message}")]
    File {
        /// The path of the file or folder.
        path: String,
        /// The system's message, or the fault in the contents.
        message: String,
    },
}

/// Maximum characters of a message, because messages may quote files of any length.
const MAX_MESSAGE_CHARS: usize = 200;

pub(crate) fn wrong(path: &Path, message: impl ToString) -> Failure {
    let mut message = message.to_string();
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
        message.truncate(end);
        message.push('…');
    }
    Failure::File { path: path.display().to_string(), message }
}
