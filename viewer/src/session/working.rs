//! What takes long: jobs, and steps at full speed. Both say how far they are and can be canceled.

use std::sync::mpsc::TryRecvError;
use std::time::Instant;

use super::Session;
use super::frame::Work;
use super::job::{Job, Reporter};
use super::stepping::MAX_BUSY;

/// How far a press of the key forwards, in simulated seconds.
const FORWARD_SECONDS: f32 = 10.0;
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
        while let Some(update) = job.wait() {
            update(self);
        }
        self.end(job);
    }

    /// Takes over what the job has to say; returns whether it had anything to.
    pub(super) fn take_results(&mut self) -> bool {
        let Some(job) = &mut self.job else { return false };
        match job.poll() {
            Ok(update) => update(self),
            Err(TryRecvError::Empty) => return job.is_news(),
            Err(TryRecvError::Disconnected) => {
                let ended = self.job.take();
                ended.into_iter().for_each(|job| self.end(job));
            }
        }
        true
    }

    fn end(&mut self, job: Job<Self>) {
        let what = job.what.clone();
        if job.failed() {
            self.message = format!("{what} failed: see standard error");
        }
    }

    /// Ends what takes long.
    pub(crate) fn cancel(&mut self) {
        self.forward = None;
        let Some(job) = self.job.take() else { return };
        self.message = format!("canceled: {}", job.what);
        self.scaling.iter_mut().for_each(|scaling| scaling.runs = false);
    }

    /// What takes long, in words.
    pub(super) fn work(&self) -> Option<Work> {
        if let Some(job) = &self.job {
            return Some(Work { words: job.words(), share: job.share() });
        }
        let [from, to] = self.forward?;
        let tick = self.simulation.tick();
        let done = tick.saturating_sub(from) as f32 / (to - from).max(1) as f32;
        Some(Work { words: format!("step {tick} of {to}"), share: Some(done) })
    }

    /// Call this before an edit; returns whether it may be made: not while a crowd is built from
    /// what is there.
    pub(super) fn begin_edit(&mut self) -> bool {
        if let Some(job) = &self.job {
            self.message = format!("wait, or cancel: {}", job.what);
            return false;
        }
        self.unsaved = true;
        true
    }

    /// Takes this many steps at full speed.
    pub(crate) fn forward(&mut self, steps: u64) {
        let from = self.simulation.tick();
        self.forward = (steps > 0).then(|| [from, from.saturating_add(steps)]);
    }

    /// Takes the steps of some simulated seconds at full speed, or stops doing so.
    pub(crate) fn toggle_forward(&mut self) {
        let steps = match self.forward {
            Some(_) => 0,
            None => (FORWARD_SECONDS * self.simulation.scene().steps_per_second).ceil() as u64,
        };
        self.forward(steps);
    }

    /// Takes some of the steps that are due at full speed; returns whether there were any.
    pub(super) fn take_forward_steps(&mut self) -> bool {
        let Some([_, to]) = self.forward else { return false };
        let start = Instant::now();
        while self.simulation.tick() < to && self.failure.is_none() && start.elapsed() < MAX_BUSY {
            self.step();
        }
        if self.simulation.tick() >= to || self.failure.is_some() {
            self.forward = None;
            self.message = format!("at step {}", self.simulation.tick());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::session::Session;
    use crate::session::tests::{set, settle};
    use std::time::Duration;

    #[test]
    fn forwarding_reaches_its_step_even_while_paused_and_shows_how_far_it_is() {
        let mut session = Session::named("flock");
        set(&mut session, |controls| controls.paused = true);
        session.forward(500);
        let mut seen = 0;
        while session.idle_time() == Some(Duration::ZERO) {
            let readings = session.new_frame().readings;
            let work = readings.work.unwrap();
            assert_eq!(work.words, format!("step {} of 500", readings.tick));
            assert!(readings.tick >= seen && work.share.is_some());
            seen = readings.tick;
            assert!(session.advance(Duration::from_millis(1)));
        }
        assert_eq!(session.simulation.tick(), 500);
        session.toggle_forward();
        session.cancel();
        assert_eq!(session.idle_time(), None, "stopped");
    }

    /// The window did not answer while a large crowd was built.
    #[test]
    fn a_large_crowd_is_built_beside_the_present_one() {
        let mut session = Session::named("flock");
        let agents = session.simulation.len();
        session.set_agents(200_000);
        assert_eq!(session.simulation.len(), agents, "it is still there");
        let words = session.new_frame().readings.work.unwrap().words;
        assert!(words.starts_with("building 200000 agents"), "{words}");
        set(&mut session, |controls| controls.walls = false);
        assert!(session.message.contains("wait, or cancel"), "{}", session.message);
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
        assert!(session.message.contains("thinking failed"), "{}", session.message);
    }
}
