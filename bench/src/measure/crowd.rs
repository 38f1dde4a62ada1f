//! The warm crowds that all ways start from.

use flockwork::{Scene, Snapshot};

use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::measure::cost;

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
    (0..cost::crowds(group)).rev().map(warm).collect()
}
