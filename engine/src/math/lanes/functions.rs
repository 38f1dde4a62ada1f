//! Exponential, logarithm, sine and cosine of lanes, for kernels in other crates.
//!
//! They are built from [`Lanes`] operations that round as IEEE 754 specifies. So all lane types
//! give the same bits, unlike the math libraries of different platforms. Polynomials and constants
//! are those of Cephes (Moshier 1989, `expf.c`, `logf.c`, `sinf.c`). All steps are fused, which
//! also makes the reduction of angles exact. [`tests`] measures the errors, which are below 2 ULP
//! (sine and cosine: for angles up to ±1e4).

use crate::math::lanes::{BitLanes, Lanes, Mask};

/// ln 2 in two parts: the first has so few bits that its product with an exponent is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// π/2 in three parts of 24 bits each.
const QUARTER_TURN: [f32; 3] = [1.570_796_4, -4.371_139e-8, -1.715_124_8e-15];
/// Maximum remainder of an angle, in radians: π/4, plus a margin for inexact numbers of quarter
/// turns.
const MAX_REST: f32 = 1.0;

const EXP: [f32; 6] =
    [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5];
const LN: [f32; 9] = [
    7.037_683_6e-2,
    -1.151_461e-1,
    1.167_699_9e-1,
    -1.242_014_1e-1,
    1.424_932_3e-1,
    -1.666_805_8e-1,
    2.000_071_5e-1,
    -2.499_999_4e-1,
    3.333_333e-1,
];
const SIN: [f32; 3] = [-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1];
const COS: [f32; 3] = [2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2];

const FRACTION_BITS: u32 = 23;
const ONE: u32 = 1.0_f32.to_bits();
const TWO_TO_23: f32 = 8_388_608.0;

#[inline(always)]
fn polynomial<L: Lanes>(x: L, coefficients: &[f32]) -> L {
    let mut sum = L::splat(coefficients[0]);
    for &coefficient in &coefficients[1..] {
        sum = sum.mul_add(x, L::splat(coefficient));
    }
    sum
}

/// 2 to the power of a whole number from -126 to 127.
#[inline(always)]
fn power_of_2<L: Lanes>(exponent: L) -> L {
    let biased = exponent.trunc_int().wrapping_add(L::Bits::splat(127));
    L::from_bits(biased.shl(FRACTION_BITS))
}

#[inline(always)]
fn is_nan<L: Lanes>(x: L) -> Mask<L> {
    !x.le(x)
}

#[inline(always)]
pub(super) fn exp<L: Lanes>(x: L) -> L {
    // Beyond these bounds, the result is 0 or infinite.
    let inside = x.clamp(-104.0, 89.0);
    let exponent = (inside * L::splat(std::f32::consts::LOG2_E)).round_ties_even();
    let rest = exponent.mul_add(L::splat(-LN_2[0]), inside);
    let rest = exponent.mul_add(L::splat(-LN_2[1]), rest);
    let power = polynomial(rest, &EXP).mul_add(rest * rest, rest) + L::splat(1.0);
    // Scales in two steps, because the power of 2 alone can underflow or overflow.
    let half = (exponent * L::splat(0.5)).round_ties_even();
    let scaled = power * power_of_2(half) * power_of_2(exponent - half);
    is_nan(x).select(x, scaled)
}

#[inline(always)]
pub(super) fn ln<L: Lanes>(x: L) -> L {
    let is_subnormal = x.lt(L::splat(f32::MIN_POSITIVE));
    let normal = is_subnormal.select(x * L::splat(TWO_TO_23), x);
    // Splits x into a power of 2 and a factor from √½ to √2.
    const LEAST: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    let bits = normal.to_bits().wrapping_add(L::Bits::splat(ONE - LEAST));
    let fraction = bits & L::Bits::splat((1 << FRACTION_BITS) - 1);
    let factor = L::from_bits(fraction.wrapping_add(L::Bits::splat(LEAST)));
    let biased = bits.shr(FRACTION_BITS) | L::Bits::splat(TWO_TO_23.to_bits());
    let bias = is_subnormal.select(L::splat(TWO_TO_23 + 150.0), L::splat(TWO_TO_23 + 127.0));
    let exponent = L::from_bits(biased) - bias;

    let rest = factor - L::splat(1.0);
    let square = rest * rest;
    let small = polynomial(rest, &LN) * rest * square;
    let small = exponent.mul_add(L::splat(LN_2[1]), small);
    let small = square.mul_add(L::splat(-0.5), small);
    let logarithm = exponent.mul_add(L::splat(LN_2[0]), rest + small);

    let is_finite = x.lt(L::splat(f32::INFINITY));
    let logarithm = is_finite.select(logarithm, x);
    let of_zero_or_less = x.eq(L::zero()).select(L::splat(f32::NEG_INFINITY), L::splat(f32::NAN));
    x.le(L::zero()).select(of_zero_or_less, logarithm)
}

#[inline(always)]
pub(super) fn sin<L: Lanes>(angle: L) -> L {
    // The sine of -0 is -0.
    let sign = angle.to_bits() & L::Bits::splat(1 << 31);
    L::from_bits(sine(angle, 0).to_bits() ^ sign)
}

#[inline(always)]
pub(super) fn cos<L: Lanes>(angle: L) -> L {
    sine(angle, 1)
}

/// The sine of |`angle`| plus `quarter_turns` quarter turns.
#[inline(always)]
fn sine<L: Lanes>(angle: L, quarter_turns: u32) -> L {
    let size = angle.abs();
    let turns = (size * L::splat(std::f32::consts::FRAC_2_PI)).round_ties_even();
    let rest = turns.mul_add(L::splat(-QUARTER_TURN[0]), size);
    let rest = turns.mul_add(L::splat(-QUARTER_TURN[1]), rest);
    let rest = turns.mul_add(L::splat(-QUARTER_TURN[2]), rest);
    // The remainder of a huge angle is arbitrary, but its sine must not exceed 1.
    let rest = rest.clamp(-MAX_REST, MAX_REST);
    let square = rest * rest;
    let sin = polynomial(square, &SIN).mul_add(square * rest, rest);
    let cos = square.mul_add(L::splat(-0.5), L::splat(1.0));
    let cos = polynomial(square, &COS).mul_add(square * square, cos);

    let quadrant = turns.trunc_int().wrapping_add(L::Bits::splat(quarter_turns));
    let is_odd = L::Bits::splat(0).wrapping_sub(quadrant & L::Bits::splat(1));
    let sine = Mask(L::from_bits(is_odd)).select(cos, sin);
    let sign = (quadrant & L::Bits::splat(2)).shl(30);
    let sine = L::from_bits(sine.to_bits() ^ sign);
    size.lt(L::splat(f32::INFINITY)).select(sine, L::splat(f32::NAN))
}

#[cfg(test)]
mod tests;
