//! How every program here begins and ends.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::failure::Failure;

/// Parses the command line, does what it asks for, and says why if that fails. Help is printed like
/// anything else: where that fails, it is said.
pub fn run<Options: Parser>(work: impl FnOnce(Options) -> Result<ExitCode, Failure>) -> ExitCode {
    let outcome = Options::try_parse().map_err(Failure::from).and_then(work);
    let failure = match outcome {
        Ok(code) => return code,
        Err(Failure::CommandLine(answer)) => match answer.print() {
            Err(error) if !answer.use_stderr() => error.into(),
            _ => return ExitCode::from(answer.exit_code() as u8),
        },
        Err(failure) => failure,
    };
    match failure {
        // A reader such as `head` may leave early.
        Failure::Print(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        failure => {
            // Standard error may be closed, too.
            let _ = writeln!(io::stderr(), "error: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
