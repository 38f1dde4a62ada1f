//! The warm crowds that all ways start from, and what measuring them costs: for the schedule.

use flockwork::{Scene, Snapshot};

use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::measure::runner::{REPEATS_SETTLED, SETTLING};
use crate::measure::schedule::Expected;
use crate::method::Method;

/// Agents in all crowds of a repeat: more than a branch predictor can learn, and enough work for
/// the clock's resolution.
const AGENTS_PER_REPEAT: usize = 16_000;
const MAX_CROWDS: usize = 64;
pub(super) const MIN_TURNS: usize = 2;

/// Seconds to build and copy a crowd, and to take an untimed step, per agent.
const TO_BUILD: f64 = 1.0e-6;
const TO_STEP: f64 = 3.0e-8;

/// The crowds of a repeat.
pub(super) fn crowds(group: &Group) -> u64 {
    (AGENTS_PER_REPEAT / group.agents().max(1)).clamp(1, MAX_CROWDS) as u64
}

/// Seconds before the repeats of a block.
pub(super) fn preparation(group: &Group) -> f64 {
    let agents = group.agents() as f64 * crowds(group) as f64;
    agents * (TO_BUILD + TO_STEP * group.warm_up as f64)
}

/// Seconds of the shortest block of a method whose step takes `seconds`: an untimed repeat and the
/// fewest turns.
pub(super) fn block(group: &Group, method: Method, seconds: f64) -> f64 {
    let repeat = seconds * (group.steps * crowds(group)) as f64;
    if method.uses_threads() {
        let turn = SETTLING.as_secs_f64() + REPEATS_SETTLED as f64 * repeat;
        return repeat + MIN_TURNS as f64 * turn;
    }
    repeat * (1 + MIN_TURNS) as f64
}

/// What a crowd costs on a usual machine, without the methods whose step takes longer than
/// `step_seconds`.
pub(super) fn expected(group: &Group, step_seconds: f64) -> Expected {
    let usual = |method: &Method| method.usual_seconds(group.agents());
    let methods = || group.methods.iter().filter(|method| usual(method) <= step_seconds);
    let blocks: f64 = methods().map(|method| block(group, *method, usual(method))).sum();
    Expected {
        experiment: group.experiment,
        rows: methods().count().max(1),
        seconds: preparation(group) + blocks,
    }
}

/// The warm state of a group's crowd, preceded by others of the same size if it is small. It comes
/// last because the last state is reported. `stops` is told what is done next, and may end it.
pub(crate) fn warm(
    group: &Group,
    stops: &dyn Fn(&str) -> bool,
) -> Result<Option<Vec<Snapshot>>, Failure> {
    let warm = |offset: u64| -> Result<Option<Snapshot>, Failure> {
        let seed = group.scene.seed.wrapping_add(offset);
        if stops("building") {
            return Ok(None);
        }
        let mut simulation = Scene { seed, ..group.scene.clone() }.build()?;
        for step in 1..=group.warm_up {
            if stops(&format!("warm-up step {step} of {}", group.warm_up)) {
                return Ok(None);
            }
            simulation.step()?;
        }
        Ok(Some(simulation.snapshot()))
    };
    (0..crowds(group)).rev().map(warm).collect()
}
