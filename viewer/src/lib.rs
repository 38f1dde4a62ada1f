//! Shows a crowd in a window, or renders it headless to pictures and recordings.
//!
//! The viewer's binary only calls [`run`]. To view scene files with your own behaviors, write
//! a program that registers the behaviors and then calls [`run`], as `examples/own_viewer.rs` does.

mod export;
mod headless;
mod options;
mod picture;
mod raster;
mod session;
mod window;

use std::error::Error as _;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use clap::{CommandFactory, Parser};
use flockwork::Scene;
use flockwork::internal::{default_threads, memory};

use crate::options::Options;

/// Runs the viewer with the process's command-line arguments and returns the exit code.
pub fn run() -> ExitCode {
    handle_interrupts();
    let outcome = match Options::try_parse().map_err(name_invalid_words) {
        Ok(options) => run_with(&options),
        Err(answer) => {
            unless_reader_left(answer.print()).map(|()| ExitCode::from(answer.exit_code() as u8))
        }
    };
    outcome.unwrap_or_else(|error| {
        // Standard error may be closed, so failures are ignored.
        let _ = writeln!(io::stderr(), "error: {error}");
        ExitCode::from(2)
    })
}

/// Adds the arguments that are not UTF-8 to an error of clap, which does not name them.
fn name_invalid_words(error: clap::Error) -> clap::Error {
    if error.kind() != clap::error::ErrorKind::InvalidUtf8 {
        return error;
    }
    let words = std::env::args_os().skip(1).filter(|word| word.to_str().is_none());
    let message = format!("invalid UTF-8 in {:?}", words.collect::<Vec<_>>());
    Options::command().error(error.kind(), message)
}

fn run_with(options: &Options) -> Result<ExitCode, Error> {
    if options.list {
        return list();
    }
    start_threads()?;
    if options.headless { headless::run(options) } else { window::app::run(options) }
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

/// Exit code after an interrupt: 128 + SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// Called on an interrupt to complete the current work; `None` while there is no such work.
static COMPLETE: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Handles requests to exit: Ctrl-C, a termination signal or a closed terminal.
/// The first request ends the program at once, unless there is work to complete. A second request
/// always ends the program, because that work may be waiting for a reader that no longer reads.
fn handle_interrupts() {
    // A failure is ignored: without a handler, an interrupt simply ends the program.
    let _ = ctrlc::set_handler(|| {
        let complete = COMPLETE.lock().unwrap_or_else(PoisonError::into_inner).take();
        complete.unwrap_or_else(|| process::exit(INTERRUPTED.into()))();
    });
}

pub(crate) fn on_interrupt(complete: impl FnOnce() + Send + 'static) {
    *COMPLETE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(complete));
}

/// Treats a closed pipe as success, because a reader such as `head` may exit early.
pub(crate) fn unless_reader_left(printed: io::Result<()>) -> Result<(), Error> {
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(Error::write(Path::new("to standard output"), &error)),
    })
}

/// Starts the drawing threads, unless the embedding program has already started them.
fn start_threads() -> Result<(), flockwork::Error> {
    let threads = default_threads()?;
    memory::check_threads(threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(memory::STACK_BYTES);
    match pool.build_global() {
        // An error with a source comes from the system. An error without one means that the pool
        // already exists, which is fine.
        Err(error) if error.source().is_some() => {
            Err(flockwork::Error::new(flockwork::ErrorKind::Threads {
                threads,
                message: error.to_string(),
            }))
        }
        _ => Ok(()),
    }
}

/// Starts a thread whose stack size does not depend on `RUST_MIN_STACK`.
pub(crate) fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Error> {
    thread::Builder::new().stack_size(memory::STACK_BYTES).spawn(work).map_err(Error::Thread)
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error(
        "there is no agent {number} to explain: the scene has {agents} agents, numbered from 0; \
         removed agents leave gaps"
    )]
    NoAgent { number: u32, agents: usize },
    #[error(
        "all pairs of {agents} agents would take more than ten seconds per step: \
         the window allows up to {limit}"
    )]
    AllPairs { agents: usize, limit: usize },
    #[error("{option}: the world of scene `{scene}` is flat; this is for worlds with depth")]
    Flat { option: String, scene: String },
    #[error("cannot write {path}: {message}")]
    Write { path: String, message: String },
    #[error(
        "cannot open a window: {0}\nTo run without a display, use for example\n  flockwork-viewer \
         --headless --scene stress --steps 600 --out stress.png"
    )]
    NoWindow(String),
    #[error("cannot draw in the window: {0}")]
    Drawing(String),
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

impl Error {
    pub(crate) fn write(path: &Path, error: &dyn Display) -> Self {
        Self::Write { path: path.display().to_string(), message: error.to_string() }
    }
}
