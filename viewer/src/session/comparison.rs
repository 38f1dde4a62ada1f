//! What a step would take with the other method: all pairs while cells are used, and the reverse.

use flockwork::{Error, Partition, Simulation};

use super::scaling::seconds_per_step;

/// All pairs are timed with at most this many agents: more would stop the crowd for too long.
pub(super) const MAX_TIMED: usize = 4_096;

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

/// Times the other method on a copy of the crowd.
pub(super) fn compare(simulation: &Simulation) -> Result<Comparison, Error> {
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
