//! Runs a session's job: building a crowd, writing a file or measuring. Stepping pauses until the
//! job ends.

use std::io::{self, Write};
use std::sync::mpsc::{Sender, TryRecvError, channel};
use std::time::Instant;

use super::{Job, Session, Update};
use crate::{Error, spawn};

/// Jobs with at most this many agents finish before `start` returns,
/// because they take less time than drawing a frame.
const MAX_SYNCHRONOUS_AGENTS: usize = 20_000;

/// First word of the description of each job that writes a file.
pub(super) const WRITING: &str = "writing";

/// Sends a job's results to the session.
pub(super) struct Reporter(pub(super) Sender<Update>);

impl Reporter {
    /// Returns false if the job has been canceled.
    pub(super) fn update(&self, act: impl FnOnce(&mut Session) + Send + 'static) -> bool {
        self.0.send(Box::new(act)).is_ok()
    }
}

impl Session {
    /// Starts a job for a crowd of `agents` agents. Cancels any job already running, or shows a
    /// message instead if that job is writing a file.
    pub(super) fn start(
        &mut self,
        what: &str,
        agents: usize,
        work: impl FnOnce(&Reporter) -> Result<(), Error> + Send + 'static,
    ) {
        if !self.check_not_writing() {
            return;
        }
        let (sender, updates) = channel();
        let thread = spawn(move || work(&Reporter(sender)));
        let Some(thread) = self.ok_or_notify(thread) else { return };
        let job = Job { what: what.into(), since: Instant::now(), updates, thread };
        self.job = None;
        if agents > MAX_SYNCHRONOUS_AGENTS {
            self.job = Some(job);
            return;
        }
        self.end(job);
    }

    /// Applies the job's results so far. Returns false if there is no job.
    pub(super) fn take_results(&mut self) -> bool {
        let Some(job) = self.job.take() else { return false };
        loop {
            match job.updates.try_recv() {
                Ok(update) => update(self),
                Err(TryRecvError::Disconnected) => break self.end(job),
                Err(TryRecvError::Empty) => break self.job = Some(job),
            }
        }
        true
    }

    /// Applies the job's remaining results and waits for its end.
    fn end(&mut self, job: Job) {
        job.updates.iter().for_each(|update| update(self));
        let ended = job.thread.join();
        let failed = |_| Err(format!("{} failed: see standard error", job.what));
        let ended = ended.map_or_else(failed, |done| done.map_err(|why| why.to_string()));
        let done = self.ok_or_notify(ended).is_some();
        if job.what.starts_with(WRITING) {
            self.written = Some(done);
        }
    }

    /// Waits for jobs that are writing a file, and prints the outcome if the window has not shown
    /// it. Returns false if writing failed.
    pub(super) fn finish(mut self) -> bool {
        if let Some(job) = self.job.take_if(|job| job.what.starts_with(WRITING)) {
            self.end(job);
        }
        for thread in self.canceled {
            let _ = thread.join();
        }
        let Some(written) = self.written else { return true };
        let mark = if written { "" } else { "error: " };
        // Standard error may be closed, so failures are ignored.
        let _ = writeln!(io::stderr(), "{mark}{}", self.shown.message);
        written
    }

    pub(crate) fn cancel(&mut self) {
        let Some(job) = self.job.take() else { return };
        self.shown.message = format!("canceled: {}", job.what);
        if job.what.starts_with(WRITING) {
            self.canceled.retain(|thread| !thread.is_finished());
            self.canceled.push(job.thread);
        }
    }

    /// Returns false and shows a message if a job is running: the job may be building
    /// the next crowd from the current one, so edits would be lost.
    pub(super) fn check_editable(&mut self) -> bool {
        if let Some(job) = &self.job {
            self.shown.message = format!("wait, or cancel: {}", job.what);
        }
        self.job.is_none()
    }

    /// Returns false and shows a message if a job is writing a file. Only the user may cancel it.
    pub(super) fn check_not_writing(&mut self) -> bool {
        self.job.as_ref().is_none_or(|job| !job.what.starts_with(WRITING)) || self.check_editable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::{set, settle};
    use std::thread;
    use std::time::Duration;

    /// Regression: the window froze while a large crowd was being built.
    #[test]
    fn a_large_crowd_is_built_beside_the_present_one() {
        let mut session = Session::named("flock");
        let agents = session.simulation.len();
        session.set_agents(200_000);
        assert_eq!(session.simulation.len(), agents, "it is still there");
        let words = session.new_frame().readings.work.unwrap();
        assert!(words.starts_with("building 200000 agents"), "{words}");
        set(&mut session, |controls| controls.edits.standing.walls = false);
        assert!(session.shown.message.contains("wait, or cancel"), "{}", session.shown.message);
        session.cancel();
        session.advance(Duration::ZERO);
        assert_eq!(session.simulation.len(), agents, "canceled");
        session.set_agents(200_000);
        settle(&mut session);
        assert_eq!(session.simulation.len(), 200_000);
    }

    /// Regression: a restart, another crowd and a measurement canceled a save without a message.
    #[test]
    fn a_save_is_not_replaced_by_other_jobs() {
        let mut session = Session::named("flock");
        session.save_checkpoint();
        let (release, released) = channel::<()>();
        session.start("writing x", usize::MAX, move |report| {
            let _ = released.recv();
            report.update(|session| session.shown.message = "wrote x".into());
            Ok(())
        });
        let others: [fn(&mut Session); 6] = [
            |session| session.restart(None),
            |session| session.switch_scene(1),
            |session| session.set_agents(9),
            |session| session.save_snapshot("".as_ref()),
            Session::measure_scaling,
            Session::restore_checkpoint,
        ];
        for other in others {
            session.shown.message.clear();
            other(&mut session);
            assert_eq!(session.shown.message, "wait, or cancel: writing x");
        }
        assert!(session.shown.scaling.is_none() && session.shown.original.name == "flock");
        drop(release);
        settle(&mut session);
        assert_eq!(session.shown.message, "wrote x");
    }

    /// Regression: quitting after a canceled save left part of a temporary file.
    #[test]
    fn quitting_waits_for_a_canceled_save() {
        let mut session = Session::named("flock");
        let (ended, has_ended) = channel();
        session.start("writing x", usize::MAX, move |report| {
            while report.update(|_| ()) {}
            thread::sleep(Duration::from_millis(100));
            let _ = ended.send(());
            Ok(())
        });
        session.cancel();
        session.finish();
        assert_eq!(has_ended.try_recv(), Ok(()));
    }

    #[test]
    fn a_job_that_panics_is_reported() {
        let mut session = Session::named("flock");
        session.start("thinking", 0, |_| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(session.shown.message.contains("thinking failed"), "{}", session.shown.message);
    }

    /// Regression: building a million agents showed no progress and could not be canceled.
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
