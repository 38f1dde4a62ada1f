//! Snapshots as files.

use std::fs;
use std::io;
use std::path::Path;

use super::Snapshot;
use crate::error::{Error, Place};
use crate::file;
use crate::memory;

/// How much memory a file takes while it is written, and while it is read and checked, as multiples
/// of the state and of the file.
pub(super) const COPIES_WRITTEN: u64 = 3;
const COPIES_READ: u64 = 3;

impl Snapshot {
    /// Writes the snapshot to a file, with [`file::replace`]: an existing file is replaced only
    /// once the new one is complete.
    ///
    /// # Errors
    /// [`Error::File`] if the operating system refuses; [`Error::Memory`] if there is too little.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        memory::check(COPIES_WRITTEN * self.bytes())?;
        let replaced = file::replace(path, &self.to_bytes());
        replaced.map(drop).map_err(|error| refused(path, &error))
    }

    /// Reads a snapshot from a file that [`Self::save`] wrote.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read; and those of [`Self::from_bytes`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        check_memory_to_read(path)?;
        let bytes = file::read(path, u64::MAX).map_err(|error| refused(path, &error))?;
        let place = Place { file: Some(path.display().to_string().into()), line: None };
        Self::from_bytes(&bytes).map_err(|error| error.at(place))
    }
}

/// Checks that there is memory to read a file into.
pub(super) fn check_memory_to_read(path: &Path) -> Result<(), Error> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    memory::check(length.saturating_mul(COPIES_READ))
}

pub(super) fn refused(path: &Path, error: &io::Error) -> Error {
    Error::File { path: path.display().to_string(), message: error.to_string() }
}
