//! Seek: norm(T − p)·max speed − v.

use crate::batch::Batch;
use crate::behaviors::seek::Seek;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(seek: &Seek, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (target, present) = batch.target(&seek.target);
    along(batch, batch.way_to(target.position)).keep(present)
}

/// The force that turns the velocity to full speed along `way`.
#[inline(always)]
pub(crate) fn along<L: Lanes>(batch: &Batch<'_, L>, way: Vec2<L>) -> Vec2<L> {
    way.normalized() * batch.max_speed() - batch.velocity()
}
