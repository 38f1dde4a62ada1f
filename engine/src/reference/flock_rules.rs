//! The normalized flocking rules for one agent.

use crate::behaviors::flock_rules::FlockRules;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

pub(crate) fn force(rules: &FlockRules, agent: &mut Agent<'_>) -> Vec2<f32> {
    let near = neighborhood::of(agent);
    if near.count <= 0.0 {
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
