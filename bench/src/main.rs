//! The command: parses its line, runs it and says by its exit code how that went.

use std::process::ExitCode;

use clap::Parser;
use flockwork_bench::command::{self, Options};

fn main() -> ExitCode {
    flockwork::cpu::require_build_features();
    run()
}

// Not inlined: nothing may run before the check above.
#[inline(never)]
fn run() -> ExitCode {
    let options = Options::parse();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    command::run(options, &arguments).unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::from(failure.exit_code())
    })
}
