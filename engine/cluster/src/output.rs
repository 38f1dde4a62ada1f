use std::fmt::Display;
use std::io::{self, Write};

pub(crate) fn print(text: impl Display) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    written.map_err(|error| format!("cannot write to standard output: {error}"))
}

/// Errors are ignored: if standard error is closed, there is nowhere left to report them.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
