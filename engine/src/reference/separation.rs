//! Separation, one agent.

use crate::kernels::separation::Separation;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(_: &Separation, agent: &mut Agent<'_>) -> Vec2<f32> {
    -agent.neighborhood().inverse_offset
}
