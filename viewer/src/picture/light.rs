//! Agents as light: how bright the picture is, the points of small agents, and the trails of all.

pub(crate) mod exposure;
mod places;
pub(crate) mod points;
mod tone;
pub(crate) mod trails;
