//! The process: requests to end it, its standard output, and its threads.

use std::error::Error as _;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process;

use flockwork::internal::{default_threads, memory};

use crate::error::Error;

/// The exit code of a program that was asked to end.
pub(crate) const INTERRUPTED: u8 = 130;

/// Calls `end` at the first request: Ctrl-C, a termination, a terminal that closes. The second ends
/// the program at once: the first may wait for a reader that reads no more.
pub(crate) fn on_interrupt(end: impl Fn() + Send + 'static) {
    let mut requested = false;
    // Without a handler, a request simply ends the program.
    let _ = ctrlc::set_handler(move || {
        if requested {
            process::exit(INTERRUPTED.into());
        }
        requested = true;
        end();
    });
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
