//! The normalized flocking rules for one agent.

use crate::behaviors::flock_rules::FlockRules;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

#[inline(always)]
pub(crate) fn force<S: Scalar>(rules: &FlockRules, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let near = neighborhood::of(agent);
    if near.count <= 0.0 {
        return Vec2::zero();
    }
    let alignment = near.heading.normalized();
    let cohesion = near.offset.normalized();
    let separation =
        if rules.near_separation { -near.inverse_offset.normalized() } else { -cohesion };
    let sum = alignment * S::splat(rules.alignment);
    let sum = cohesion.mul_add(S::splat(rules.cohesion), sum);
    separation.mul_add(S::splat(rules.separation), sum)
}
