//! Unblocks a present that never returns.
//!
//! If the window is resized at the moment when pixels waits for the display, pixels retries forever
//! with the old size. A thread then gives the window that size for a moment.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use winit::dpi::PhysicalSize;
use winit::window::Window;

/// Longer than any present takes.
const TIMEOUT: Duration = Duration::from_millis(300);

pub(crate) struct PresentWatchdog {
    begun: Sender<PhysicalSize<u32>>,
    ended: Sender<()>,
    /// The size that the window had when the watchdog changed it.
    replaced_size: Arc<Mutex<Option<PhysicalSize<u32>>>>,
}

impl PresentWatchdog {
    pub(crate) fn new(window: Arc<Window>) -> Self {
        let (begun, begins) = channel();
        let (ended, ends) = channel();
        let replaced_size = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&replaced_size);
        // The thread ends when the window, which owns the other ends, does.
        thread::spawn(move || watch(&window, &begins, &ends, &noted));
        Self { begun, ended, replaced_size }
    }

    /// Call this before presenting a surface of this size.
    pub(crate) fn begin(&self, surface: (u32, u32)) {
        let _ = self.begun.send(surface.into());
    }

    /// Call this after presenting. Returns the size that the window must get back.
    pub(crate) fn end(&self) -> Option<PhysicalSize<u32>> {
        let _ = self.ended.send(());
        self.replaced_size.lock().ok()?.take()
    }
}

fn watch(
    window: &Window,
    begins: &Receiver<PhysicalSize<u32>>,
    ends: &Receiver<()>,
    replaced_size: &Mutex<Option<PhysicalSize<u32>>>,
) {
    while let Ok(surface) = begins.recv() {
        while ends.recv_timeout(TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            let size = window.inner_size();
            if let (true, Ok(mut replaced_size)) = (size != surface, replaced_size.lock()) {
                *replaced_size = Some(size);
                let _ = window.request_inner_size(surface);
            }
        }
    }
}
