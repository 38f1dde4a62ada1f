//! A claim on the names of a series: pictures of two runs would mix.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A locked file beside the series, removed when the claim is dropped. The system drops the lock
/// whatever ends the program, so a file that is left does not block the next run.
pub(super) struct Claim {
    path: PathBuf,
    _locked: File,
}

impl Claim {
    pub(super) fn on(series: &Path) -> Result<Self, Error> {
        let mut name = OsString::from(".");
        name.push(series.file_name().unwrap_or_default());
        name.push(".lock");
        let path = series.with_file_name(name);
        let file = File::create(&path).map_err(|error| Error::write(series, &error))?;
        // Not every file system has locks, which is no reason not to draw.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Error::write(series, &"another run is writing a series of this name"));
        }
        Ok(Self { path, _locked: file })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Another run may use it all the same.
        let _ = fs::remove_file(&self.path);
    }
}
