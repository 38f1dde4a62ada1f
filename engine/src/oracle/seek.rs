//! Seek, as specified.

use crate::behaviors::seek::Seek;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, norm, scale, sub};

pub(super) fn force(seek: &Seek, oracle: &mut Oracle<'_>) -> V {
    oracle.target(&seek.target).map_or([0.0; 2], |target| along(oracle, oracle.way_to(target.0)))
}

/// The force that turns the velocity to full speed along `way`.
pub(super) fn along(oracle: &Oracle<'_>, way: V) -> V {
    sub(scale(norm(way), oracle.max_speed()), oracle.velocity())
}
