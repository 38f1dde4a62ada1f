//! What the program writes, to readers that may be gone and disks that may be full.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a result to standard output, where it matters whether it arrives.
pub(crate) fn print(text: impl Display) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    written.map_err(|error| format!("cannot write to standard output: {error}"))
}

/// Writes a message to standard error. If it cannot be written, there is nobody to tell.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
