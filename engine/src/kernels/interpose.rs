//! Interpose: arrive at the midpoint of two targets, predicted for the time of arrival.

use crate::batch::Batch;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::interpose::Interpose;
use crate::kernels::arrive;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(interpose: &Interpose, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (a, a_present) = batch.target(&interpose.a);
    let (b, b_present) = batch.target(&interpose.b);
    let space = batch.crowd.space;
    let middle = space.midway(batch.way_to(a.position), batch.way_to(b.position));
    let time = middle.length() / batch.max_speed();
    let a_then = a.velocity.mul_add(time, a.position);
    let b_then = b.velocity.mul_add(time, b.position);
    let way = space.midway(batch.way_to(a_then), batch.way_to(b_then));
    arrive::along(batch, way, Deceleration::Fast).keep(a_present & b_present)
}
