//! Jobs: work that may take long, on a thread of its own. A job can be canceled; the crowd waits
//! for it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// A change that a job makes to its owner, the session.
pub(super) type Update<T> = Box<dyn FnOnce(&mut T) + Send>;

/// The job's side.
pub(super) struct Reporter<T> {
    updates: Sender<Update<T>>,
    /// Dropped with the session's side.
    wanted: Weak<()>,
}

impl<T> Reporter<T> {
    /// Whether the session has dropped its side.
    pub(super) fn is_canceled(&self) -> bool {
        self.wanted.strong_count() == 0
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
    _wanted: Arc<()>,
    pub(super) thread: JoinHandle<()>,
}

impl<T: 'static> Job<T> {
    pub(super) fn start(what: String, work: impl FnOnce(&Reporter<T>) + Send + 'static) -> Self {
        let (sender, updates) = channel();
        let wanted = Arc::new(());
        let reporter = Reporter { updates: sender, wanted: Arc::downgrade(&wanted) };
        let thread = thread::spawn(move || work(&reporter));
        Self { what, since: Instant::now(), updates, _wanted: wanted, thread }
    }

    /// What it does and how long it has taken.
    pub(super) fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}
