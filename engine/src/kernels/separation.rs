//! Separation: Σ (p − pj) / |p − pj|² over the neighbors.
//!
//! The sum comes from the shared sweep; two sign changes remain.

use crate::batch::Batch;
use crate::behaviors::separation::Separation;
use crate::kernels::neighborhood;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(_: &Separation, batch: &mut Batch<'_, L>) -> Vec2<L> {
    -neighborhood::of(batch).inverse_offset
}
