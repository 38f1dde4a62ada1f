//! Mathematical foundations: lanes, vectors, boxes, forces, random numbers and hashes.
//!
//! Nothing here depends on worlds, crowds or scenes.

pub mod angle;

pub(crate) mod aabb;
pub(crate) mod axes;
pub(crate) mod component;
pub(crate) mod fixed;
pub(crate) mod force;
pub(crate) mod lanes;
pub(crate) mod random;
pub(crate) mod vec3;
