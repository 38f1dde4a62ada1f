//! Containment: bring the predicted position back inside; the force grows with its depth outside.

use crate::batch::Batch;
use crate::behaviors::containment::Containment;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

/// The change of velocity that brings the predicted position inside in time.
#[inline(always)]
pub(crate) fn force<L: Lanes>(containment: &Containment, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let predicted = batch.velocity().mul_add(L::splat(containment.prediction), batch.position());
    let size = batch.crowd.space.size;
    let rate = L::splat(1.0 / containment.prediction);
    Vec2::new(
        inward(predicted.x, containment.margin, size.x) * rate,
        inward(predicted.y, containment.margin, size.y) * rate,
    )
}

/// How far a coordinate is from [margin, size − margin], positive if it is below.
#[inline(always)]
fn inward<L: Lanes>(x: L, margin: f32, size: f32) -> L {
    let (below, above) = (L::splat(margin) - x, L::splat(size - margin) - x);
    below.gt(L::zero()).select(below, above.lt(L::zero()).keep(above))
}
