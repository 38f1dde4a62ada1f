use std::error::Error as _;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process;
use std::sync::{Mutex, PoisonError};

use flockwork::internal::{default_threads, memory};

use crate::error::Error;

/// Exit code after an interrupt: 128 + SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// Called on an interrupt to complete the current work; `None` while there is no such work.
static COMPLETE: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Handles requests to exit: Ctrl-C, termination, a closing terminal.
/// The first request ends the program at once, unless there is work to complete. A second request
/// always ends the program, because the work may wait for a reader that has stopped reading.
pub(crate) fn handle_interrupts() {
    // Without a handler, an interrupt simply ends the program.
    let _ = ctrlc::set_handler(|| {
        let complete = COMPLETE.lock().unwrap_or_else(PoisonError::into_inner).take();
        complete.unwrap_or_else(|| process::exit(INTERRUPTED.into()))();
    });
}

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

/// Starts the drawing threads, unless the embedding program has already started them.
pub(crate) fn start_threads() -> Result<(), flockwork::Error> {
    let threads = default_threads()?;
    memory::check_threads(threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(memory::STACK);
    match pool.build_global() {
        // Errors with a source come from the system. Without a source, the thread pool exists
        // already, which is fine.
        Err(error) if error.source().is_some() => {
            Err(flockwork::Error::new(flockwork::ErrorKind::Threads {
                threads,
                message: error.to_string(),
            }))
        }
        _ => Ok(()),
    }
}
