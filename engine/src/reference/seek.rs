//! Seek for one agent.

use crate::behaviors::seek::Seek;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

pub(crate) fn force(seek: &Seek, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(target) = agent.target(&seek.target) else { return Vec2::ZERO };
    along(agent, agent.way_to(target.position))
}

/// The force that turns the velocity to full speed along `way`.
pub(crate) fn along(agent: &Agent<'_>, way: Vec2<f32>) -> Vec2<f32> {
    way.normalized() * agent.max_speed - agent.velocity
}
