//! What takes long: jobs, and steps at full speed. Both say how far they are and can be canceled. A
//! check and a measurement run on copies, and the crowd waits for them.

use std::sync::mpsc::TryRecvError;
use std::time::Instant;

use flockwork::{Error, Partition, Snapshot};

use super::Session;
use super::frame::Work;
use super::job::{Job, Reporter};
use super::scaling::{self, Scaling};
use super::stepping::{MAX_BUSY, MAX_QUEUED_STEPS};

/// How many steps a determinism check runs twice.
const DETERMINISM_STEPS: u64 = 60;
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

    /// Ends what takes long.
    pub(crate) fn cancel(&mut self) {
        self.forward = None;
        let Some(job) = self.job.take() else { return };
        self.shown.message = format!("canceled: {}", job.what);
        self.shown.scaling.iter_mut().for_each(|scaling| scaling.runs = false);
    }

    /// What takes long, in words.
    pub(super) fn work(&self) -> Option<Work> {
        if let Some(job) = &self.job {
            return Some(Work { words: job.words(), share: job.share() });
        }
        let [from, to] = self.forward.filter(|[from, to]| to - from > MAX_QUEUED_STEPS)?;
        let tick = self.simulation.tick();
        let done = tick.saturating_sub(from) as f32 / (to - from).max(1) as f32;
        Some(Work { words: format!("step {tick} of {to}"), share: Some(done) })
    }

    /// Call this before an edit; returns whether it may be made: not while a crowd is built from
    /// what is there.
    pub(super) fn begin_edit(&mut self) -> bool {
        if let Some(job) = &self.job {
            self.shown.message = format!("wait, or cancel: {}", job.what);
            return false;
        }
        self.shown.unsaved = true;
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
        let Some([from, to]) = self.forward else { return false };
        let start = Instant::now();
        while self.simulation.tick() < to
            && self.shown.failure.is_none()
            && start.elapsed() < MAX_BUSY
        {
            self.step();
        }
        if self.simulation.tick() >= to || self.shown.failure.is_some() {
            self.forward = None;
            if to - from > MAX_QUEUED_STEPS {
                self.shown.message = format!("at step {}", self.simulation.tick());
            }
        }
        true
    }

    /// Checks that two runs from this state agree, the second on another number of threads.
    pub(crate) fn check_determinism(&mut self) {
        self.shown.check = None;
        let (state, threads) = (self.simulation.snapshot(), self.simulation.threads());
        let partition = self.simulation.partition();
        self.start("checking determinism", self.simulation.len(), move |report| {
            let said = run_twice(&state, threads, partition, report)
                .unwrap_or_else(|error| Some(error.to_string()));
            report.update(move |session: &mut Self| session.shown.check = said);
        });
    }

    /// Times crowds of this scene, from few agents up to its present number.
    pub(crate) fn measure_scaling(&mut self) {
        let (scene, threads) = (self.simulation.scene().clone(), self.simulation.threads());
        let agents = self.simulation.len();
        let name = scene.name.clone();
        self.shown.scaling =
            Some(Scaling { scene: name, threads, runs: true, ..Scaling::default() });
        // Never at once, however small the crowd is: curves are drawn as they come in.
        self.start("measuring", usize::MAX, move |report| {
            let measured = scaling::measure(&scene, threads, agents, |method, agents, seconds| {
                report.update(move |session: &mut Self| {
                    let curves = session.shown.scaling.as_mut().map(|scaling| &mut scaling.curves);
                    curves.into_iter().for_each(|all| all[method].push([agents, seconds]));
                });
                !report.is_canceled()
            });
            report.update(move |session: &mut Self| {
                session.shown.scaling.iter_mut().for_each(|scaling| scaling.runs = false);
                session.shown.message =
                    measured.err().map_or(String::new(), |error| error.to_string());
            });
        });
    }

    /// Closes the curves, and measures no more.
    pub(crate) fn close_scaling(&mut self) {
        if self.shown.scaling.take().is_some_and(|scaling| scaling.runs) {
            self.cancel();
        }
    }
}

