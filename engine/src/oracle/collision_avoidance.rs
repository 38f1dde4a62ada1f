//! Unaligned collision avoidance, as specified.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::behaviors::collision_avoidance::CollisionAvoidance;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, dot, length, perp, scale, sub};

pub(super) fn force(avoidance: &CollisionAvoidance, oracle: &mut Oracle<'_>) -> V {
    let mut earliest = f64::from(avoidance.horizon);
    let mut threat = None;
    for j in oracle.neighbors.clone() {
        let way = oracle.displacement(oracle.position(), oracle.position_of(j));
        let relative = sub(oracle.velocity_of(j), oracle.velocity());
        let time = -dot(way, relative) / dot(relative, relative);
        let nearest = length(add(way, scale(relative, time)));
        let room =
            oracle.radius_of(oracle.slot) + oracle.radius_of(j) + f64::from(avoidance.margin);
        if time > 0.0 && time < 1.1 * earliest {
            oracle.decides(nearest, room);
        }
        if time > 0.0 && nearest < room {
            oracle.decides(time, earliest);
        }
        if time > 0.0 && nearest < room && time < earliest {
            earliest = time;
            threat = Some((j, way));
        }
    }
    let Some((j, way)) = threat else { return [0.0; 2] };
    let side = perp(oracle.heading());
    let parallelness = dot(oracle.heading(), oracle.heading_of(j));
    let offset = if parallelness < -FRAC_1_SQRT_2 {
        add(way, scale(oracle.velocity_of(j), earliest))
    } else if parallelness > FRAC_1_SQRT_2 {
        way
    } else {
        oracle.velocity_of(j)
    };
    let sign = if dot(offset, side) > 0.0 { -1.0 } else { 1.0 };
    scale(side, sign * oracle.max_speed())
}
