//! Cohesion, as specified.

use crate::behaviors::cohesion::Cohesion;
use crate::oracle::agent::Oracle;
use crate::oracle::seek;
use crate::oracle::vector::{V, norm};

pub(super) fn force(cohesion: &Cohesion, oracle: &mut Oracle<'_>) -> V {
    if oracle.neighbors.is_empty() {
        return [0.0; 2];
    }
    let force = seek::along(oracle, oracle.mean_way());
    if cohesion.normalized { norm(force) } else { force }
}
