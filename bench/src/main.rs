use std::process::ExitCode;

use flockwork_bench::{command, program};

fn main() -> ExitCode {
    // Only a path may contain invalid UTF-8, which the report shows as replacement characters.
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let arguments: Vec<String> = words.collect();
    program::run(|options| command::run(options, &arguments))
}
