//! Arrive, as specified.

use crate::behaviors::arrive::Arrive;
use crate::behaviors::deceleration::Deceleration;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, length, scale, sub};

pub(super) fn force(arrive: &Arrive, oracle: &mut Oracle<'_>) -> V {
    let Some((position, ..)) = oracle.target(&arrive.target) else { return [0.0; 2] };
    along(oracle, oracle.way_to(position), arrive.deceleration)
}

pub(super) fn along(oracle: &Oracle<'_>, way: V, deceleration: Deceleration) -> V {
    let distance = length(way);
    if distance == 0.0 {
        return scale(oracle.velocity(), -1.0);
    }
    let deceleration = match deceleration {
        Deceleration::Fast => 1.0,
        Deceleration::Normal => 2.0,
        Deceleration::Slow => 3.0,
    };
    let speed = (distance / (deceleration * 0.3)).min(oracle.max_speed());
    sub(scale(way, speed / distance), oracle.velocity())
}
