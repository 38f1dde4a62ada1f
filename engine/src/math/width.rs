//! Lane widths, and the only choice of a lane type.

use crate::cpu::Level;

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::math::x86::{Avx2x1, Avx2x4, Avx2x8, Avx512x16};

/// Stand-ins on processors without those levels, where they are never chosen.
#[cfg(not(target_arch = "x86_64"))]
mod stand_ins {
    pub(crate) type Avx2x1 = f32;
    pub(crate) type Avx2x4 = wide::f32x4;
    pub(crate) type Avx2x8 = wide::f32x8;
    pub(crate) type Avx512x16 = wide::f32x16;
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use stand_ins::{Avx2x1, Avx2x4, Avx2x8, Avx512x16};

/// Evaluates an expression with the lane type of a width for the instructions of a processor:
/// `with_lanes!((instructions, width), L => f::<L>)`. Narrow vectors of AVX-512 are those of AVX2.
macro_rules! with_lanes {
    (($instructions:expr, $width:expr), $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::pair::Pair;
        use $crate::math::width::LaneWidth::{Eight, Four, Sixteen};
        use $crate::math::width::{Avx2x4, Avx2x8, Avx512x16, with_type};
        let instructions: Instructions = $instructions;
        match (instructions.level(), $width) {
            (Level::Baseline, Four) => with_type!($lanes = wide::f32x4, $with),
            (Level::Baseline, Eight) => with_type!($lanes = wide::f32x8, $with),
            (Level::Baseline, Sixteen) => with_type!($lanes = wide::f32x16, $with),
            (Level::Avx2 | Level::Avx512, Four) => with_type!($lanes = Avx2x4, $with),
            (Level::Avx2 | Level::Avx512, Eight) => with_type!($lanes = Avx2x8, $with),
            (Level::Avx2, Sixteen) => with_type!($lanes = Pair<Avx2x8>, $with),
            (Level::Avx512, Sixteen) => with_type!($lanes = Avx512x16, $with),
        }
    }};
}

/// The same with the widest vectors that the instructions have.
macro_rules! with_widest_lanes {
    ($instructions:expr, $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::width::{Avx2x8, Avx512x16, with_type};
        let instructions: Instructions = $instructions;
        match instructions.level() {
            Level::Baseline => with_type!($lanes = wide::f32x4, $with),
            Level::Avx2 => with_type!($lanes = Avx2x8, $with),
            Level::Avx512 => with_type!($lanes = Avx512x16, $with),
        }
    }};
}

/// The same with one lane.
macro_rules! with_one_lane {
    ($instructions:expr, $lane:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::width::{Avx2x1, with_type};
        let instructions: Instructions = $instructions;
        match instructions.level() {
            Level::Baseline => with_type!($lane = f32, $with),
            Level::Avx2 | Level::Avx512 => with_type!($lane = Avx2x1, $with),
        }
    }};
}

/// Evaluates a statement with every lane type that this processor has instructions for.
#[cfg(test)]
macro_rules! with_each_lanes {
    ($lanes:ident => $with:expr) => {
        for level in $crate::cpu::Level::available() {
            let instructions = $crate::cpu::Instructions::of(level).unwrap();
            $crate::math::width::with_one_lane!(instructions, $lanes => $with);
            for width in $crate::math::width::LaneWidth::ALL {
                $crate::math::width::with_lanes!((instructions, width), $lanes => $with);
            }
        }
    };
}

macro_rules! with_type {
    ($name:ident = $type:ty, $with:expr) => {{
        type $name = $type;
        $with
    }};
}

#[cfg(test)]
pub(crate) use with_each_lanes;
pub(crate) use {with_lanes, with_one_lane, with_type, with_widest_lanes};

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
        Self::of(Level::used_or_found())
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
