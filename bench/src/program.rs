use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::failure::Failure;

/// Parses the command line, runs `work` and prints any error.
/// Failure to print help is reported like any other error.
pub fn run<Options: Parser>(work: impl FnOnce(Options) -> Result<ExitCode, Failure>) -> ExitCode {
    let parsed = Options::try_parse().map_err(name_invalid_words::<Options>);
    let outcome = parsed.map_err(Failure::from).and_then(work);
    let failure = match outcome {
        Ok(code) => return code,
        Err(Failure::CommandLine(answer)) => match answer.print() {
            Err(error) if !answer.use_stderr() => error.into(),
            _ => return ExitCode::from(answer.exit_code() as u8),
        },
        Err(failure) => failure,
    };
    match failure {
        // A reader such as `head` may quit early, which is not an error.
        Failure::Print(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        failure => {
            // Standard error may be closed, so ignore its errors.
            let _ = writeln!(io::stderr(), "error: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Adds the arguments that are not UTF-8 to an error of clap, which does not name them.
fn name_invalid_words<Options: Parser>(error: clap::Error) -> clap::Error {
    if error.kind() != clap::error::ErrorKind::InvalidUtf8 {
        return error;
    }
    let words = std::env::args_os().skip(1).filter(|word| word.to_str().is_none());
    let message = format!("invalid UTF-8 in {:?}", words.collect::<Vec<_>>());
    Options::command().error(error.kind(), message)
}
