//! Atomic file replacement and size-limited reads.
//!
//! All files that flockwork's programs write go through [`Replacement`], so a full disk, a signal
//! or a crash leaves either the previous file or the new file, never a partial file.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

const MAX_LINKS: usize = 40;

/// Replaces or creates the file at `path`. The bytes go to a temporary file in the same folder.
/// The temporary file replaces `path` once the bytes are on disk, or is removed if writing fails.
///
/// Symbolic links are followed. Devices and pipes are written to directly. Returns a handle to the
/// new file, which still refers to the data just written even if another process replaces `path`.
///
/// # Errors
/// Any I/O error, including when the file exists and is not writable.
pub fn replace(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<File> {
    let mut replacement = Replacement::begin(path)?;
    replacement.write_all(bytes)?;
    replacement.finish()
}

/// A new file, written incrementally, that replaces the previous file when finished (see
/// [`replace`]). Dropping an unfinished `Replacement` leaves the previous file unchanged.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// Paths of the temporary file and of the file to replace; `None` for devices and pipes.
    paths: Option<(TempPath, PathBuf)>,
}

impl Replacement {
    /// Begins a new file that will replace the file at `path`.
    ///
    /// # Errors
    /// The same errors as [`replace`].
    pub fn begin(path: impl AsRef<Path>) -> io::Result<Self> {
        let (path, existing) = destination(path.as_ref())?;
        if existing.as_ref().is_some_and(|about| !about.is_file()) {
            return Ok(Self { file: File::options().write(true).open(path)?, paths: None });
        }
        let (file, temporary) = temporary_beside(&path)?.into_parts();
        if let Some(previous) = existing {
            file.set_permissions(previous.permissions())?;
        }
        Ok(Self { file, paths: Some((temporary, path)) })
    }

    /// Replaces the previous file with the finished one, and returns a handle to it.
    ///
    /// # Errors
    /// The same errors as [`replace`].
    pub fn finish(self) -> io::Result<File> {
        let Self { file, paths } = self;
        let Some((temporary, path)) = paths else { return Ok(file) };
        file.sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        // Sync the folder, so that the new name survives a power loss. Ignore errors:
        // some file systems cannot sync folders.
        let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        Ok(file)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Checks in advance whether [`replace`] can write to `path`.
///
/// # Errors
/// The errors of [`replace`] that do not depend on the content.
pub fn check_replaceable(path: impl AsRef<Path>) -> io::Result<()> {
    let (path, existing) = destination(path.as_ref())?;
    match existing {
        Some(about) if !about.is_file() => Ok(()),
        _ => temporary_beside(&path).map(drop),
    }
}

/// Reads a regular file of at most `limit` bytes. Rejects devices and pipes: a device may never
/// end, and a pipe may never deliver data.
///
/// # Errors
/// Any I/O error, including when the file is not regular, exceeds `limit` or does not fit in
/// memory.
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    let about = fs::metadata(path)?;
    if !about.is_file() {
        let what = if about.is_dir() { "a folder" } else { "a device or a pipe" };
        return Err(io::Error::new(ErrorKind::InvalidInput, format!("{what}, not a file")));
    }
    let check_length = |length: u64| {
        if length <= limit {
            return Ok(());
        }
        let message = format!("{length} bytes: must be at most {limit}");
        Err(io::Error::new(ErrorKind::FileTooLarge, message))
    };
    let length = about.len();
    check_length(length)?;
    let mut bytes = Vec::new();
    let reserved = usize::try_from(length).is_ok_and(|room| bytes.try_reserve_exact(room).is_ok());
    if !reserved {
        let message = format!("not enough memory for its {length} bytes");
        return Err(io::Error::new(ErrorKind::OutOfMemory, message));
    }
    // The file may have grown since its length was checked.
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    check_length(bytes.len() as u64)?;
    Ok(bytes)
}

/// Follows symbolic links. Returns the final path, and the file's metadata if it exists.
fn destination(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => {
            Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"))
        }
        // Replacing a file requires only write permission for its folder,
        // so the file's own permission is checked here.
        Ok(about) if about.is_file() => {
            File::options().write(true).open(path)?;
            Ok((fs::canonicalize(path)?, Some(about)))
        }
        Ok(about) => Ok((path.to_owned(), Some(about))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((end_of_links(path)?, None)),
        Err(error) => Err(error),
    }
}

fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            Err(_) if path.file_name().is_none() => break,
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "not a file name"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Creates a temporary file in the same folder as `path`. Its name is not derived from `path`,
/// whose file name may already have the maximum length.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".flockwork-").suffix(".tmp");
    // By default, a temporary file is readable only by its owner. Use normal permissions instead.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = folder_of(path);
    builder.tempfile_in(folder).map_err(|error| {
        let message = error.to_string();
        // Drop the temporary file's random name, which means nothing to the user.
        let why = message.split(" at path ").next().unwrap_or_default();
        io::Error::new(error.kind(), format!("in the folder {}: {why}", folder.display()))
    })
}
