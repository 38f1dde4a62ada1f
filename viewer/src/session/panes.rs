//! Runs a crowd twice: by cells, and by all pairs.

use std::time::{Duration, Instant};

use flockwork::Partition;

use super::frame::Panes;
use super::{Session, Twin};
use crate::picture::view::View;

/// Larger crowds would come to a halt.
const MAX_AGENTS: usize = 20_000;

impl Session {
    /// Call this when anything but a step changes the crowd: the second run begins there, too.
    pub(crate) fn renew_twin(&mut self) {
        self.twin = None;
        let agents = self.simulation.len();
        if self.controls.panes && agents > MAX_AGENTS {
            self.controls.panes = false;
            self.shown.message =
                format!("two panes of {agents} agents: allowed up to {MAX_AGENTS}");
        }
    }

    /// Takes the next step, in both runs if there are two.
    pub(super) fn step_both(&mut self) -> Result<(), flockwork::Error> {
        if !self.controls.panes {
            return self.simulation.step();
        }
        let twin = self.twin.take();
        let mut twin = twin.map_or_else(|| self.new_twin(), Ok)?;
        let mut times = [Duration::ZERO; 2];
        let partition = self.simulation.partition();
        self.simulation.set_partition(Partition::Cells);
        let runs = [&mut self.simulation, &mut twin.simulation];
        let mut done = Ok(());
        for (run, time) in runs.into_iter().zip(&mut times) {
            let start = Instant::now();
            done = done.and_then(|()| run.step());
            *time = start.elapsed();
        }
        self.simulation.set_partition(partition);
        twin.times = times;
        self.twin = Some(twin);
        done
    }

    fn new_twin(&self) -> Result<Twin, flockwork::Error> {
        let mut simulation = self.simulation.snapshot().build()?;
        simulation.set_threads(self.simulation.threads())?;
        simulation.set_partition(Partition::AllPairs);
        Ok(Twin { simulation, times: [Duration::ZERO; 2] })
    }

    /// What to show of both runs, if there are two.
    pub(super) fn panes(&mut self) -> Option<Panes> {
        if !self.controls.panes {
            return None;
        }
        if self.twin.is_none() {
            let twin = self.new_twin();
            self.twin = self.or_say(twin);
        }
        let color_by = self.controls.look.color_by;
        let hash = self.simulation.state_hash();
        self.twin.as_mut().map(|twin| Panes {
            view: View::of(&mut twin.simulation, color_by),
            times: twin.times,
            hashes: [hash, twin.simulation.state_hash()],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::set;

    #[test]
    fn both_runs_reach_the_same_states_by_themselves() {
        let mut session = Session::named("flock");
        set(&mut session, |controls| controls.panes = true);
        for _ in 0..20 {
            session.step();
        }
        let panes = session.new_frame().panes.unwrap();
        assert_eq!(panes.hashes[0], panes.hashes[1]);
        assert!(panes.times.iter().all(|time| !time.is_zero()));
        assert_eq!(panes.view.step, 20);
        let twin = session.twin.as_ref().unwrap();
        assert_eq!(twin.simulation.partition(), Partition::AllPairs);
        assert_ne!(session.simulation.partition(), Partition::AllPairs);

        session.remove_agents([300.0, 300.0], 200.0);
        session.renew_twin();
        session.step();
        let panes = session.new_frame().panes.unwrap();
        assert_eq!(panes.hashes[0], panes.hashes[1], "they begin anew where the user changes both");
        set(&mut session, |controls| controls.panes = false);
        assert!(session.new_frame().panes.is_none());
    }

    #[test]
    fn large_crowds_have_one_pane() {
        let mut session = Session::named("stress");
        set(&mut session, |controls| controls.panes = true);
        assert!(
            !session.controls.panes && session.shown.message.contains("20000"),
            "{}",
            session.shown.message
        );
    }
}
