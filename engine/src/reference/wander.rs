//! Wander for one agent.

use crate::behaviors::wander::Wander;
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;

pub(crate) fn force(wander: &Wander, agent: &mut Agent<'_>) -> Vec2<f32> {
    let crowd = agent.crowd;
    let index = crowd.traits.index[agent.slot];
    let [u, v] = random::signed_units::<f32>(crowd.seed, Stream::Wander, index, crowd.tick);
    let jittered = Vec2::new(u, v).mul_add(wander.step_jitter(crowd.dt), agent.memory.wander);
    let target = jittered.normalized() * wander.radius;
    agent.memory.wander = target;

    let ahead = target.x + wander.distance;
    let side = agent.heading.perp();
    let force = agent.heading.mul_add(ahead, side * target.y);
    let scale = if wander.scaled { agent.radius() } else { 1.0 };
    let center = agent.heading.mul_add(wander.distance * scale, agent.position);
    agent.draw_circle(What::WanderCircle, center, wander.radius * scale);
    agent.draw_point(What::WanderTarget, agent.position + force * scale);
    force * scale
}
