//! Seek for one agent.

use crate::behaviors::seek::Seek;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(seek: &Seek, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(target) = agent.target(&seek.target) else { return Vec2::zero() };
    along(agent, agent.way_to(target.position))
}

/// The force that turns the velocity to full speed along `way`.
#[inline(always)]
pub(crate) fn along<S: Scalar>(agent: &Agent<'_, S>, way: Vec2<S>) -> Vec2<S> {
    way.normalized() * agent.max_speed - agent.velocity
}
