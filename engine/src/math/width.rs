//! Lane widths, and the only dispatch on them.

use crate::math::lanes::Lanes;

/// The widest vectors that this build has instructions for.
#[cfg(target_feature = "avx512f")]
pub(crate) type NativeLanes = wide::f32x16;
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
pub(crate) type NativeLanes = wide::f32x8;
#[cfg(not(any(target_feature = "avx2", target_feature = "avx512f")))]
pub(crate) type NativeLanes = wide::f32x4;

/// Evaluates an expression with the lane type of a width: `with_lanes!(width, L => f::<L>)`.
macro_rules! with_lanes {
    ($width:expr, $lanes:ident => $with:expr) => {
        match $width {
            $crate::math::width::LaneWidth::Four => {
                type $lanes = wide::f32x4;
                $with
            }
            $crate::math::width::LaneWidth::Eight => {
                type $lanes = wide::f32x8;
                $with
            }
            $crate::math::width::LaneWidth::Sixteen => {
                type $lanes = wide::f32x16;
                $with
            }
        }
    };
}

pub(crate) use with_lanes;

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
    /// Every width. All work on all machines; those wider than the machine's vectors are composed
    /// of narrower ones.
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
