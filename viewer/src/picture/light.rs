//! Agents as light: how bright the picture is, the points of small agents, the glow around all, and
//! the trails they leave.

pub(crate) mod comets;
pub(crate) mod exposure;
pub(crate) mod glow;
mod half;
mod places;
pub(crate) mod points;
mod tone;
