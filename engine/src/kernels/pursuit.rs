//! Pursuit: seek the point where the evader will be by the time the agent gets there.
//!
//! If the evader is ahead and approaches head-on, its current position is sought.

use crate::batch::Batch;
use crate::behaviors::pursuit::{HEAD_ON, Pursuit};
use crate::kernels::seek;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(pursuit: &Pursuit, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (evader, present) = batch.target(&pursuit.evader);
    let way = batch.way_to(evader.position);
    let ahead = way.dot(batch.heading()).gt(L::zero());
    let head_on = ahead & batch.heading().dot(evader.heading).lt(L::splat(HEAD_ON));

    let turn = L::splat(1.0) - batch.heading().dot(way.normalized());
    let time = way.length() / (batch.max_speed() + evader.velocity.length());
    let time = turn.mul_add(L::splat(pursuit.turnaround), time);
    let predicted = evader.velocity.mul_add(time, evader.position);
    let way = Vec2::select(head_on, way, batch.way_to(predicted));
    seek::along(batch, way).keep(present)
}
