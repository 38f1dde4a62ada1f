//! Wander, one agent.

use crate::kernels::wander::Wander;
use crate::random::{self, Stream};
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(wander: &Wander, agent: &mut Agent<'_>) -> Vec2<f32> {
    let crowd = agent.crowd;
    let index = crowd.traits.index[agent.slot];
    let [u, v] = random::scalar_signed_units(crowd.seed, Stream::Wander, index, crowd.tick);
    let jittered = Vec2::new(u, v).mul_add(wander.step_jitter(crowd.dt), agent.wander);
    let target = jittered.normalized() * wander.radius;
    agent.wander = target;

    let ahead = target.x + wander.distance;
    let side = agent.heading.perp();
    let force = agent.heading.mul_add(ahead, side * target.y);
    if wander.scaled { force * agent.radius() } else { force }
}
