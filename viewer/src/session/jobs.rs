//! A session's jobs: it starts, ends and cancels them, and waits for their results.

use std::sync::mpsc::TryRecvError;

use super::Session;
use super::job::{Job, Reporter};

/// Jobs of at most this many agents are waited for: they take less than a picture.
const AT_ONCE: usize = 20_000;

impl Session {
    /// Starts a job on this many agents. It takes the place of one that runs.
    pub(super) fn start(
        &mut self,
        what: &str,
        agents: usize,
        work: impl FnOnce(&Reporter<Self>) + Send + 'static,
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

    fn end(&mut self, job: Job<Self>) {
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
        let words = session.new_frame().readings.work.unwrap();
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
        assert!(work.contains("building 1000000 agents"), "{work}");
        let before = session.simulation.tick();
        session.advance(Duration::from_millis(100));
        assert_eq!(session.simulation.tick(), before, "the crowd waits");
        session.cancel();
        let readings = session.new_frame().readings;
        assert!(readings.work.is_none() && readings.message.contains("canceled"));
    }
}
