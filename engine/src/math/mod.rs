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

/// Returns the largest integer not above `x`, clamped to the range of `i32`. Unlike `f32::floor`,
/// this needs no function call on processors whose baseline lacks a rounding instruction.
#[inline(always)]
pub(crate) fn floor(x: f32) -> i32 {
    let toward_zero = x as i32;
    toward_zero.saturating_sub(i32::from((toward_zero as f32) > x))
}
