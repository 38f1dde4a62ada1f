//! Leader following: arrive behind the leader, and step aside when in its way.

use crate::batch::Batch;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::leader_following::LeaderFollowing;
use crate::kernels::arrive;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(following: &LeaderFollowing, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (leader, present) = batch.target(&following.leader);
    let behind = leader.heading.mul_add(L::splat(-following.distance), leader.position);
    let follow = arrive::along(batch, batch.way_to(behind), Deceleration::Normal);

    let from_leader = -batch.way_to(leader.position);
    let side = leader.heading.perp();
    let (ahead, across) = (from_leader.dot(leader.heading), from_leader.dot(side));
    let in_its_way = ahead.gt(L::zero())
        & ahead.lt(L::splat(following.clear_ahead))
        & across.abs().lt(L::splat(following.clear_aside));
    let speed = across.ge(L::zero()).select(batch.max_speed(), -batch.max_speed());
    let step_aside = side * speed - batch.velocity();
    Vec2::select(in_its_way, step_aside, follow).keep(present)
}
