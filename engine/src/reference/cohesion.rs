//! Cohesion, one agent.

use crate::kernels::cohesion::Cohesion;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(cohesion: &Cohesion, agent: &mut Agent<'_>) -> Vec2<f32> {
    let near = agent.neighborhood();
    if !near.any() {
        return Vec2::ZERO;
    }
    let seek = near.offset.normalized() * agent.max_speed - agent.velocity;
    if cohesion.normalized { seek.normalized() } else { seek }
}
