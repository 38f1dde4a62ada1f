//! Standard output and standard error, which may be full or have lost their reader.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::error::Error;

/// Ignores a closed pipe: a reader such as `head` may leave early.
pub(crate) fn unless_reader_left(printed: io::Result<()>) -> Result<(), Error> {
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(Error::write(Path::new("to standard output"), &error)),
    })
}
