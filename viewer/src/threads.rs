//! The threads that draw.

use std::error::Error as _;

use flockwork::Error;
use flockwork::internal::{default_threads, memory};

/// Starts them, unless the program that shows its own behaviors has done so.
pub(crate) fn start() -> Result<(), Error> {
    let threads = default_threads()?;
    memory::check_threads(threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(memory::STACK);
    match pool.build_global() {
        // Only a system that refuses is a cause.
        Err(error) if error.source().is_some() => {
            Err(Error::Threads { threads, message: error.to_string() })
        }
        _ => Ok(()),
    }
}
