//! Containment for one agent.

use crate::batch::notes::What;
use crate::behaviors::containment::Containment;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(containment: &Containment, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let predicted = agent.velocity.mul_add(S::splat(containment.prediction), agent.position);
    agent.draw_point(What::Predicted, predicted);
    let size = Vec2::splat(agent.crowd.space.size);
    let rate = S::splat(1.0 / containment.prediction);
    let margin = S::splat(containment.margin);
    Vec2::new(
        inward(predicted.x, margin, size.x) * rate,
        inward(predicted.y, margin, size.y) * rate,
    )
}

/// How far a coordinate is from [margin, size − margin], positive if it is below.
#[inline(always)]
fn inward<S: Scalar>(x: S, margin: S, size: S) -> S {
    let (below, above) = (margin - x, size - margin - x);
    if below > 0.0 {
        below
    } else if above < 0.0 {
        above
    } else {
        S::zero()
    }
}
