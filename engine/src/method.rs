//! How a step is computed; the result does not depend on it.

use crate::lanes::Lanes;

/// The widest vectors that this build has instructions for.
#[cfg(target_feature = "avx512f")]
pub(crate) type NativeLanes = wide::f32x16;
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
pub(crate) type NativeLanes = wide::f32x8;
#[cfg(not(any(target_feature = "avx2", target_feature = "avx512f")))]
pub(crate) type NativeLanes = wide::f32x4;

/// How many agents a vector holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneWidth {
    /// Four: SSE2, NEON.
    Four,
    /// Eight: AVX2.
    Eight,
    /// Sixteen: AVX-512.
    Sixteen,
}

impl LaneWidth {
    /// Every width. All work on all machines; those wider than the machine's vectors are
    /// put together from narrower ones.
    pub const ALL: [Self; 3] = [Self::Four, Self::Eight, Self::Sixteen];

    /// The widest that this build has instructions for.
    #[must_use]
    pub const fn native() -> Self {
        match NativeLanes::WIDTH {
            16 => Self::Sixteen,
            8 => Self::Eight,
            _ => Self::Four,
        }
    }

    /// Agents per vector: 4, 8 or 16.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }
}

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
