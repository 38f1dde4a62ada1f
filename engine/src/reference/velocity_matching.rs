//! Velocity matching for one agent.

use crate::behaviors::velocity_matching::VelocityMatching;
use crate::math::force::{Force, Per};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

#[inline(always)]
pub(crate) fn force<S: Scalar>(matching: &VelocityMatching, agent: &mut Agent<'_, S>) -> Force<S> {
    let crowd = agent.crowd;
    let (mut count, mut sum) = (S::zero(), Vec2::zero());
    neighborhood::for_each_seen(
        agent,
        &agent.runs(),
        #[inline(always)]
        |slot, _| {
            count = count + S::splat(1.0);
            sum = Vec2::splat(crowd.velocity(slot)) + sum;
        },
    );
    // The agent sees itself.
    let (count, sum) = (count - S::splat(1.0), sum - agent.velocity);
    let vector = agent.velocity.mul_add(-count, sum);
    Force { vector, per: Per::Number(count * S::splat(matching.time_constant)) }
}
