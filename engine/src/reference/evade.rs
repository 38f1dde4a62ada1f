//! Evade for one agent.

use crate::behaviors::evade::Evade;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;
use crate::reference::seek;

pub(crate) fn force(evade: &Evade, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(pursuer) = agent.target(&evade.pursuer) else { return Vec2::ZERO };
    let way = agent.way_to(pursuer.position);
    if let Some(range) = evade.threat_range {
        agent.draw_circle(What::Range, pursuer.position, range);
        if way.dot(way) > range * range {
            return Vec2::ZERO;
        }
    }
    from(agent, pursuer.position, pursuer.velocity)
}

/// The force that evades a pursuer with this position and velocity.
pub(crate) fn from(agent: &mut Agent<'_>, position: Vec2<f32>, velocity: Vec2<f32>) -> Vec2<f32> {
    let time = agent.way_to(position).length() / (agent.max_speed + velocity.length());
    let predicted = velocity.mul_add(time, position);
    agent.draw_point(What::Predicted, predicted);
    seek::along(agent, -agent.way_to(predicted))
}
