//! Shows a crowd in a window, or renders it headless to pictures and recordings.
//!
//! The viewer's binary only calls [`run`]. To view scene files with your own behaviors, write
//! a program that registers the behaviors and then calls [`run`], as `examples/own_viewer.rs` does.

mod error;
mod export;
mod headless;
mod options;
mod picture;
mod process;
mod raster;
mod session;
mod window;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use flockwork::Scene;

use crate::error::Error;
use crate::options::Options;
use crate::process::unless_reader_left;

/// Runs the viewer with the arguments of the command line, and returns the exit code.
pub fn run() -> ExitCode {
    process::handle_interrupts();
    let outcome = match Options::try_parse() {
        Ok(options) => run_with(&options),
        Err(answer) => print(&answer),
    };
    outcome.unwrap_or_else(|error| {
        // Standard error may be closed, so failures are ignored.
        let _ = writeln!(io::stderr(), "error: {error}");
        ExitCode::from(2)
    })
}

fn run_with(options: &Options) -> Result<ExitCode, Error> {
    if options.list {
        return list();
    }
    process::start_threads()?;
    if options.headless { headless::run(options) } else { window::app::run(options) }
}

fn print(answer: &clap::Error) -> Result<ExitCode, Error> {
    unless_reader_left(answer.print())?;
    Ok(ExitCode::from(answer.exit_code() as u8))
}

fn list() -> Result<ExitCode, Error> {
    let mut lines = String::new();
    for name in Scene::names() {
        let about = Scene::named(name)?.about;
        lines += &format!("{name:20} {about}\n");
    }
    unless_reader_left(io::stdout().write_all(lines.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
