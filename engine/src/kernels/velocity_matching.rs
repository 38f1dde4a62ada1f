//! Velocity matching: the neighbors' mean velocity, approached over a time constant.
//!
//! A sweep of its own over the candidates. Cost per candidate and batch: 2 sub, 2 fma, 1 compare
//! and 1 mask to test it, 1 add and 2 fma to sum.

use crate::batch::Batch;
use crate::batch::neighbors::for_each_seen;
use crate::behaviors::velocity_matching::VelocityMatching;
use crate::math::force::{Force, Per};
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(matching: &VelocityMatching, batch: &mut Batch<'_, L>) -> Force<L> {
    let motion = batch.crowd.motion;
    let (one, mut count) = (L::splat(1.0), L::zero());
    let mut sum = Vec2::zero();
    for_each_seen(
        batch,
        #[inline(always)]
        |slot, _, _, seen| {
            let velocity = Vec2::new(L::splat(motion.vx[slot]), L::splat(motion.vy[slot]));
            let weight = seen.keep(one);
            count = count + weight;
            sum = velocity.mul_add(weight, sum);
        },
    );
    // The agent sees itself.
    let (count, sum) = (count - one, sum - batch.velocity());
    let vector = batch.velocity().mul_add(-count, sum);
    Force { vector, per: Per::Number(count * L::splat(matching.time_constant)) }
}
