//! The picture of a crowd: a copy of what it shows, and how each element is drawn.

pub(crate) mod camera;
mod coloring;
mod culling;
pub(crate) mod explanation;
pub(crate) mod light;
pub(crate) mod look;
pub(crate) mod painter;
pub(crate) mod picking;
pub(crate) mod roles;
mod scenery;
mod triangles;
pub(crate) mod view;
