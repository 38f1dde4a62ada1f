//! Files that are replaced whole or not at all, and read within bounds.
//!
//! Everything that flockwork's programs write goes through [`Replacement`]: a full disk, a signal
//! or a crash leaves the previous file or the new one, never half of one.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// The largest number of links that lead to one another.
const MOST_LINKS: usize = 40;

/// Replaces the file at `path`, or creates it. The bytes go to a temporary file beside it, which takes its
/// place once they are on disk, and is removed if that fails.
///
/// Links are followed: what they name is replaced. Devices and pipes are written to as they are.
/// Returns the new file, which stays the writer's own even if another process replaces it in turn.
///
/// # Errors
/// Those of the operating system; and if the file exists and must not be written.
pub fn replace(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<File> {
    let mut replacement = Replacement::begin(path)?;
    replacement.write_all(bytes)?;
    replacement.finish()
}

/// A file that is written piece by piece, and takes its place as in [`replace`] once it is finished. If it
/// is dropped before, the previous file stays.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// The temporary path and the final one; none for devices and pipes.
    paths: Option<(TempPath, PathBuf)>,
}

impl Replacement {
    /// Begins a file that is to be at `path`.
    ///
    /// # Errors
    /// Those of [`replace`].
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

    /// Puts it into its place.
    ///
    /// # Errors
    /// Those of [`replace`].
    pub fn finish(self) -> io::Result<File> {
        let Self { file, paths } = self;
        let Some((temporary, path)) = paths else { return Ok(file) };
        file.sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        // The name, too, outlasts a loss of power. Not every file system can promise that.
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

/// Checks in advance that [`replace`] could write to `path`.
///
/// # Errors
/// Those of [`replace`] that do not depend on what is written.
pub fn check_replaceable(path: impl AsRef<Path>) -> io::Result<()> {
    let (path, existing) = destination(path.as_ref())?;
    match existing {
        Some(about) if !about.is_file() => Ok(()),
        _ => temporary_beside(&path).map(drop),
    }
}

/// Reads a file of at most `limit` bytes. Only regular files: a device may never end, and a pipe
/// never begin.
///
/// # Errors
/// Those of the operating system; and if the file is not regular, too long, or if there is no
/// memory for it.
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
    // It may have grown since.
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    check_length(bytes.len() as u64)?;
    Ok(bytes)
}

/// What a path names in the end, and what is there.
fn destination(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => {
            Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"))
        }
        // Replacing a file takes permission for its folder only; its own counts, too.
        Ok(about) if about.is_file() => {
            File::options().write(true).open(path)?;
            Ok((fs::canonicalize(path)?, Some(about)))
        }
        Ok(about) => Ok((path.to_owned(), Some(about))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((end_of_links(path)?, None)),
        Err(error) => Err(error),
    }
}

/// The path at which links that lead nowhere expect a file.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
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

/// A new file in the same folder. Its name does not depend on that of the file, which may already
/// be as long as names can be.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".flockwork-").suffix(".tmp");
    // As any new file; temporary ones are for their owner only.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = folder_of(path);
    builder.tempfile_in(folder).map_err(|error| {
        let message = error.to_string();
        // Without the random name.
        let why = message.split(" at path ").next().unwrap_or_default();
        io::Error::new(error.kind(), format!("in the folder {}: {why}", folder.display()))
    })
}
