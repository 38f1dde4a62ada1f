//! Offset pursuit: arrive where the agent's position in a leader's formation will be.

use crate::batch::Batch;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::offset_pursuit::OffsetPursuit;
use crate::kernels::arrive;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(pursuit: &OffsetPursuit, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (leader, present) = batch.target(&pursuit.leader);
    let offset = if pursuit.abreast == 0 {
        Vec2::splat(pursuit.offset.into())
    } else {
        let offset = |lane| pursuit.offset_of(batch.crowd.number_of(batch.slot(lane), batch.kind));
        Vec2::new(L::from_fn(|lane| offset(lane).x), L::from_fn(|lane| offset(lane).y))
    };
    let position = leader.heading.mul_add(offset.x, leader.position);
    let position = leader.heading.perp().mul_add(offset.y, position);
    let distance = batch.way_to(position).length();
    let time = distance / (batch.max_speed() + leader.velocity.length());
    let predicted = leader.velocity.mul_add(time, position);
    arrive::along(batch, batch.way_to(predicted), Deceleration::Fast).keep(present)
}
