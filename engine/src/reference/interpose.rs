//! Interpose for one agent.

use crate::batch::notes::What;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::interpose::Interpose;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::arrive;

#[inline(always)]
pub(crate) fn force<S: Scalar>(interpose: &Interpose, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let (a, b) = (agent.target(&interpose.a), agent.target(&interpose.b));
    let (Some(a), Some(b)) = (a, b) else { return Vec2::zero() };
    let space = agent.crowd.space;
    let middle = space.midway(agent.way_to(a.position), agent.way_to(b.position));
    let time = middle.length() / agent.max_speed;
    let a_then = a.velocity.mul_add(time, a.position);
    let b_then = b.velocity.mul_add(time, b.position);
    let (to_a, to_b) = (agent.way_to(a_then), agent.way_to(b_then));
    let way = space.midway(to_a, to_b);
    let (middle, half) = (agent.position + way, space.shortest(to_b - to_a) * S::splat(0.5));
    agent.draw_line(What::Span, middle - half, middle + half);
    agent.draw_point(What::Predicted, middle);
    arrive::along(agent, way, Deceleration::Fast)
}
