//! Seek, one agent.

use crate::kernels::seek::Seek;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(seek: &Seek, agent: &mut Agent<'_>) -> Vec2<f32> {
    agent.towards(seek.target).normalized() * agent.max_speed - agent.velocity
}
