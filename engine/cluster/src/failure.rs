//! Why a crowd cannot do what it was asked for.

use std::path::Path;

use crate::agree::Refused;
use crate::transport::Lost;

/// Why a crowd cannot do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine refuses it, on all ranks alike; or it refuses a part of a checkpoint.
    #[error(transparent)]
    Engine(#[from] flockwork::Error),
    /// Refused on all ranks for what is wrong on one, such as a step, with the error of a crowd on
    /// one host. The state stays as it was, on all ranks.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A rank is gone.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// The system refuses a file or a folder of a checkpoint, or it is not what it should be.
    #[error("{path}: {message}")]
    File {
        /// The file or folder.
        path: String,
        /// What the system says, or what is wrong with it.
        message: String,
    },
}

/// Characters of a message, which may quote a file of any length.
const LONGEST_MESSAGE: usize = 200;

/// What is wrong with a file or folder.
pub(crate) fn wrong(path: &Path, message: impl ToString) -> Failure {
    let mut message = message.to_string();
    if let Some((end, _)) = message.char_indices().nth(LONGEST_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    Failure::File { path: path.display().to_string(), message }
}
