use std::process::ExitCode;

use flockwork_bench::{command, program};

fn main() -> ExitCode {
    // Only path arguments can hold invalid UTF-8. The report shows it as replacement characters.
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let arguments: Vec<String> = words.collect();
    program::run(|options| command::run(options, &arguments))
}
