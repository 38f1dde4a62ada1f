pub(crate) mod camera;
pub(crate) mod culling;
pub(crate) mod explanation;
pub(crate) mod light;
pub(crate) mod painter;
pub(crate) mod picking;
mod scenery;
mod triangles;
pub(crate) mod view;
