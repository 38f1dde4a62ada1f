//! Alignment for one agent.

use crate::behaviors::alignment::Alignment;
use crate::math::force::{Force, Per};
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

pub(crate) fn force(_: &Alignment, agent: &mut Agent<'_>) -> Force<f32> {
    let near = neighborhood::of(agent);
    let vector = agent.heading.mul_add(-near.count, near.heading);
    Force { vector, per: Per::Number(near.count) }
}
