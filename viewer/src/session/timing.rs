use super::Session;
use super::comparison::compare;
use super::scaling::{Scaling, measure};

impl Session {
    pub(crate) fn measure_scaling(&mut self) {
        let (scene, threads) = (self.simulation.scene().clone(), self.simulation.threads());
        let agents = self.simulation.len();
        let name = scene.name.clone();
        self.shown.scaling =
            Some(Scaling { scene: name, threads, runs: true, ..Scaling::default() });
        // `usize::MAX` agents, so that the job always runs in the background:
        // curves are drawn while points arrive.
        self.start("measuring", usize::MAX, move |report| {
            let measured = measure(&scene, threads, agents, |method, agents, seconds| {
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

    pub(crate) fn close_scaling(&mut self) {
        if self.shown.scaling.take().is_some_and(|scaling| scaling.runs) {
            self.cancel();
        }
    }

    pub(super) fn compare_methods(&mut self) {
        if !std::mem::replace(&mut self.comparison_done, true) {
            self.shown.comparison = compare(&self.simulation).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use flockwork::Partition;

    use super::*;
    use crate::session::comparison::MAX_TIMED;
    use crate::session::controls::Controls;
    use crate::session::scaling::seconds_per_step;
    use crate::session::tests::{set, settle};

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

    #[test]
    fn the_other_method_is_timed_once_for_each_setup() {
        let mut session = Session::named("flock");
        let next = |session: &mut Session| {
            session.step_once();
            session.advance(Duration::ZERO);
            session.new_frame().readings.comparison
        };
        let all_pairs = next(&mut session).unwrap();
        assert!(all_pairs.milliseconds > 0.0 && all_pairs.sample_size == 600);
        assert!(all_pairs.current_ms > Some(0.0));
        assert_eq!(next(&mut session), Some(all_pairs), "not again");
        let hash = session.simulation.state_hash();
        set(&mut session, Controls::toggle_partition);
        session.compare_methods();
        assert_eq!(session.simulation.state_hash(), hash, "the crowd is left alone");
        assert!(next(&mut session).is_some());
    }

    #[test]
    fn all_pairs_of_a_large_crowd_are_extrapolated_from_a_share_of_it() {
        let mut session = Session::named("stress");
        session.compare_methods();
        let comparison = session.shown.comparison.unwrap();
        assert_eq!((comparison.sample_size, comparison.current_ms), (MAX_TIMED, None));
        let cells = seconds_per_step(&mut session.simulation, Partition::Cells).unwrap();
        assert!(comparison.milliseconds > 1.0e3 * cells, "{comparison:?}, {cells} s");
    }
}
