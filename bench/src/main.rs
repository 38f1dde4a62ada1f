//! The program: parses its command line, runs the command and returns its exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use flockwork_bench::command::{self, Options};

fn main() -> ExitCode {
    run()
}

// Not inlined, so that no instruction of it runs before the check.
#[inline(never)]
fn run() -> ExitCode {
    let options = Options::parse();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    command::run(options, &arguments).unwrap_or_else(|failure| {
        // Standard error may be closed, too.
        let _ = writeln!(io::stderr(), "error: {failure}");
        ExitCode::from(failure.exit_code())
    })
}
