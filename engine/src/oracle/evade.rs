//! Evade, as specified.

use crate::behaviors::evade::Evade;
use crate::oracle::agent::Oracle;
use crate::oracle::seek;
use crate::oracle::vector::{V, add, length, scale};

pub(super) fn force(evade: &Evade, oracle: &mut Oracle<'_>) -> V {
    let Some((position, velocity, _)) = oracle.target(&evade.pursuer) else { return [0.0; 2] };
    let distance = length(oracle.way_to(position));
    oracle.decides(distance, f64::from(evade.threat_range.unwrap_or(f32::MAX)));
    if evade.threat_range.is_some_and(|range| distance > f64::from(range)) {
        return [0.0; 2];
    }
    from(oracle, position, velocity)
}

pub(super) fn from(oracle: &Oracle<'_>, position: V, velocity: V) -> V {
    let time = length(oracle.way_to(position)) / (oracle.max_speed() + length(velocity));
    let predicted = add(position, scale(velocity, time));
    seek::along(oracle, scale(oracle.way_to(predicted), -1.0))
}
