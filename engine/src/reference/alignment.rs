//! Alignment for one agent.

use crate::behaviors::alignment::Alignment;
use crate::math::force::{Force, Per};
use crate::math::scalar::Scalar;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

#[inline(always)]
pub(crate) fn force<S: Scalar>(_: &Alignment, agent: &mut Agent<'_, S>) -> Force<S> {
    let near = neighborhood::of(agent);
    let vector = agent.heading.mul_add(-near.count, near.heading);
    Force { vector, per: Per::Number(near.count) }
}
