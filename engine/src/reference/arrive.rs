//! Arrive, one agent.

use crate::kernels::arrive::Arrive;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(arrive: &Arrive, agent: &mut Agent<'_>) -> Vec2<f32> {
    let to = agent.towards(arrive.target);
    let distance = to.length();
    let wanted = distance * arrive.deceleration.rate();
    let speed = if wanted < agent.max_speed { wanted } else { agent.max_speed };
    let per_distance = if distance > 0.0 { speed / distance } else { 0.0 };
    to * per_distance - agent.velocity
}
