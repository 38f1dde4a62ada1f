//! Alignment, one agent.

use crate::force::{Force, Per};
use crate::kernels::alignment::Alignment;
use crate::reference::Agent;

pub(crate) fn force(_: &Alignment, agent: &mut Agent<'_>) -> Force<f32> {
    let near = agent.neighborhood();
    let vector = agent.heading.mul_add(-near.count, near.heading);
    Force { vector, per: Per::Number(near.count) }
}
