//! Flee, one agent.

use crate::kernels::flee::Flee;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(flee: &Flee, agent: &mut Agent<'_>) -> Vec2<f32> {
    let away = -agent.towards(flee.target);
    let calm = flee.panic_distance.is_some_and(|distance| away.dot(away) > distance * distance);
    if calm { Vec2::ZERO } else { away.normalized() * agent.max_speed - agent.velocity }
}
