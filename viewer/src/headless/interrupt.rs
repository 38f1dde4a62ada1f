//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A flag that Ctrl-C sets.
pub(super) fn interrupt_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler, Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(move || on_interrupt.store(true, Relaxed));
    stop
}
