//! Pursuit, as specified.

use crate::behaviors::pursuit::Pursuit;
use crate::oracle::agent::Oracle;
use crate::oracle::seek;
use crate::oracle::vector::{V, add, dot, length, norm, scale};

pub(super) fn force(pursuit: &Pursuit, oracle: &mut Oracle<'_>) -> V {
    let Some((position, velocity, heading)) = oracle.target(&pursuit.evader) else {
        return [0.0; 2];
    };
    let way = oracle.way_to(position);
    oracle.decides(dot(oracle.heading(), heading), -0.95);
    if dot(way, oracle.heading()) > 0.0 && dot(oracle.heading(), heading) < -0.95 {
        return seek::along(oracle, way);
    }
    let mut time = length(way) / (oracle.max_speed() + length(velocity));
    time += (1.0 - dot(oracle.heading(), norm(way))) * f64::from(pursuit.turnaround);
    seek::along(oracle, oracle.way_to(add(position, scale(velocity, time))))
}
