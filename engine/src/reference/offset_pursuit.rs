//! Offset pursuit for one agent.

use crate::batch::notes::What;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::offset_pursuit::OffsetPursuit;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::arrive;

#[inline(always)]
pub(crate) fn force<S: Scalar>(pursuit: &OffsetPursuit, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(leader) = agent.target(&pursuit.leader) else { return Vec2::zero() };
    let number = agent.crowd.number_of(agent.slot, agent.kind);
    let offset = Vec2::<S>::splat(pursuit.offset_of(number));
    let position = leader.heading.mul_add(offset.x, leader.position);
    let position = leader.heading.perp().mul_add(offset.y, position);
    let distance = agent.way_to(position).length();
    let time = distance / (agent.max_speed + leader.velocity.length());
    let predicted = leader.velocity.mul_add(time, position);
    agent.draw_point(What::Place, position);
    agent.draw_point(What::Predicted, predicted);
    arrive::along(agent, agent.way_to(predicted), Deceleration::Fast)
}
