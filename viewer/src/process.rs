//! The process: requests to end it, its standard output, and its threads.

use std::error::Error as _;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process;
use std::sync::{Mutex, PoisonError};

use flockwork::internal::{default_threads, memory};

use crate::error::Error;

/// The exit code of a program that was asked to end.
pub(crate) const INTERRUPTED: u8 = 130;

/// Completes what the program is doing, from the moment when there is something to complete.
static COMPLETE: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Handles requests to end: Ctrl-C, a termination, a terminal that closes. A request ends the
/// program at once, unless there is something to complete. A second request always does: the first
/// may wait for a reader that reads no more.
pub(crate) fn handle_interrupts() {
    // Without a handler, a request simply ends the program.
    let _ = ctrlc::set_handler(|| {
        let complete = COMPLETE.lock().unwrap_or_else(PoisonError::into_inner).take();
        complete.unwrap_or_else(|| process::exit(INTERRUPTED.into()))();
    });
}

/// Calls `complete` at the next request to end.
pub(crate) fn on_interrupt(complete: impl FnOnce() + Send + 'static) {
    *COMPLETE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(complete));
}

/// Ignores a closed pipe: a reader such as `head` may leave early.
pub(crate) fn unless_reader_left(printed: io::Result<()>) -> Result<(), Error> {
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(Error::write(Path::new("to standard output"), &error)),
    })
}

/// Starts the threads that draw, unless the program that shows its own behaviors has done so.
pub(crate) fn start_threads() -> Result<(), flockwork::Error> {
    let threads = default_threads()?;
    memory::check_threads(threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(memory::STACK);
    match pool.build_global() {
        // Only a system that refuses is a cause.
        Err(error) if error.source().is_some() => {
            Err(flockwork::Error::new(flockwork::ErrorKind::Threads {
                threads,
                message: error.to_string(),
            }))
        }
        _ => Ok(()),
    }
}
