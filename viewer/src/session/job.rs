//! Jobs: work that may take long, on a thread of its own. A job says how far it is and can be canceled;
//! the crowd waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// A change that a job makes to its owner, the session.
pub(super) type Update<T> = Box<dyn FnOnce(&mut T) + Send>;

/// The job's side.
pub(super) struct Reporter<T> {
    updates: Sender<Update<T>>,
    done: Arc<AtomicU32>,
}

impl<T> Reporter<T> {
    /// Whether the session has dropped its side.
    pub(super) fn is_canceled(&self) -> bool {
        Arc::strong_count(&self.done) == 1
    }

    /// Says how much is done, from 0 to 1.
    pub(super) fn done(&self, share: f64) {
        self.done.store((1.0e3 * share) as u32, Relaxed);
    }

    /// Hands over a result.
    pub(super) fn update(&self, act: impl FnOnce(&mut T) + Send + 'static) {
        // Nobody waits for the results of a job that was canceled.
        let _ = self.updates.send(Box::new(act));
    }
}

/// The session's side. A job that is dropped is canceled: it ends as soon as it can, and results that
/// it has not handed over are lost.
pub(super) struct Job<T> {
    pub(super) what: String,
    since: Instant,
    /// Closed when the job ends.
    pub(super) updates: Receiver<Update<T>>,
    /// How far it is, in thousandths; 0 while that is not known.
    done: Arc<AtomicU32>,
    pub(super) thread: JoinHandle<()>,
}

impl<T: 'static> Job<T> {
    pub(super) fn start(what: String, work: impl FnOnce(&Reporter<T>) + Send + 'static) -> Self {
        let (sender, updates) = channel();
        let done = Arc::new(AtomicU32::new(0));
        let reporter = Reporter { updates: sender, done: Arc::clone(&done) };
        let thread = thread::spawn(move || work(&reporter));
        Self { what, since: Instant::now(), updates, done, thread }
    }

    /// How much is done, from 0 to 1, if it is known.
    pub(super) fn share(&self) -> Option<f32> {
        let done = self.done.load(Relaxed);
        (done > 0).then_some(done as f32 / 1.0e3)
    }

    /// What it does and how long it has taken.
    pub(super) fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}
