//! Wander for one agent.

use crate::batch::notes::What;
use crate::behaviors::wander::Wander;
use crate::math::random::{self, Stream};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(wander: &Wander, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let crowd = agent.crowd;
    let index = crowd.traits.index[agent.slot];
    let [u, v] = random::signed_units::<S>(crowd.seed, Stream::Wander, index, crowd.tick);
    let jittered =
        Vec2::new(u, v).mul_add(S::splat(wander.step_jitter(crowd.dt)), agent.memory.wander);
    let target = jittered.normalized() * S::splat(wander.radius);
    agent.memory.wander = target;

    let ahead = target.x + S::splat(wander.distance);
    let side = agent.heading.perp();
    let force = agent.heading.mul_add(ahead, side * target.y);
    let scale = if wander.scaled { agent.radius() } else { S::splat(1.0) };
    let center = agent.heading.mul_add(S::splat(wander.distance) * scale, agent.position);
    agent.draw_circle(What::WanderCircle, center, S::splat(wander.radius) * scale);
    agent.draw_point(What::WanderTarget, agent.position + force * scale);
    force * scale
}
