//! Alignment: mean(hj) − h over the neighbors.
//!
//! The heading sum comes from the shared sweep; the division by the count is part of the weighting.

use crate::batch::Batch;
use crate::behaviors::alignment::Alignment;
use crate::kernels::neighborhood;
use crate::math::force::{Force, Per};
use crate::math::lanes::Lanes;

#[inline(always)]
pub(crate) fn force<L: Lanes>(_: &Alignment, batch: &mut Batch<'_, L>) -> Force<L> {
    let near = neighborhood::of(batch);
    let vector = batch.heading().mul_add(-near.count, near.heading);
    Force { vector, per: Per::Number(near.count) }
}
