//! Work that may take long, on a thread of its own: building a crowd, checking, measuring, saving.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it is shown how long a job has taken.
const NEWS: Duration = Duration::from_millis(250);

/// What a job does to its owner.
pub(super) type Update<T> = Box<dyn FnOnce(&mut T) + Send>;

/// How far a job is.
#[derive(Default)]
struct Progress {
    canceled: AtomicBool,
    /// In thousandths; 0 while it is not known.
    done: AtomicU32,
}

/// The job's side.
pub(super) struct Reporter<T> {
    updates: Sender<Update<T>>,
    progress: Arc<Progress>,
}

impl<T> Reporter<T> {
    pub(super) fn is_canceled(&self) -> bool {
        self.progress.canceled.load(Relaxed)
    }

    /// Says how much is done, from 0 to 1.
    pub(super) fn done(&self, share: f64) {
        self.progress.done.store((1.0e3 * share) as u32, Relaxed);
    }

    /// Hands over a result.
    pub(super) fn update(&self, act: impl FnOnce(&mut T) + Send + 'static) {
        // Nobody waits for the results of a job that was canceled.
        let _ = self.updates.send(Box::new(act));
    }
}

/// The owner's side. A job that is dropped is canceled: it ends as soon as it can, and what it has
/// not handed over is lost.
pub(super) struct Job<T> {
    pub(super) what: String,
    since: Instant,
    /// When it was last shown.
    shown: Instant,
    updates: Receiver<Update<T>>,
    progress: Arc<Progress>,
    thread: Option<JoinHandle<()>>,
}

impl<T: 'static> Job<T> {
    pub(super) fn start(what: String, work: impl FnOnce(&Reporter<T>) + Send + 'static) -> Self {
        let (sender, updates) = channel();
        let progress = Arc::new(Progress::default());
        let reporter = Reporter { updates: sender, progress: Arc::clone(&progress) };
        let thread = Some(thread::spawn(move || work(&reporter)));
        let since = Instant::now();
        Self { what, since, shown: since, updates, progress, thread }
    }

    /// The next result, if there is one; an error when there will be none.
    pub(super) fn poll(&self) -> Result<Update<T>, TryRecvError> {
        self.updates.try_recv()
    }

    /// Whether it is time to show how far it is.
    pub(super) fn is_news(&mut self) -> bool {
        let due = self.shown.elapsed() >= NEWS;
        if due {
            self.shown = Instant::now();
        }
        due
    }

    /// Waits for the next result.
    pub(super) fn wait(&self) -> Option<Update<T>> {
        self.updates.recv().ok()
    }

    /// Call this when there will be no more results: whether it has panicked.
    pub(super) fn failed(mut self) -> bool {
        self.thread.take().is_some_and(|thread| thread.join().is_err())
    }

    /// How much is done, from 0 to 1, if it is known.
    pub(super) fn share(&self) -> Option<f32> {
        let done = self.progress.done.load(Relaxed);
        (done > 0).then_some(done as f32 / 1.0e3)
    }

    /// What it does and how long it has taken.
    pub(super) fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.progress.canceled.store(true, Relaxed);
    }
}
