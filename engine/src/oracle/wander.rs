//! Wander, as specified.

use crate::behaviors::wander::Wander;
use crate::oracle::agent::Oracle;
use crate::oracle::random::{self, WANDER};
use crate::oracle::vector::{V, add, norm, scale};

pub(super) fn force(wander: &Wander, oracle: &mut Oracle<'_>) -> V {
    let index = oracle.crowd.traits.index[oracle.slot];
    let draw = random::signed_units(oracle.crowd.seed, WANDER, index, oracle.crowd.tick);
    let per_step = if wander.jitter_per_step { 1.0 } else { f64::from(oracle.crowd.dt) };
    let jitter = f64::from(wander.jitter) * per_step;
    let jittered = add(oracle.wander, scale(draw, jitter));
    oracle.wander = scale(norm(jittered), f64::from(wander.radius));
    let local = add(oracle.wander, [f64::from(wander.distance), 0.0]);
    let [hx, hy] = oracle.heading();
    let force = add(scale([hx, hy], local[0]), scale([-hy, hx], local[1]));
    if wander.scaled { scale(force, oracle.radius_of(oracle.slot)) } else { force }
}
