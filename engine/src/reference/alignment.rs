//! Alignment, one agent.

use crate::kernels::alignment::Alignment;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(_: &Alignment, agent: &mut Agent<'_>) -> Vec2<f32> {
    let near = agent.neighborhood();
    if !near.any() {
        return Vec2::ZERO;
    }
    near.heading * near.inverse_count() - agent.heading
}
