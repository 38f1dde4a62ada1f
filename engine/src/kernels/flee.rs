//! Flee: norm(p − T)·max speed − v, within the panic distance.

use crate::batch::Batch;
use crate::behaviors::flee::Flee;
use crate::kernels::seek;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(flee: &Flee, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (target, present) = batch.target(&flee.target);
    let away = -batch.way_to(target.position);
    let force = seek::along(batch, away).keep(present);
    match flee.panic_distance {
        Some(distance) => force.keep(away.dot(away).le(L::splat(distance * distance))),
        None => force,
    }
}
