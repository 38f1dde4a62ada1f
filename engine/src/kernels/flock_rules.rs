//! The normalized flocking rules: three unit vectors, weighted and added.

use crate::batch::Batch;
use crate::behaviors::flock_rules::FlockRules;
use crate::kernels::neighborhood;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(rules: &FlockRules, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let near = neighborhood::of(batch);
    let alignment = near.heading.normalized();
    let cohesion = near.offset.normalized();
    let separation =
        if rules.near_separation { -near.inverse_offset.normalized() } else { -cohesion };
    let sum = alignment * L::splat(rules.alignment);
    let sum = cohesion.mul_add(L::splat(rules.cohesion), sum);
    let sum = separation.mul_add(L::splat(rules.separation), sum);
    sum.keep(near.any())
}
