//! Cohesion for one agent.

use crate::behaviors::cohesion::Cohesion;
use crate::math::force::{Force, Per};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

#[inline(always)]
pub(crate) fn force<S: Scalar>(cohesion: &Cohesion, agent: &mut Agent<'_, S>) -> Force<S> {
    let near = neighborhood::of(agent);
    if near.count <= 0.0 {
        return Vec2::zero().into();
    }
    let length = near.offset.length();
    // In the center itself the desired velocity is zero, which leaves −v.
    let length = if length > 0.0 { length } else { S::splat(1.0) };
    let seek = near.offset.mul_add(agent.max_speed, -(agent.velocity * length));
    let per = if cohesion.normalized { Per::Length } else { Per::Number(length) };
    Force { vector: seek, per }
}
