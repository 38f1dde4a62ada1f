//! Why a checkpoint is not written or read.

use std::path::Path;

use crate::agree::Refused;
use crate::transport::Lost;

/// Why a checkpoint is not written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system refuses a file or a folder, or it is not what it should be.
    #[error("{path}: {message}")]
    File {
        /// The file or folder.
        path: String,
        /// What the system says, or what is wrong with it.
        message: String,
    },
    /// The engine refuses a part.
    #[error(transparent)]
    Engine(#[from] flockwork::Error),
    /// A rank could not save its part: all ranks get this.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A rank is gone.
    #[error(transparent)]
    Lost(#[from] Lost),
}

/// Characters of a message, which may quote a file of any length.
const LONGEST_MESSAGE: usize = 200;

pub(super) fn wrong(path: &Path, message: impl ToString) -> CheckpointError {
    let mut message = message.to_string();
    if let Some((end, _)) = message.char_indices().nth(LONGEST_MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    CheckpointError::File { path: path.display().to_string(), message }
}
