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

/// The largest whole number that is not above `x`. Beyond the range of `i32`, its nearest end.
/// Unlike `f32::floor`, it is no call where the processor's basic instructions lack one.
#[inline(always)]
pub(crate) fn floor(x: f32) -> i32 {
    let toward_zero = x as i32;
    toward_zero.saturating_sub(i32::from((toward_zero as f32) > x))
}
