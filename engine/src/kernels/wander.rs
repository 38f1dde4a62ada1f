//! Wander: a target that moves randomly along a circle ahead of the agent.
//!
//! Each agent remembers the target, in its own frame. Like everything that behaviors remember,
//! it changes only in lanes where the behavior is evaluated: an agent whose force budget is
//! spent by more important behaviors does not wander on in the background.
//!
//! Random numbers follow from (seed, agent, step), never from a sequence, so no lane's numbers
//! depend on what other lanes draw.

use crate::batch::Batch;
use crate::behaviors::wander::Wander;
use crate::math::lanes::Lanes;
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(wander: &Wander, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let crowd = batch.crowd;
    let [u, v] = random::signed_units::<L>(crowd.seed, Stream::Wander, batch.indices(), crowd.tick);
    let jitter = L::splat(wander.step_jitter(crowd.dt));
    let jittered = Vec2::new(u, v).mul_add(jitter, batch.scratch.memory.wander);
    let target = jittered.normalized() * L::splat(wander.radius);
    batch.scratch.memory.wander = Vec2::select(batch.live, target, batch.scratch.memory.wander);

    let ahead = target.x + L::splat(wander.distance);
    let side = batch.heading().perp();
    let force = batch.heading().mul_add(ahead, side * target.y);
    if wander.scaled { force * batch.radius() } else { force }
}
