//! What everything else is computed with: lanes, vectors, boxes, forces, random numbers, hashes.
//!
//! Nothing here knows about agents, worlds or scenes.

pub mod angle;

pub(crate) mod aabb;
pub(crate) mod draws;
pub(crate) mod fixed;
pub(crate) mod force;
pub(crate) mod hash;
pub(crate) mod lanes;
pub(crate) mod prefetch;
pub(crate) mod random;
pub(crate) mod scalar;
pub(crate) mod vec2;
pub(crate) mod vectors;
pub(crate) mod width;
