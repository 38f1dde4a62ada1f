//! The program: runs the command that its command line asks for.

use std::process::ExitCode;

use flockwork_bench::{command, program};

fn main() -> ExitCode {
    // What is not UTF-8 names a destination, which the report does not keep.
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let arguments: Vec<String> = words.collect();
    program::run(|options| command::run(options, &arguments))
}
