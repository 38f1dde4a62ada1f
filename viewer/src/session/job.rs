//! Jobs: long tasks on their own threads. A job can be canceled.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Changes its owner on the owner's thread.
pub(super) type Update<T> = Box<dyn FnOnce(&mut T) + Send>;

/// The session's end of a job. Dropping it cancels the job, which then ends as soon as possible;
/// results not yet sent are lost.
pub(super) struct Job<T> {
    pub(super) what: String,
    since: Instant,
    pub(super) updates: Receiver<Update<T>>,
    pub(super) thread: JoinHandle<()>,
}

impl<T: 'static> Job<T> {
    pub(super) fn start(what: &str, work: impl FnOnce(&Reporter<T>) + Send + 'static) -> Self {
        let (sender, updates) = channel();
        let thread = thread::spawn(move || work(&Reporter(sender)));
        Self { what: what.into(), since: Instant::now(), updates, thread }
    }

    pub(super) fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}

/// The job's end, which sends results to the session.
pub(super) struct Reporter<T>(Sender<Update<T>>);

impl<T> Reporter<T> {
    /// Returns false if the job is canceled.
    pub(super) fn update(&self, act: impl FnOnce(&mut T) + Send + 'static) -> bool {
        self.0.send(Box::new(act)).is_ok()
    }
}
