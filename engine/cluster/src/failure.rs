//! Errors of distributed crowds.

use std::path::Path;

use crate::agree::Refused;
use crate::transport::Lost;

/// An error of an operation on a distributed crowd.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine refuses the call, with the same error on all ranks, or a part of a checkpoint.
    #[error(transparent)]
    Engine(#[from] flockwork::Error),
    /// One rank must refuse a call, such as a step, so all ranks refuse it.
    /// The error is the same as on one host. The state does not change on any rank.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A rank no longer runs.
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

/// Maximum length of a message, in characters, because messages may quote long files.
const MAX_MESSAGE_CHARS: usize = 200;

pub(crate) fn wrong(path: &Path, message: impl ToString) -> Failure {
    let mut message = message.to_string();
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
        message.truncate(end);
        message.push('…');
    }
    Failure::File { path: path.display().to_string(), message }
}
