//! The normalized flocking rules, as specified.

use crate::behaviors::flock_rules::FlockRules;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, norm, scale};

pub(super) fn force(rules: &FlockRules, oracle: &mut Oracle<'_>) -> V {
    if oracle.neighbors.is_empty() {
        return [0.0; 2];
    }
    let alignment = norm(oracle.mean_heading());
    let cohesion = norm(oracle.mean_way());
    let separation =
        if rules.near_separation { norm(oracle.push()) } else { scale(cohesion, -1.0) };
    let weighted = [
        scale(alignment, f64::from(rules.alignment)),
        scale(cohesion, f64::from(rules.cohesion)),
        scale(separation, f64::from(rules.separation)),
    ];
    weighted.into_iter().fold([0.0; 2], add)
}
