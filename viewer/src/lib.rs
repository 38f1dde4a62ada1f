//! Shows a crowd in a window, or renders it headless to pictures and recordings.
//!
//! The program is a call of [`run`]. A program of your own registers its behaviors first; then the
//! viewer shows scene files with them, as `examples/own_viewer.rs` does.

mod error;
mod export;
mod headless;
mod interrupt;
mod numbers;
mod options;
mod picture;
mod raster;
mod session;
mod window;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use flockwork::Scene;

use crate::error::Error;
use crate::options::Options;

/// Does what the command line asks for, and returns the exit code.
pub fn run() -> ExitCode {
    let options = Options::parse();
    let outcome = if options.list {
        list()
    } else if options.benchmark {
        headless::benchmark::run(&options)
    } else if options.headless {
        headless::run::run(&options)
    } else {
        window::app::run(&options)
    };
    outcome.unwrap_or_else(|error| {
        // Standard error may be closed, too.
        let _ = writeln!(io::stderr(), "error: {error}");
        ExitCode::from(2)
    })
}

fn list() -> Result<ExitCode, Error> {
    let mut out = io::stdout().lock();
    for name in Scene::names() {
        let about = Scene::named(name)?.about;
        // The reader of a pipe may close it early.
        if writeln!(out, "{name:20} {about}").is_err() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}
