//! What a step would take with the other method: all pairs while cells are used, and the reverse.

use flockwork::{Error, Partition, Simulation};

use super::Session;
use super::scaling::seconds_per_step;

/// All pairs are timed with at most this many agents: more would stop the crowd for too long.
const MAX_TIMED: usize = 4_096;

/// A step with the other method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) milliseconds: f64,
    /// The same of the present method, where all agents were timed: steps of a copy that is alone take
    /// less than those of a crowd that is drawn.
    pub(crate) present: Option<f64>,
    /// The number of agents that were timed. If the crowd has more, the time is extrapolated with the
    /// square of their number.
    pub(crate) timed: usize,
}

impl Session {
    /// Times the other method once for each setup, on a copy of the crowd.
    pub(super) fn compare_methods(&mut self) {
        if !std::mem::replace(&mut self.compared, true) {
            // A copy that cannot be built has no time to show.
            self.shown.comparison = compare(&self.simulation).ok();
        }
    }
}

fn compare(simulation: &Simulation) -> Result<Comparison, Error> {
    let agents = simulation.len();
    let cells = simulation.partition() != Partition::AllPairs;
    let mut copy = if cells && agents > MAX_TIMED {
        simulation.scene().clone().agents(MAX_TIMED).build()?
    } else {
        simulation.snapshot().build()?
    };
    copy.set_threads(simulation.threads())?;
    let other = if cells { Partition::AllPairs } else { Partition::Cells };
    let timed = copy.len();
    let mut present = None;
    if timed == agents && agents <= MAX_TIMED {
        present = Some(1.0e3 * seconds_per_step(&mut copy, simulation.partition())?);
    }
    let seconds = seconds_per_step(&mut copy, other)?;
    let times = agents as f64 / timed.max(1) as f64;
    Ok(Comparison { milliseconds: 1.0e3 * seconds * times * times, present, timed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::controls::Controls;
    use crate::session::tests::set;
    use std::time::Duration;

    #[test]
    fn the_other_method_is_timed_once_for_each_setup() {
        let mut session = Session::named("flock");
        let next = |session: &mut Session| {
            session.step_once();
            session.advance(Duration::ZERO);
            session.new_frame().readings.comparison
        };
        let all_pairs = next(&mut session).unwrap();
        assert!(all_pairs.milliseconds > 0.0 && all_pairs.timed == 600);
        assert!(all_pairs.present > Some(0.0));
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
        assert_eq!((comparison.timed, comparison.present), (MAX_TIMED, None));
        let cells = seconds_per_step(&mut session.simulation, Partition::Cells).unwrap();
        assert!(comparison.milliseconds > 1.0e3 * cells, "{comparison:?}, {cells} s");
    }
}
