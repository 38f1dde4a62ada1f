//! Arrive: like seek, but the desired speed falls with the remaining distance.

use crate::batch::Batch;
use crate::behaviors::arrive::Arrive;
use crate::behaviors::deceleration::Deceleration;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(arrive: &Arrive, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (target, present) = batch.target(&arrive.target);
    along(batch, batch.way_to(target.position), arrive.deceleration).keep(present)
}

/// The force that brings the agent to rest at the end of `way`.
#[inline(always)]
pub(crate) fn along<L: Lanes>(
    batch: &Batch<'_, L>,
    way: Vec2<L>,
    deceleration: Deceleration,
) -> Vec2<L> {
    let distance = way.length();
    let desired = distance * L::splat(deceleration.rate());
    let speed = desired.lt(batch.max_speed()).select(desired, batch.max_speed());
    // On the target itself the desired velocity is zero, which leaves −v.
    let per_distance = distance.gt(L::zero()).keep(speed / distance);
    way * per_distance - batch.velocity()
}
