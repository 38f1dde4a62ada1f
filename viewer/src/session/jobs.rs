//! Jobs: work that may take long, on a thread of its own. A job says how far it is and can be canceled;
//! the crowd waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::Session;
use super::frame::Work;

/// Jobs of at most this many agents are waited for: they take less than a picture.
const AT_ONCE: usize = 20_000;

/// A change that a job makes to its session.
type Update = Box<dyn FnOnce(&mut Session) + Send>;

/// The job's side.
pub(super) struct Reporter {
    updates: Sender<Update>,
    done: Arc<AtomicU32>,
}

impl Reporter {
    /// Whether the session has dropped its side.
    pub(super) fn is_canceled(&self) -> bool {
        Arc::strong_count(&self.done) == 1
    }

    /// Says how much is done, from 0 to 1.
    pub(super) fn done(&self, share: f64) {
        self.done.store((1.0e3 * share) as u32, Relaxed);
    }

    /// Hands over a result.
    pub(super) fn update(&self, act: impl FnOnce(&mut Session) + Send + 'static) {
        // Nobody waits for the results of a job that was canceled.
        let _ = self.updates.send(Box::new(act));
    }
}

/// The session's side. A job that is dropped is canceled: it ends as soon as it can, and results that
/// it has not handed over are lost.
pub(super) struct Job {
    what: String,
    since: Instant,
    /// Closed when the job ends.
    updates: Receiver<Update>,
    /// How far it is, in thousandths; 0 while that is not known.
    done: Arc<AtomicU32>,
    thread: JoinHandle<()>,
}

impl Job {
    fn start(what: String, work: impl FnOnce(&Reporter) + Send + 'static) -> Self {
        let (sender, updates) = channel();
        let done = Arc::new(AtomicU32::new(0));
        let reporter = Reporter { updates: sender, done: Arc::clone(&done) };
        let thread = thread::spawn(move || work(&reporter));
        Self { what, since: Instant::now(), updates, done, thread }
    }

    /// How much is done, from 0 to 1, if it is known.
    fn share(&self) -> Option<f32> {
        let done = self.done.load(Relaxed);
        (done > 0).then_some(done as f32 / 1.0e3)
    }

    /// What it does and how long it has taken.
    fn words(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}

impl Session {
    /// Starts a job on this many agents. It takes the place of one that runs.
    pub(super) fn start(
        &mut self,
        what: &str,
        agents: usize,
        work: impl FnOnce(&Reporter) + Send + 'static,
    ) {
        let job = Job::start(what.into(), work);
        self.job = None;
        if agents > AT_ONCE {
            self.job = Some(job);
            return;
        }
        job.updates.iter().for_each(|update| update(self));
        self.end(job);
    }

    /// Takes over what the job has to say; returns whether there is a job.
    pub(super) fn take_results(&mut self) -> bool {
        let Some(job) = self.job.take() else { return false };
        match job.updates.try_recv() {
            Err(TryRecvError::Disconnected) => self.end(job),
            update => {
                self.job = Some(job);
                update.into_iter().for_each(|update| update(self));
            }
        }
        true
    }

    fn end(&mut self, job: Job) {
        if job.thread.join().is_err() {
            self.shown.message = format!("{} failed: see standard error", job.what);
        }
    }

    /// Ends the job that runs.
    pub(crate) fn cancel(&mut self) {
        let Some(job) = self.job.take() else { return };
        self.shown.message = format!("canceled: {}", job.what);
        self.shown.scaling.iter_mut().for_each(|scaling| scaling.runs = false);
    }

    /// The job that runs, for the user.
    pub(super) fn work(&self) -> Option<Work> {
        self.job.as_ref().map(|job| Work { words: job.words(), share: job.share() })
    }

    /// Whether the crowd may be edited: not while another is built from it. The user is told.
    pub(super) fn may_edit(&mut self) -> bool {
        if let Some(job) = &self.job {
            self.shown.message = format!("wait, or cancel: {}", job.what);
            return false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::{set, settle};
    use std::time::Duration;

    /// The window did not answer while a large crowd was built.
    #[test]
    fn a_large_crowd_is_built_beside_the_present_one() {
        let mut session = Session::named("flock");
        let agents = session.simulation.len();
        session.set_agents(200_000);
        assert_eq!(session.simulation.len(), agents, "it is still there");
        let words = session.new_frame().readings.work.unwrap().words;
        assert!(words.starts_with("building 200000 agents"), "{words}");
        set(&mut session, |controls| controls.edits.walls = false);
        assert!(session.shown.message.contains("wait, or cancel"), "{}", session.shown.message);
        session.cancel();
        session.advance(Duration::ZERO);
        assert_eq!(session.simulation.len(), agents, "canceled");
        session.set_agents(200_000);
        settle(&mut session);
        assert_eq!(session.simulation.len(), 200_000);
    }

    #[test]
    fn a_job_that_panics_is_reported() {
        let mut session = Session::named("flock");
        session.start("thinking", 0, |_| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(session.shown.message.contains("thinking failed"), "{}", session.shown.message);
    }

    /// Building a million agents said nothing until it was done, and could not be ended.
    #[test]
    fn jobs_say_what_they_do_and_can_be_canceled() {
        let mut session = Session::named("flock");
        session.set_agents(1_000_000);
        let work = session.new_frame().readings.work.unwrap();
        assert!(work.words.contains("building 1000000 agents"), "{}", work.words);
        let before = session.simulation.tick();
        session.advance(Duration::from_millis(100));
        assert_eq!(session.simulation.tick(), before, "the crowd waits");
        session.cancel();
        let readings = session.new_frame().readings;
        assert!(readings.work.is_none() && readings.message.contains("canceled"));
    }
}
