//! Loops of other crates, compiled for the processor at hand.

use std::sync::LazyLock;

use crate::cpu::{Instructions, Level};
use crate::math::lanes::Lanes;
use crate::math::width::with_widest_lanes;

/// Runs `work` compiled for the [level](Level::used) that simulations use by default, for loops
/// around a simulation that should be as fast as it is without compiler flags: drawing, statistics.
///
/// Only what is inlined into `work` is compiled so: write it as a closure in the argument, and mark
/// it and the functions it calls with `#[inline(always)]`. Floating-point arithmetic gives the same
/// bits at every level, since Rust neither reorders nor fuses it.
///
/// ```
/// let mut shades = [0_u8, 3, 200, 255];
/// flockwork::accelerated(
///     #[inline(always)]
///     || shades.iter_mut().for_each(|shade| *shade = 255 - *shade),
/// );
/// assert_eq!(shades, [255, 252, 55, 0]);
/// ```
#[inline]
pub fn accelerated<R>(work: impl FnOnce() -> R) -> R {
    // Asking the environment takes longer than a row of pixels.
    static INSTRUCTIONS: LazyLock<Instructions> = LazyLock::new(|| {
        Instructions::of(Level::used_or_found()).expect("a level of this processor")
    });
    with_widest_lanes!(*INSTRUCTIONS, L => L::compiled(work))
}
