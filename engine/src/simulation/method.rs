//! What computes the steps; the result does not depend on it.

use crate::math::width::LaneWidth;

/// What computes the steps. All methods give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The SIMD kernels at a lane width.
    Kernels(LaneWidth),
    /// The scalar reference port, one agent at a time.
    Reference,
}

impl Default for Method {
    fn default() -> Self {
        Self::Kernels(LaneWidth::native())
    }
}
