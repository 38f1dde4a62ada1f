//! Velocity matching, as specified.

use crate::behaviors::velocity_matching::VelocityMatching;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, scale, sub};

pub(super) fn force(matching: &VelocityMatching, oracle: &mut Oracle<'_>) -> V {
    if oracle.neighbors.is_empty() {
        return [0.0; 2];
    }
    let sum = oracle.neighbors.iter().fold([0.0; 2], |sum, &j| add(sum, oracle.velocity_of(j)));
    let mean = scale(sum, 1.0 / oracle.neighbors.len() as f64);
    scale(sub(mean, oracle.velocity()), 1.0 / f64::from(matching.time_constant))
}
