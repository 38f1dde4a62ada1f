//! Snapshots as files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Snapshot;
use crate::error::{Error, Place};

impl Snapshot {
    /// Writes the snapshot to a file. An existing file is replaced only once the new one is
    /// complete, so a crash never leaves half a file.
    ///
    /// # Errors
    /// [`Error::File`] if the operating system refuses.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        replace(path, &self.to_bytes()).map_err(|error| refused(path, &error))
    }

    /// Reads a snapshot from a file that [`Self::save`] wrote.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read; and those of [`Self::from_bytes`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| refused(path, &error))?;
        let place = Place { file: Some(path.display().to_string().into()), line: None };
        Self::from_bytes(&bytes).map_err(|error| error.at(place))
    }
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::File { path: path.display().to_string(), message: error.to_string() }
}

/// Writes a temporary file, then renames it to `path`.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_path(path)?;
    let written = File::create_new(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&temporary, path));
    if replaced.is_err() {
        // The first error says more than a failure to clean up.
        let _ = fs::remove_file(&temporary);
    }
    replaced
}

/// A path in the same folder that no other thread or process writes to.
fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file name"));
    };
    let mut name = name.to_owned();
    name.push(format!(".{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Relaxed)));
    Ok(path.with_file_name(name))
}
