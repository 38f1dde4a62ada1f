//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Becomes true with Ctrl-C.
pub(super) fn until_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler Ctrl-C just ends the program.
    let _ = ctrlc::set_handler(move || on_interrupt.store(true, Relaxed));
    stop
}
