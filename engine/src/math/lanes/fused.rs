//! Multiply-add with a single rounding, on every machine.
//!
//! Uses the FMA instruction where available. Otherwise, the product is computed in
//! `f64`, where it is exact, and the sum is rounded to odd (Boldo and Melquiond 2008, "Emulation of
//! FMA and correctly rounded sums: proved algorithms using rounding to odd"). Library and
//! compiler fallbacks are not used: some round subnormal results twice, and one reportedly rounds
//! normal results twice (compiler-builtins issue 1262).
//! Rounding to odd sets the last bit of an inexact sum, so that the sum cannot look like a tie when
//! it is rounded again, to `f32`. Rounding to odd needs two extra bits of precision; `f64` has 29.

use wide::f32x4;

#[cfg(target_arch = "x86_64")]
use crate::math::lanes::x86;

pub(crate) const HAS_INSTRUCTION: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

/// `x * a + b` with a single rounding; uses the FMA instruction where available.
#[inline(always)]
#[must_use]
#[expect(clippy::disallowed_methods, reason = "an instruction here, never a library's fallback")]
pub fn mul_add(x: f32, a: f32, b: f32) -> f32 {
    if HAS_INSTRUCTION {
        return x.mul_add(a, b);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(result) = x86::mul_add(x, a, b) {
        return result;
    }
    mul_add_round_to_odd(x, a, b)
}

/// `x * a + b` with a single rounding, without the FMA instruction. Takes about 15 operations.
/// Not inlined, because kernels contain hundreds of multiply-adds.
#[inline(never)]
pub(crate) fn mul_add_round_to_odd(x: f32, a: f32, b: f32) -> f32 {
    let (product, b) = (f64::from(x) * f64::from(a), f64::from(b));
    let sum = product + b;
    // Knuth's 2Sum: the exact rounding error of the sum; NaN if the sum is not finite.
    let back = sum - product;
    let error = (product - (sum - back)) + (b - back);
    let bits = sum.to_bits();
    // Nothing underflows, so an inexact sum is not 0, and `bits` ± 1 is the next number up or down.
    let odd = match bits & 1 == 0 {
        true if error > 0.0 => step(sum, bits, true),
        true if error < 0.0 => step(sum, bits, false),
        _ => bits,
    };
    f64::from_bits(odd) as f32
}

#[inline(always)]
fn step(number: f64, bits: u64, up: bool) -> u64 {
    if (number > 0.0) == up { bits + 1 } else { bits - 1 }
}

/// Four multiply-adds without FMA instructions: products and sums in `f64`, two per vector.
/// Rounding such a sum to `f32` is wrong only if the sum looks like a tie between two `f32`, or if
/// the result is subnormal. In these rare cases, [`mul_add_round_to_odd`] computes every lane.
/// Not inlined, because kernels contain hundreds of multiply-adds.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(crate) fn mul_add_4(x: f32x4, a: f32x4, b: f32x4) -> f32x4 {
    use safe_arch::{
        add_m128d, cast_to_m128_from_m128d, convert_to_m128_from_m128d,
        convert_to_m128d_from_lower2_m128, m128, move_high_low_m128, move_low_high_m128, mul_m128d,
        shuffle_abi_f32_all_m128,
    };
    use wide::i32x4;

    let [vx, va, vb] = [x, a, b].map(bytemuck::must_cast::<_, m128>);
    let low = |v| convert_to_m128d_from_lower2_m128(v);
    let high = |v| convert_to_m128d_from_lower2_m128(move_high_low_m128(v, v));
    let sum_low = add_m128d(mul_m128d(low(vx), low(va)), low(vb));
    let sum_high = add_m128d(mul_m128d(high(vx), high(va)), high(vb));

    let (first, last) = (cast_to_m128_from_m128d(sum_low), cast_to_m128_from_m128d(sum_high));
    let lower: i32x4 = bytemuck::must_cast(shuffle_abi_f32_all_m128::<0b10_00_10_00>(first, last));
    let upper: i32x4 = bytemuck::must_cast(shuffle_abi_f32_all_m128::<0b11_01_11_01>(first, last));
    // In a tie, only the highest of the 29 fraction bits that `f32` lacks is set.
    let tie = (lower & i32x4::splat(0x1FFF_FFFF)).simd_eq(i32x4::splat(0x1000_0000));
    let size = upper & i32x4::splat(i32::MAX);
    const SMALLEST_NORMAL: i32 = (1023 - 126) << 20;
    let subnormal = size.simd_lt(i32x4::splat(SMALLEST_NORMAL)) & size.simd_gt(i32x4::splat(0));
    if (tie | subnormal).any() {
        return each_by_rounding_to_odd(x, a, b);
    }
    let rounded = move_low_high_m128(
        convert_to_m128_from_m128d(sum_low),
        convert_to_m128_from_m128d(sum_high),
    );
    bytemuck::must_cast(rounded)
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn mul_add_4(x: f32x4, a: f32x4, b: f32x4) -> f32x4 {
    each_by_rounding_to_odd(x, a, b)
}

#[cold]
fn each_by_rounding_to_odd(x: f32x4, a: f32x4, b: f32x4) -> f32x4 {
    let [x, a, b] = [x, a, b].map(f32x4::to_array);
    let lane = |k: usize| mul_add_round_to_odd(x[k], a[k], b[k]);
    f32x4::from([lane(0), lane(1), lane(2), lane(3)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact(x: f32, a: f32, b: f32) -> f32 {
        let parts = |value: f32| {
            let bits = value.to_bits();
            let (exponent, fraction) = ((bits >> 23 & 0xFF) as i32, i128::from(bits & 0x7F_FFFF));
            let size = if exponent == 0 { fraction } else { fraction | 1 << 23 };
            (if value.is_sign_negative() { -size } else { size }, exponent.max(1) - 150)
        };
        let ((x, ex), (a, ea), (b, eb)) = (parts(x), parts(a), parts(b));
        // If one term is far smaller than the other, it only breaks ties,
        // so the exponent difference may be clamped to 70.
        let (product, ep) = (x * a, ex + ea);
        let (sum, exponent) = match ep - eb {
            above @ 0..=70 => ((product << above) + b, eb),
            71.. if product != 0 => ((product << 70) + b.signum(), ep - 70),
            71.. => (b, eb),
            below @ -70..=-1 => (product + (b << -below), ep),
            _ if b != 0 => ((b << 70) + product.signum(), eb - 70),
            _ => (product, ep),
        };
        // Rounds to 24 bits, or to multiples of 2^-149 for subnormal results.
        let bits = 128 - sum.unsigned_abs().leading_zeros() as i32;
        let drop = (bits - 24).max(-149 - exponent);
        let size = sum.unsigned_abs();
        let rounded = match drop {
            ..=0 => return with_sign(size as f64 * power(exponent), sum),
            1..=127 => {
                let (kept, rest) = (size >> drop, size & ((1 << drop) - 1));
                let half = 1_u128 << (drop - 1);
                kept + u128::from(rest > half || rest == half && kept & 1 == 1)
            }
            _ => 0,
        };
        with_sign(rounded as f64 * power(exponent + drop), sum)
    }

    /// `size` is already rounded to the precision of `f32`, so it converts exactly or to infinity.
    fn with_sign(size: f64, sum: i128) -> f32 {
        (if sum < 0 { -size } else { size }) as f32
    }

    fn power(exponent: i32) -> f64 {
        2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2)
    }

    fn agrees(x: f32, a: f32, b: f32) -> Result<(), TestCaseError> {
        let expected = exact(x, a, b);
        let four = mul_add_4(f32x4::splat(x), f32x4::splat(a), f32x4::splat(b)).to_array();
        let results = [mul_add(x, a, b), mul_add_round_to_odd(x, a, b), four[0], four[3]];
        for result in results {
            // The sign of zero is ignored: `exact` uses integers, which have no negative zero.
            let same = result.to_bits() == expected.to_bits() || result == 0.0 && expected == 0.0;
            prop_assert!(same, "{x:e} * {a:e} + {b:e} = {result:e}, exactly {expected:e}");
        }
        prop_assert_eq!(results.map(f32::to_bits), [results[0].to_bits(); 4]);
        Ok(())
    }

    fn finite() -> impl Strategy<Value = f32> {
        any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |value| value.is_finite())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(50_000) })]

        #[test]
        fn any_numbers_round_once(x in finite(), a in finite(), b in finite()) {
            agrees(x, a, b)?;
        }

        /// Adding terms of similar magnitude exposes double rounding.
        #[test]
        fn nearly_cancelling_and_subnormal_sums_round_once(
            x in finite(), scale in -30_i32..30, a in finite(), tiny in any::<bool>()
        ) {
            let (x, a) = if tiny {
                (x.abs().min(1.0e-18) + 1.0e-24, a.abs().min(1.0e-18) + 1.0e-24)
            } else {
                (x, a)
            };
            let b = (f64::from(x) * f64::from(a) * 2.0_f64.powi(scale)) as f32;
            let b = b.clamp(f32::MIN, f32::MAX);
            agrees(x, a, b)?;
            agrees(x, a, -b)?;
        }

        #[test]
        fn ties_round_to_even(x in 0_u32..1 << 13, a in 0_u32..1 << 13, b in 0_u32..1 << 24, e in -30_i32..30) {
            agrees(x as f32, a as f32, b as f32 * 2.0_f32.powi(e))?;
            agrees(-(x as f32), a as f32 * 2.0_f32.powi(-e), b as f32)?;
        }
    }

    #[test]
    fn infinities_nan_and_signed_zeros_are_as_ieee_754_says() {
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        for (x, a, b, expected) in [
            (inf, 1.0, 1.0, inf),
            (inf, -1.0, 1.0, -inf),
            (1.0, 1.0, -inf, -inf),
            (f32::MAX, 2.0, 0.0, inf),
            (f32::MAX, 2.0, -f32::MAX, f32::MAX),
            (-0.0, 1.0, -0.0, -0.0),
            (-0.0, 1.0, 0.0, 0.0),
            (1.0, 1.0, -1.0, 0.0),
            (inf, 0.0, 1.0, nan),
            (inf, 1.0, -inf, nan),
            (nan, 1.0, 1.0, nan),
        ] {
            let four = mul_add_4(f32x4::splat(x), f32x4::splat(a), f32x4::splat(b)).to_array();
            for result in [mul_add(x, a, b), mul_add_round_to_odd(x, a, b), four[0]] {
                let same = result.to_bits() == expected.to_bits();
                assert!(same || result.is_nan() && expected.is_nan(), "{x} * {a} + {b} = {result}");
            }
        }
    }

    /// Compares the fallbacks with the instruction on random inputs: arbitrary bits, sums that
    /// nearly cancel, and very small numbers, where a third of the results are subnormal.
    #[cfg(target_arch = "x86_64")]
    fn agrees_with_the_instruction(cases: u64) {
        use rand_core::{Rng, SeedableRng};
        use rand_xoshiro::Xoshiro256PlusPlus;

        use crate::cpu::Level;
        use crate::math::lanes::Lanes;
        use crate::math::lanes::x86::Avx2x8;

        if !Level::Avx2.is_available() {
            eprintln!("skipped: this processor has no fused multiply-add");
            return;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(15);
        let mut subnormal = 0_u64;
        for round in 0..cases / 4 {
            let cases: [[f32; 3]; 4] = std::array::from_fn(|_| {
                let [first, second] = [random.next_u64(), random.next_u64()];
                let (x, a) = (first as u32, (first >> 32) as u32);
                let b = second as u32;
                let small = |bits: u32| bits & 0x807F_FFFF | (48 + (bits >> 23 & 15)) << 23;
                match round % 4 {
                    0 => [x, a, b].map(f32::from_bits),
                    1 => {
                        let [x, a] = [x, a].map(f32::from_bits);
                        let ulps = (second >> 32) as u32 % 5;
                        [x, a, f32::from_bits((-(x * a)).to_bits().wrapping_add(ulps))]
                    }
                    2 => [small(x), small(a), b & 0x80FF_FFFF].map(f32::from_bits),
                    _ => [small(x), small(a), b & 0x8000_0007].map(f32::from_bits),
                }
            });
            let [x, a, b] = [0, 1, 2].map(|which| cases.map(|case| case[which]));
            let [vx, va, vb] = [&x, &a, &b].map(|values| Avx2x8::load_first(values));
            let expected = vx.mul_add(va, vb).to_array();
            let four = mul_add_4(x.into(), a.into(), b.into()).to_array();
            for k in 0..4 {
                subnormal += u64::from(expected[k].is_subnormal());
                for result in [four[k], mul_add_round_to_odd(x[k], a[k], b[k])] {
                    let same = result.to_bits() == expected[k].to_bits();
                    assert!(
                        same || result.is_nan() && expected[k].is_nan(),
                        "{:e} * {:e} + {:e} = {result:e}, not {:e}",
                        x[k],
                        a[k],
                        b[k],
                        expected[k]
                    );
                }
            }
        }
        println!("{cases} cases, {subnormal} of them subnormal");
        assert!(subnormal > cases / 10, "only {subnormal} of {cases} results were subnormal");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn random_cases_agree_with_the_instruction() {
        agrees_with_the_instruction(400_000);
    }

    /// Takes half a minute in a release build. Run it with
    /// `cargo test --release -p flockwork --lib four_hundred_million -- --ignored --nocapture`.
    #[cfg(target_arch = "x86_64")]
    #[test]
    #[ignore = "takes half a minute, in release"]
    fn four_hundred_million_random_cases_agree_with_the_instruction() {
        agrees_with_the_instruction(400_000_000);
    }
}
