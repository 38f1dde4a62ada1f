//! Evade for one agent.

use crate::batch::notes::What;
use crate::behaviors::evade::Evade;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::seek;

#[inline(always)]
pub(crate) fn force<S: Scalar>(evade: &Evade, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(pursuer) = agent.target(&evade.pursuer) else { return Vec2::zero() };
    let way = agent.way_to(pursuer.position);
    if let Some(range) = evade.threat_range.map(S::splat) {
        agent.draw_circle(What::Range, pursuer.position, range);
        if way.dot(way) > range * range {
            return Vec2::zero();
        }
    }
    from(agent, pursuer.position, pursuer.velocity)
}

/// The force that evades a pursuer with this position and velocity.
#[inline(always)]
pub(crate) fn from<S: Scalar>(
    agent: &mut Agent<'_, S>,
    position: Vec2<S>,
    velocity: Vec2<S>,
) -> Vec2<S> {
    let time = agent.way_to(position).length() / (agent.max_speed + velocity.length());
    let predicted = velocity.mul_add(time, position);
    agent.draw_point(What::Predicted, predicted);
    seek::along(agent, -agent.way_to(predicted))
}
