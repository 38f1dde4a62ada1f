//! Containment for one agent.

use crate::behaviors::containment::Containment;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;

pub(crate) fn force(containment: &Containment, agent: &mut Agent<'_>) -> Vec2<f32> {
    let predicted = agent.velocity.mul_add(containment.prediction, agent.position);
    agent.draw_point(What::Predicted, predicted);
    let size = agent.crowd.space.size;
    let rate = 1.0 / containment.prediction;
    Vec2::new(
        inward(predicted.x, containment.margin, size.x) * rate,
        inward(predicted.y, containment.margin, size.y) * rate,
    )
}

/// How far a coordinate is from [margin, size − margin], positive if it is below.
fn inward(x: f32, margin: f32, size: f32) -> f32 {
    let (below, above) = (margin - x, size - margin - x);
    if below > 0.0 {
        below
    } else if above < 0.0 {
        above
    } else {
        0.0
    }
}
