//! Cohesion: seek the mean position of the neighbors.
//!
//! The sweep sums offsets from the agent rather than positions, so the mean offset *is*
//! the way to the center, even across the seam of the torus, and its direction does not
//! need the division by the count. The vector is the seek force times the length of the summed
//! offset, so that weighting the force takes the only division.

use crate::batch::Batch;
use crate::behaviors::cohesion::Cohesion;
use crate::kernels::neighborhood;
use crate::math::force::{Force, Per};
use crate::math::lanes::Lanes;

#[inline(always)]
pub(crate) fn force<L: Lanes>(cohesion: &Cohesion, batch: &mut Batch<'_, L>) -> Force<L> {
    let near = neighborhood::of(batch);
    let length = near.offset.length();
    // In the center itself the desired velocity is zero, which leaves −v.
    let length = length.gt(L::zero()).select(length, L::splat(1.0));
    let seek = near.offset.mul_add(batch.max_speed(), -(batch.velocity() * length));
    let per = if cohesion.normalized { Per::Length } else { Per::Number(length) };
    Force { vector: seek.keep(near.any()), per }
}
