//! A check and a measurement: they run on copies, and the crowd waits for them.

use flockwork::{Error, Partition, Snapshot};

use super::Session;
use super::job::Reporter;
use super::scaling::{self, Scaling};

/// How many steps a determinism check runs twice.
const DETERMINISM_STEPS: u64 = 60;

impl Session {
    /// Checks that two runs from this state agree, the second on another number of threads.
    pub(crate) fn check_determinism(&mut self) {
        self.check = None;
        let (state, threads) = (self.simulation.snapshot(), self.simulation.threads());
        let partition = self.simulation.partition();
        self.start("checking determinism", self.simulation.len(), move |report| {
            let said = run_twice(&state, threads, partition, report)
                .unwrap_or_else(|error| Some(error.to_string()));
            report.update(move |session: &mut Self| session.check = said);
        });
    }

    /// Times crowds of this scene, from few agents up to its present number.
    pub(crate) fn measure_scaling(&mut self) {
        let (scene, threads) = (self.simulation.scene().clone(), self.simulation.threads());
        let agents = self.simulation.len();
        let name = scene.name.clone();
        self.scaling = Some(Scaling { scene: name, threads, runs: true, ..Scaling::default() });
        // Never at once, however small the crowd is: curves are drawn as they come in.
        self.start("measuring", usize::MAX, move |report| {
            let measured = scaling::measure(&scene, threads, agents, |method, agents, seconds| {
                report.update(move |session: &mut Self| {
                    let curves = session.scaling.as_mut().map(|scaling| &mut scaling.curves);
                    curves.into_iter().for_each(|all| all[method].push([agents, seconds]));
                });
                !report.is_canceled()
            });
            report.update(move |session: &mut Self| {
                session.scaling.iter_mut().for_each(|scaling| scaling.runs = false);
                session.message = measured.err().map_or(String::new(), |error| error.to_string());
            });
        });
    }

    /// Closes the curves, and measures no more.
    pub(crate) fn close_scaling(&mut self) {
        if self.scaling.take().is_some_and(|scaling| scaling.runs) {
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
    use super::*;
    use crate::session::tests::settle;
    use std::time::Duration;

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
        while session.scaling.as_ref().unwrap().curves[1].is_empty() {
            session.advance(Duration::ZERO);
        }
        session.cancel();
        let scaling = session.scaling.as_ref().unwrap();
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
