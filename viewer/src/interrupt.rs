//! Requests to end: Ctrl-C, a termination, a terminal that closes.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit code of a program that was asked to end.
pub(crate) const INTERRUPTED: u8 = 130;

/// Calls `end` at the first request. The second ends the program at once: the first may wait for a
/// reader that reads no more.
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

/// A flag that the first request sets.
pub(crate) fn interrupt_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    on_interrupt(move || flag.store(true, Relaxed));
    stop
}
