//! Separation for one agent.

use crate::behaviors::separation::Separation;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

pub(crate) fn force(_: &Separation, agent: &mut Agent<'_>) -> Vec2<f32> {
    -neighborhood::of(agent).inverse_offset
}
