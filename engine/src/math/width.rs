//! Methods and lane widths, and the only choice of a lane type.

use std::sync::LazyLock;

use crate::cpu::{Instructions, Level};
use crate::error::Error;
use crate::math::lanes::Lanes;

pub(crate) use crate::math::pair::Pair;

/// Vectors that every processor has.
pub(crate) type BaselineX4 = wide::f32x4;
pub(crate) type BaselineX8 = Pair<BaselineX4>;
pub(crate) type BaselineX16 = Pair<BaselineX8>;

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::math::x86::{Avx2x1, Avx2x4, Avx2x8, Avx512x16};

/// Stand-ins on processors without those levels, where they are never chosen.
#[cfg(not(target_arch = "x86_64"))]
mod stand_ins {
    pub(crate) use super::{BaselineX4 as Avx2x4, BaselineX8 as Avx2x8, BaselineX16 as Avx512x16};
    pub(crate) type Avx2x1 = f32;
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use stand_ins::{Avx2x1, Avx2x4, Avx2x8, Avx512x16};

/// Evaluates an expression with the lane type of a method for the instructions of a processor:
/// `with_lanes!((instructions, method), L => f::<L>)`. Narrow vectors of AVX-512 are those of AVX2.
macro_rules! with_lanes {
    (($instructions:expr, $method:expr), $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::width::LaneWidth::{Eight, Four, Sixteen};
        use $crate::math::width::Method::{Kernels, Scalar};
        use $crate::math::width::{Avx2x1, Avx2x4, Avx2x8, Avx512x16, Pair, with_type};
        use $crate::math::width::{BaselineX4, BaselineX8, BaselineX16};
        let instructions: Instructions = $instructions;
        match (instructions.level(), $method) {
            (Level::Baseline, Scalar) => with_type!($lanes = f32, $with),
            (Level::Baseline, Kernels(Four)) => with_type!($lanes = BaselineX4, $with),
            (Level::Baseline, Kernels(Eight)) => with_type!($lanes = BaselineX8, $with),
            (Level::Baseline, Kernels(Sixteen)) => with_type!($lanes = BaselineX16, $with),
            (Level::Avx2 | Level::Avx512, Scalar) => with_type!($lanes = Avx2x1, $with),
            (Level::Avx2 | Level::Avx512, Kernels(Four)) => with_type!($lanes = Avx2x4, $with),
            (Level::Avx2 | Level::Avx512, Kernels(Eight)) => with_type!($lanes = Avx2x8, $with),
            (Level::Avx2, Kernels(Sixteen)) => with_type!($lanes = Pair<Avx2x8>, $with),
            (Level::Avx512, Kernels(Sixteen)) => with_type!($lanes = Avx512x16, $with),
        }
    }};
}

/// Evaluates an expression with the widest vectors that a processor has instructions for.
macro_rules! with_widest_lanes {
    ($instructions:expr, $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::width::{Avx2x8, Avx512x16, BaselineX4};
        let instructions: Instructions = $instructions;
        match instructions.level() {
            Level::Baseline => $crate::math::width::with_type!($lanes = BaselineX4, $with),
            Level::Avx2 => $crate::math::width::with_type!($lanes = Avx2x8, $with),
            Level::Avx512 => $crate::math::width::with_type!($lanes = Avx512x16, $with),
        }
    }};
}

/// Calls a macro with all lane types of this processor, each with a name for a function.
macro_rules! for_lane_types {
    ($callback:ident) => {
        $callback! {
            one: f32,
            four: $crate::math::width::BaselineX4,
            eight: $crate::math::width::BaselineX8,
            sixteen: $crate::math::width::BaselineX16,
            #[cfg(target_arch = "x86_64")]
            avx2_one: $crate::math::width::Avx2x1,
            #[cfg(target_arch = "x86_64")]
            avx2_four: $crate::math::width::Avx2x4,
            #[cfg(target_arch = "x86_64")]
            avx2_eight: $crate::math::width::Avx2x8,
            #[cfg(target_arch = "x86_64")]
            avx2_sixteen: $crate::math::width::Pair<$crate::math::width::Avx2x8>,
            #[cfg(target_arch = "x86_64")]
            avx512_sixteen: $crate::math::width::Avx512x16,
        }
    };
}

/// Evaluates a statement with every lane type that this processor has instructions for.
#[cfg(test)]
macro_rules! with_each_lanes {
    ($lanes:ident => $with:expr) => {
        for level in $crate::cpu::Level::available() {
            let instructions = $crate::cpu::Instructions::new(level).unwrap();
            for method in $crate::math::width::Method::ALL {
                $crate::math::width::with_lanes!((instructions, method), $lanes => $with);
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
pub(crate) use {for_lane_types, with_lanes, with_type, with_widest_lanes};

/// What computes the steps. All methods give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The SIMD kernels at a lane width.
    Kernels(LaneWidth),
    /// The kernels with one lane: one agent at a time, and only what it needs.
    Scalar,
}

impl Method {
    /// The former name of the scalar method.
    #[allow(non_upper_case_globals)]
    pub const Reference: Self = Self::Scalar;

    /// Every method.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 4] = [
        Self::Scalar,
        Self::Kernels(LaneWidth::Four),
        Self::Kernels(LaneWidth::Eight),
        Self::Kernels(LaneWidth::Sixteen),
    ];
}

impl Default for Method {
    fn default() -> Self {
        Self::Kernels(LaneWidth::native())
    }
}

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

/// Runs `work` compiled for the [level](Level::used) that simulations use by default, for loops
/// around a simulation that should be as fast as it is without compiler flags: drawing, statistics.
///
/// Only what is inlined into `work` is compiled that way: write it as a closure in the argument,
/// and mark it and the functions it calls with `#[inline(always)]`. Floating-point arithmetic gives
/// the same bits at every level, since Rust neither reorders nor fuses it.
///
/// ```
/// let mut shades = [0_u8, 3, 200, 255];
/// flockwork::internal::accelerated(
///     #[inline(always)]
///     || shades.iter_mut().for_each(|shade| *shade = 255 - *shade),
/// );
/// assert_eq!(shades, [255, 252, 55, 0]);
/// ```
#[inline]
pub fn accelerated<R>(work: impl FnOnce() -> R) -> R {
    // Asking the environment takes longer than a row of pixels.
    static INSTRUCTIONS: LazyLock<Instructions> = LazyLock::new(|| {
        Instructions::new(Level::used_or_found()).expect("a level of this processor")
    });
    with_widest_lanes!(*INSTRUCTIONS, L => L::compiled(work))
}

/// Work that is written for any lanes.
pub trait LaneWork {
    /// The result.
    type Output;

    /// Computes it. Mark it and everything it calls `#[inline(always)]`.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs `work` with the widest vectors of a level, for the measurement of what they can do.
///
/// # Errors
/// [`OutOfRange`](crate::ErrorKind::OutOfRange) if this processor lacks the level.
pub fn with_lanes_of<W: LaneWork>(level: Level, work: W) -> Result<W::Output, Error> {
    let result = with_widest_lanes!(Instructions::new(level)?, L => L::compiled(
        #[inline(always)]
        || work.run::<L>(),
    ));
    Ok(result)
}
