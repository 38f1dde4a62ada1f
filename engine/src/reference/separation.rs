//! Separation for one agent.

use crate::behaviors::separation::Separation;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

#[inline(always)]
pub(crate) fn force<S: Scalar>(_: &Separation, agent: &mut Agent<'_, S>) -> Vec2<S> {
    -neighborhood::of(agent).inverse_offset
}
