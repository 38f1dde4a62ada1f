//! Jobs: long tasks on their own threads. A job can be canceled; no steps are taken while it runs.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::Instant;

pub(super) type Update<T> = Box<dyn FnOnce(&mut T) + Send>;

pub(super) struct Reporter<T> {
    updates: Sender<Update<T>>,
    /// Expires once the session cancels the job by dropping its [`Job`].
    wanted: Weak<()>,
}

impl<T> Reporter<T> {
    pub(super) fn is_canceled(&self) -> bool {
        self.wanted.strong_count() == 0
    }

    pub(super) fn update(&self, act: impl FnOnce(&mut T) + Send + 'static) {
        // A canceled job has no receiver, so a failed send is ignored.
        let _ = self.updates.send(Box::new(act));
    }
}

/// The session's end of a job. Dropping it cancels the job, which then ends as soon as possible;
/// results not yet sent are lost.
pub(super) struct Job<T> {
    pub(super) what: String,
    since: Instant,
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

    pub(super) fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}
