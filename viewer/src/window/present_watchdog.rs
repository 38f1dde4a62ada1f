//! Frees the window from a picture that never gets shown.
//!
//! When the window changes its size in the moment in which pixels waits for the display, pixels
//! tries again for ever with the size of before. Then a thread gives the window that size for a
//! moment.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use winit::dpi::PhysicalSize;
use winit::window::Window;

/// Longer than any picture takes.
const PATIENCE: Duration = Duration::from_millis(300);

pub(crate) struct Rescue {
    begun: Sender<PhysicalSize<u32>>,
    ended: Sender<()>,
    /// What size the window had when it was rescued.
    taken: Arc<Mutex<Option<PhysicalSize<u32>>>>,
}

impl Rescue {
    pub(crate) fn new(window: Arc<Window>) -> Self {
        let (begun, begins) = channel();
        let (ended, ends) = channel();
        let taken = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&taken);
        // It ends when the window, which holds the other ends, does.
        thread::spawn(move || watch(&window, &begins, &ends, &noted));
        Self { begun, ended, taken }
    }

    /// A picture of a surface of this size is about to be shown.
    pub(crate) fn begin(&self, surface: (u32, u32)) {
        let _ = self.begun.send(surface.into());
    }

    /// It is. Returns the size that the window is to have again.
    pub(crate) fn end(&self) -> Option<PhysicalSize<u32>> {
        let _ = self.ended.send(());
        self.taken.lock().ok()?.take()
    }
}

fn watch(
    window: &Window,
    begins: &Receiver<PhysicalSize<u32>>,
    ends: &Receiver<()>,
    taken: &Mutex<Option<PhysicalSize<u32>>>,
) {
    while let Ok(surface) = begins.recv() {
        while ends.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let size = window.inner_size();
            if let (true, Ok(mut taken)) = (size != surface, taken.lock()) {
                *taken = Some(size);
                let _ = window.request_inner_size(surface);
            }
        }
    }
}
