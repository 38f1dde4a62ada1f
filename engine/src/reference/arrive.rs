//! Arrive for one agent.

use crate::behaviors::arrive::Arrive;
use crate::behaviors::deceleration::Deceleration;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

pub(crate) fn force(arrive: &Arrive, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(target) = agent.target(&arrive.target) else { return Vec2::ZERO };
    along(agent, agent.way_to(target.position), arrive.deceleration)
}

/// The force that brings the agent to rest at the end of `way`.
pub(crate) fn along(agent: &Agent<'_>, way: Vec2<f32>, deceleration: Deceleration) -> Vec2<f32> {
    let distance = way.length();
    let desired = distance * deceleration.rate();
    let speed = if desired < agent.max_speed { desired } else { agent.max_speed };
    let per_distance = if distance > 0.0 { speed / distance } else { 0.0 };
    way * per_distance - agent.velocity
}
