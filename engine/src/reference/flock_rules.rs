//! The normalized flocking rules, one agent.

use crate::kernels::flock_rules::FlockRules;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(rules: &FlockRules, agent: &mut Agent<'_>) -> Vec2<f32> {
    let near = agent.neighborhood();
    if !near.any() {
        return Vec2::ZERO;
    }
    let alignment = near.heading.normalized();
    let cohesion = near.offset.normalized();
    let separation =
        if rules.near_separation { -near.inverse_offset.normalized() } else { -cohesion };
    let sum = alignment * rules.alignment;
    let sum = cohesion.mul_add(rules.cohesion, sum);
    separation.mul_add(rules.separation, sum)
}
