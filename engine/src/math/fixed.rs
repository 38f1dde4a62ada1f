//! Headings in fixed point, for exact running sums.
//!
//! A coordinate is an integer multiple of 2⁻²⁴. The x and y coordinates are packed into one
//! 64-bit word. Adding words adds the coordinates, unless a coordinate overflows 32 bits.

use crate::math::axes::Axes;

/// The coordinate 1.0 in fixed point. A sum of up to 100 coordinates fits in an `i32`.
pub(crate) const ONE: f32 = 16_777_216.0;

#[inline(always)]
pub(crate) fn packed([x, y]: [i32; 2]) -> i64 {
    (i64::from(y) << 32) + i64::from(x)
}

#[inline(always)]
pub(crate) fn unpacked(both: i64) -> [i32; 2] {
    let x = both as i32;
    [x, ((both - i64::from(x)) >> 32) as i32]
}

#[inline(always)]
pub(crate) fn from_heading(heading: [f32; 2]) -> i64 {
    packed(heading.map(|coordinate| (coordinate * ONE).round_ties_even() as i32))
}

pub(crate) fn mean(sum: i64, samples: usize) -> [f32; 2] {
    debug_assert!((1..=100).contains(&samples), "a sum of {samples} headings overflows");
    let factor = 1.0 / (ONE * samples as f32);
    unpacked(sum).map(|sum| sum as f32 * factor)
}

pub(crate) fn total(headings: Axes<&[f32]>) -> [i64; 3] {
    let whole = |part: &f32| (part * ONE).round_ties_even() as i64;
    std::array::from_fn(|axis| headings.0[axis].iter().map(whole).sum())
}

/// Length of the mean heading, from 0 to 1.
pub(crate) fn order(total: [i64; 3], headings: usize) -> f64 {
    let [x, y, z] = total.map(|sum| sum as f64 / f64::from(ONE) / headings.max(1) as f64);
    x.hypot(y).hypot(z)
}
