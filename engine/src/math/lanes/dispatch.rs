//! Maps an instruction-set level and a method to a lane type. No other file chooses lane types.

use std::sync::LazyLock;

use crate::cpu::{Instructions, Level};
use crate::math::lanes::Lanes;

pub(crate) type Baseline = wide::f32x4;

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::math::lanes::x86::{Avx2x1, Avx2x8, Avx512x16};

#[cfg(not(target_arch = "x86_64"))]
mod stand_ins {
    pub(crate) use super::{Baseline as Avx2x8, Baseline as Avx512x16};
    pub(crate) type Avx2x1 = f32;
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use stand_ins::{Avx2x1, Avx2x8, Avx512x16};

/// Lanes for worlds with depth at the lowest level. On x86-64, that level steps one agent at a time
/// in these worlds, which saves compiling all kernels for one more lane type.
#[cfg(target_arch = "x86_64")]
pub(crate) type BaselineInSpace = f32;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type BaselineInSpace = Baseline;

/// Evaluates an expression with the lane type for kernels of a world with or without depth:
/// `with_lanes!((instructions, method, is_flat), L => f::<L>)`, where `method` is a [`Method`].
macro_rules! with_lanes {
    ($choice:expr, $lanes:ident => $with:expr) => {{
        use $crate::cpu::Level;
        use $crate::math::lanes::dispatch::{
            self, Avx2x1, Avx2x8, Avx512x16, Baseline, BaselineInSpace, Method,
        };
        use $crate::math::lanes::flat::Flat;
        let (instructions, method, is_flat): ($crate::cpu::Instructions, Method, bool) = $choice;
        match (is_flat, method, instructions.level()) {
            (true, Method::Simd, Level::Baseline) => dispatch::with_type!($lanes = Flat<Baseline>, $with),
            (true, Method::Simd, Level::Avx2) => dispatch::with_type!($lanes = Flat<Avx2x8>, $with),
            (true, Method::Simd, Level::Avx512) => dispatch::with_type!($lanes = Flat<Avx512x16>, $with),
            (true, Method::Scalar, Level::Baseline) => dispatch::with_type!($lanes = Flat<f32>, $with),
            (true, Method::Scalar, _) => dispatch::with_type!($lanes = Flat<Avx2x1>, $with),
            (false, Method::Simd, Level::Baseline) => dispatch::with_type!($lanes = BaselineInSpace, $with),
            (false, Method::Simd, Level::Avx2) => dispatch::with_type!($lanes = Avx2x8, $with),
            (false, Method::Simd, Level::Avx512) => dispatch::with_type!($lanes = Avx512x16, $with),
            (false, Method::Scalar, _) => dispatch::with_type!($lanes = f32, $with),
        }
    }};
}

/// Evaluates an expression with an instruction set's vectors, for work that is not a kernel.
macro_rules! with_vectors {
    ($instructions:expr, $lanes:ident => $with:expr) => {{
        use $crate::cpu::{Instructions, Level};
        use $crate::math::lanes::dispatch::{self, Avx2x8, Avx512x16, Baseline};
        let instructions: Instructions = $instructions;
        match instructions.level() {
            Level::Baseline => dispatch::with_type!($lanes = Baseline, $with),
            Level::Avx2 => dispatch::with_type!($lanes = Avx2x8, $with),
            Level::Avx512 => dispatch::with_type!($lanes = Avx512x16, $with),
        }
    }};
}

macro_rules! for_lane_types {
    ($callback:ident) => {
        $callback! {
            flat_single: $crate::math::lanes::flat::Flat<f32>,
            flat_baseline: $crate::math::lanes::flat::Flat<$crate::math::lanes::dispatch::Baseline>,
            #[cfg(target_arch = "x86_64")]
            flat_avx2_single: $crate::math::lanes::flat::Flat<$crate::math::lanes::dispatch::Avx2x1>,
            #[cfg(target_arch = "x86_64")]
            flat_avx2: $crate::math::lanes::flat::Flat<$crate::math::lanes::dispatch::Avx2x8>,
            #[cfg(target_arch = "x86_64")]
            flat_avx512: $crate::math::lanes::flat::Flat<$crate::math::lanes::dispatch::Avx512x16>,
            single: f32,
            #[cfg(not(target_arch = "x86_64"))]
            baseline: $crate::math::lanes::dispatch::Baseline,
            #[cfg(target_arch = "x86_64")]
            avx2: $crate::math::lanes::dispatch::Avx2x8,
            #[cfg(target_arch = "x86_64")]
            avx512: $crate::math::lanes::dispatch::Avx512x16,
        }
    };
}

#[cfg(test)]
macro_rules! with_each_lanes {
    ($lanes:ident => $with:expr) => {
        for level in $crate::cpu::Level::available() {
            let instructions = $crate::cpu::Instructions::new(level).unwrap();
            for method in $crate::math::lanes::dispatch::Method::ALL {
                for is_flat in [true, false] {
                    let choice = (instructions, method, is_flat);
                    $crate::math::lanes::dispatch::with_lanes!(choice, $lanes => $with);
                }
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
pub(crate) use {for_lane_types, with_lanes, with_type, with_vectors};

/// Step implementation: one vector of agents at a time, or one agent at a time. Results are
/// bit-identical.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// SIMD kernels that use the vector type of the simulation's [level](crate::cpu::Level).
    #[default]
    Simd,
    /// The SIMD kernels with a single lane. They skip work that the current agent does not need.
    Scalar,
}

impl Method {
    /// All methods, for tests and benchmarks to iterate over.
    pub const ALL: [Self; 2] = [Self::Simd, Self::Scalar];
}

/// Runs `work`, compiled for the [level](Level::used) that simulations use by default.
/// Useful for loops outside the engine, such as drawing or statistics:
/// they need no compiler flags to use the same instructions as the simulation.
///
/// Only code that is inlined into `work` is compiled for that level. Write `work` as a closure in
/// the call, and mark the closure and every function that it calls `#[inline(always)]`.
/// Floating-point arithmetic gives the same bits at every level, because Rust neither reorders nor
/// fuses it.
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
    // Cached: reading the environment is slower than drawing a row of pixels.
    static INSTRUCTIONS: LazyLock<Instructions> = LazyLock::new(|| {
        Instructions::new(Level::used_or_found()).expect("a level of this processor")
    });
    with_vectors!(*INSTRUCTIONS, L => L::compiled(work))
}
