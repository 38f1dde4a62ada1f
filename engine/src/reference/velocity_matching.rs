//! Velocity matching for one agent.

use crate::behaviors::velocity_matching::VelocityMatching;
use crate::math::force::{Force, Per};
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

pub(crate) fn force(matching: &VelocityMatching, agent: &mut Agent<'_>) -> Force<f32> {
    let crowd = agent.crowd;
    let (mut count, mut sum) = (0.0, Vec2::ZERO);
    neighborhood::for_each_seen(agent, &agent.runs(), |slot, _| {
        count += 1.0;
        sum = crowd.velocity(slot) + sum;
    });
    // The agent sees itself.
    let (count, sum) = (count - 1.0, sum - agent.velocity);
    let vector = agent.velocity.mul_add(-count, sum);
    Force { vector, per: Per::Number(count * matching.time_constant) }
}
