//! Pursuit for one agent.

use crate::batch::notes::What;
use crate::behaviors::pursuit::{HEAD_ON, Pursuit};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::seek;

#[inline(always)]
pub(crate) fn force<S: Scalar>(pursuit: &Pursuit, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(evader) = agent.target(&pursuit.evader) else { return Vec2::zero() };
    let way = agent.way_to(evader.position);
    if way.dot(agent.heading) > 0.0 && agent.heading.dot(evader.heading) < HEAD_ON {
        return seek::along(agent, way);
    }
    let turn = S::splat(1.0) - agent.heading.dot(way.normalized());
    let time = way.length() / (agent.max_speed + evader.velocity.length());
    let time = turn.mul_add(S::splat(pursuit.turnaround), time);
    let predicted = evader.velocity.mul_add(time, evader.position);
    agent.draw_point(What::Predicted, predicted);
    seek::along(agent, agent.way_to(predicted))
}
