//! Jobs: long tasks that run on their own threads and can be canceled.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::Error;

/// A change to a `T`. Another thread sends it, and the thread that owns the `T` applies it.
pub(super) type Update<T> = Box<dyn FnOnce(&mut T) + Send>;

/// The owner's handle to a job. Dropping the handle cancels the job, which then stops at its next
/// update. Results not yet applied are lost.
pub(super) struct Job<T> {
    pub(super) what: String,
    since: Instant,
    pub(super) updates: Receiver<Update<T>>,
    pub(super) thread: JoinHandle<()>,
}

impl<T: 'static> Job<T> {
    pub(super) fn start(
        what: &str,
        work: impl FnOnce(&Reporter<T>) + Send + 'static,
    ) -> Result<Self, Error> {
        let (sender, updates) = channel();
        let thread = thread::Builder::new().spawn(move || work(&Reporter(sender)));
        let thread = thread.map_err(Error::Thread)?;
        Ok(Self { what: what.into(), since: Instant::now(), updates, thread })
    }

    pub(super) fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}

/// Sends a job's results to its owner.
pub(super) struct Reporter<T>(Sender<Update<T>>);

impl<T> Reporter<T> {
    /// Returns false if the job has been canceled.
    pub(super) fn update(&self, act: impl FnOnce(&mut T) + Send + 'static) -> bool {
        self.0.send(Box::new(act)).is_ok()
    }
}
