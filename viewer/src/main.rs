//! Shows a crowd in a window, or renders it headless to pictures and recordings.

use std::process::ExitCode;

fn main() -> ExitCode {
    flockwork_viewer::run()
}
