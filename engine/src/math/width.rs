//! Lane widths, and the only choice of a lane type.

use crate::cpu::Level;

/// Evaluates an expression with the lane type of a width for the instructions of a processor:
/// `with_lanes!((instructions, width), L => f::<L>)`. Narrow vectors of AVX-512 are those of AVX2.
#[cfg(target_arch = "x86_64")]
macro_rules! with_lanes {
    (($instructions:expr, $width:expr), $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::width::LaneWidth::{Eight, Four, Sixteen};
        use $crate::math::{pair::Pair, x86};
        let instructions: Instructions = $instructions;
        match (instructions.level(), $width) {
            (Level::Baseline, Four) => {
                type $lanes = wide::f32x4;
                $with
            }
            (Level::Baseline, Eight) => {
                type $lanes = wide::f32x8;
                $with
            }
            (Level::Baseline, Sixteen) => {
                type $lanes = wide::f32x16;
                $with
            }
            (Level::Avx2 | Level::Avx512, Four) => {
                type $lanes = x86::Avx2x4;
                $with
            }
            (Level::Avx2 | Level::Avx512, Eight) => {
                type $lanes = x86::Avx2x8;
                $with
            }
            (Level::Avx2, Sixteen) => {
                type $lanes = Pair<x86::Avx2x8>;
                $with
            }
            (Level::Avx512, Sixteen) => {
                type $lanes = x86::Avx512x16;
                $with
            }
        }
    }};
}

/// The same for processors without a choice.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! with_lanes {
    (($instructions:expr, $width:expr), $lanes:ident => $with:expr) => {{
        use $crate::math::width::LaneWidth::{Eight, Four, Sixteen};
        let _: $crate::cpu::Instructions = $instructions;
        match $width {
            Four => {
                type $lanes = wide::f32x4;
                $with
            }
            Eight => {
                type $lanes = wide::f32x8;
                $with
            }
            Sixteen => {
                type $lanes = wide::f32x16;
                $with
            }
        }
    }};
}

/// The same with the widest vectors that the instructions have.
#[cfg(target_arch = "x86_64")]
macro_rules! with_widest_lanes {
    ($instructions:expr, $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        let instructions: Instructions = $instructions;
        match instructions.level() {
            Level::Baseline => {
                type $lanes = wide::f32x4;
                $with
            }
            Level::Avx2 => {
                type $lanes = $crate::math::x86::Avx2x8;
                $with
            }
            Level::Avx512 => {
                type $lanes = $crate::math::x86::Avx512x16;
                $with
            }
        }
    }};
}

/// The same for processors without a choice.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! with_widest_lanes {
    ($instructions:expr, $lanes:ident => $with:expr) => {{
        let _: $crate::cpu::Instructions = $instructions;
        type $lanes = wide::f32x4;
        $with
    }};
}

pub(crate) use {with_lanes, with_widest_lanes};

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

    /// The width of the vectors of a level.
    #[must_use]
    pub const fn of(level: Level) -> Self {
        match level {
            Level::Baseline => Self::Four,
            Level::Avx2 => Self::Eight,
            Level::Avx512 => Self::Sixteen,
        }
    }

    /// The width of the vectors of the level that new simulations use.
    #[must_use]
    pub fn native() -> Self {
        Self::of(Level::used().unwrap_or_else(|_| Level::found()))
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
