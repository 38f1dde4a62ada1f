use std::process::ExitCode;

fn main() -> ExitCode {
    flockwork_viewer::run()
}
