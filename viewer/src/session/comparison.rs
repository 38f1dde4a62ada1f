//! Estimates the step time of the neighbor search not in use: all pairs while cells are used,
//! and vice versa.

use flockwork::{Error, Partition, Simulation};

use super::scaling::seconds_per_step;

/// All pairs are measured with at most this many agents, so that the crowd does not stop for long.
pub(super) const MAX_TIMED: usize = 4_096;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) milliseconds: f64,
    /// Step time of the current method in milliseconds, measured on the same copy,
    /// because a copy steps faster than a crowd that is being drawn. None for large crowds.
    pub(crate) current_ms: Option<f64>,
    /// Number of agents measured. The time of a larger crowd is extrapolated quadratically.
    pub(crate) sample_size: usize,
}

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
    let sample_size = copy.len();
    let mut current_ms = None;
    if sample_size == agents && agents <= MAX_TIMED {
        current_ms = Some(1.0e3 * seconds_per_step(&mut copy, simulation.partition())?);
    }
    let seconds = seconds_per_step(&mut copy, other)?;
    let times = agents as f64 / sample_size.max(1) as f64;
    Ok(Comparison { milliseconds: 1.0e3 * seconds * times * times, current_ms, sample_size })
}
