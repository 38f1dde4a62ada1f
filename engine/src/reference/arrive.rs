//! Arrive for one agent.

use crate::behaviors::arrive::Arrive;
use crate::behaviors::deceleration::Deceleration;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(arrive: &Arrive, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(target) = agent.target(&arrive.target) else { return Vec2::zero() };
    along(agent, agent.way_to(target.position), arrive.deceleration)
}

/// The force that brings the agent to rest at the end of `way`.
#[inline(always)]
pub(crate) fn along<S: Scalar>(
    agent: &Agent<'_, S>,
    way: Vec2<S>,
    deceleration: Deceleration,
) -> Vec2<S> {
    let distance = way.length();
    let desired = distance * S::splat(deceleration.rate());
    let speed = if desired < agent.max_speed { desired } else { agent.max_speed };
    let per_distance = if distance > 0.0 { speed / distance } else { S::zero() };
    way * per_distance - agent.velocity
}
