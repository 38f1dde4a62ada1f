//! Velocity matching, one agent.

use crate::kernels::velocity_matching::VelocityMatching;
use crate::reference::{Agent, neighborhood};
use crate::vec2::Vec2;

pub(crate) fn force(matching: &VelocityMatching, agent: &mut Agent<'_>) -> Vec2<f32> {
    let crowd = agent.crowd;
    let (mut count, mut sum) = (0.0, Vec2::ZERO);
    neighborhood::for_each_seen(agent, &agent.runs(), |slot, _| {
        count += 1.0;
        sum = crowd.velocity(slot) + sum;
    });
    // The agent itself was among those seen.
    let (count, sum) = (count - 1.0, sum - agent.velocity);
    if count <= 0.0 {
        return Vec2::ZERO;
    }
    let difference = sum * (1.0 / count) - agent.velocity;
    difference * (1.0 / matching.time_constant)
}