/// What a check of determinism found, unless it was canceled.
fn run_twice(
    state: &Snapshot,
    threads: usize,
    partition: Partition,
    report: &Reporter<Session>,
) -> Result<Option<String>, Error> {
    let mut simulation = state.build()?;
    simulation.set_partition(partition);
    let mut hashes = [0; 2];
    for (run, threads) in [threads, threads % 2 + 1].into_iter().enumerate() {
        simulation.restore(state);
        simulation.set_threads(threads)?;
        for step in 0..DETERMINISM_STEPS {
            if report.is_canceled() {
                return Ok(None);
            }
            simulation.step()?;
            let taken = run as u64 * DETERMINISM_STEPS + step + 1;
            report.done(taken as f64 / (2 * DETERMINISM_STEPS) as f64);
        }
        hashes[run] = simulation.state_hash();
    }
    let [a, b] = hashes;
    let from = state.tick();
    Ok(Some(match a == b {
        true => format!("{DETERMINISM_STEPS} steps from {from}, twice: the same {a:016x}"),
        false => format!("{DETERMINISM_STEPS} steps from {from}, twice: {a:016x}, {b:016x} DIFFER"),
    }))
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
            let frame = session.new_frame();
            let work = frame.readings.work.unwrap();
            assert_eq!(work.words, format!("step {} of 500", frame.view.step));
            assert!(frame.view.step >= seen && work.share.is_some());
            seen = frame.view.step;
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

    #[test]
    fn scaling_gives_both_curves_and_leaves_the_crowd_alone() {
        let mut session = Session::named("flock");
        session.set_agents(40);
        let hash = session.simulation.state_hash();
        session.measure_scaling();
        assert!(session.new_frame().readings.work.is_some());
        settle(&mut session);
        let readings = session.new_frame().readings;
        let scaling = readings.scaling.unwrap();
        assert!(!scaling.runs && readings.work.is_none());
        for curve in &scaling.curves {
            let agents: Vec<f64> = curve.iter().map(|point| point[0]).collect();
            assert_eq!(agents, [8.0, 16.0, 32.0, 40.0]);
        }
        assert_eq!(session.simulation.state_hash(), hash);
    }

    #[test]
    fn scaling_can_be_canceled_and_keeps_what_it_has() {
        let mut session = Session::named("flock");
        session.measure_scaling();
        while session.shown.scaling.as_ref().unwrap().curves[1].is_empty() {
            session.advance(Duration::ZERO);
        }
        session.cancel();
        let scaling = session.shown.scaling.as_ref().unwrap();
        assert!(session.job.is_none() && !scaling.runs && !scaling.curves[0].is_empty());
        let tick = session.simulation.tick();
        session.advance(Duration::from_millis(100));
        session.advance(Duration::from_millis(100));
        assert!(session.simulation.tick() > tick, "the crowd goes on");
        session.close_scaling();
        assert!(session.new_frame().readings.scaling.is_none());
    }

    /// The result was a message, which went away after ten seconds.
    #[test]
    fn the_result_of_the_check_stays() {
        let mut session = Session::named("flock");
        session.check_determinism();
        for _ in 0..3 {
            let check = session.new_frame().readings.check.unwrap();
            assert!(check.contains("60 steps from 0, twice: the same"), "{check}");
            session.advance(Duration::from_millis(50));
        }
        session.open("seek");
        assert_eq!(session.new_frame().readings.check, None, "it was of another crowd");
    }

    /// Checking a million agents said nothing until it was done, and could not be ended.
    #[test]
    fn long_work_says_how_far_it_is_and_can_be_canceled() {
        let mut session = Session::named("stress");
        session.check_determinism();
        let work = |session: &mut Session| session.new_frame().readings.work;
        while work(&mut session).unwrap().share.is_none() {
            session.advance(Duration::ZERO);
        }
        assert!(work(&mut session).unwrap().words.contains("checking determinism"));
        let before = session.simulation.tick();
        session.advance(Duration::from_millis(100));
        assert_eq!(session.simulation.tick(), before, "the crowd waits");
        session.cancel();
        let readings = session.new_frame().readings;
        assert!(readings.work.is_none() && readings.check.is_none());
        assert!(readings.message.contains("canceled"), "{}", readings.message);
    }
}
