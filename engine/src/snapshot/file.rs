//! Snapshots as files.

use std::io;
use std::path::Path;

use super::Snapshot;
use crate::error::{Error, Place};
use crate::file;

impl Snapshot {
    /// Writes the snapshot to a file, with [`file::replace`]: an existing file is replaced only
    /// once the new one is complete.
    ///
    /// # Errors
    /// [`Error::File`] if the operating system refuses.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let replaced = file::replace(path, &self.to_bytes());
        replaced.map(drop).map_err(|error| refused(path, &error))
    }

    /// Reads a snapshot from a file that [`Self::save`] wrote.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read; and those of [`Self::from_bytes`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = file::read(path, u64::MAX).map_err(|error| refused(path, &error))?;
        let place = Place { file: Some(path.display().to_string().into()), line: None };
        Self::from_bytes(&bytes).map_err(|error| error.at(place))
    }
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::File { path: path.display().to_string(), message: error.to_string() }
}
