//! Lanes for AVX2 and AVX-512, chosen at run time, so that kernels can use instructions that the
//! build target lacks.
//!
//! # Safety
//! The engine's only unsafe code is here: calls to intrinsics that the processor may not support.
//! Only the macros of [`dispatch`](super::dispatch) choose among these types. The macros need
//! [`Instructions`](crate::cpu::Instructions), which exist only for a level that this processor
//! supports. So wherever code generic over [`Lanes`] runs with these types, the processor has
//! their instructions, whether or not the code is inlined into [`Lanes::compiled`]. Callers have no
//! other obligations: all operations are on values in registers, and memory is read and written as
//! arrays. ([`mul_add`], and the tests that use these types directly, first check the processor.)

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use bytemuck::must_cast;

use crate::cpu::Level;
use crate::math::component::Component;
use crate::math::lanes::single::{mask, one_lane};
use crate::math::lanes::{BitLanes, Lanes, Mask, Sealed};

macro_rules! call {
    ($call:expr) => {
        // SAFETY: values of these types exist only on processors that have their instructions.
        unsafe { $call }
    };
}

macro_rules! instructions {
    ($($name:ident: $instruction:ident,)+) => {
        inlined! {
            $(fn $name(self, other: Self) -> Self { Self(call!($instruction(self.0, other.0))) })+
        }
    };
}

macro_rules! operators {
    ($type:ident: $($operator:ident($name:ident: $instruction:ident),)+) => {
        $(impl $operator for $type {
            type Output = Self;
            instructions! { $name: $instruction, }
        })+
    };
}

macro_rules! operator {
    ($operator:ident for $type:ty: fn $name:ident $arguments:tt $body:block) => {
        impl $operator for $type {
            type Output = Self;
            inlined! { fn $name $arguments -> Self $body }
        }
    };
}

macro_rules! lanes {
    (
        $(#[$doc:meta])*
        $float:ident($float_register:ident), $bits:ident($bits_register:ident), $width:literal,
        features: $features:literal,
        blends: $blends:literal,
        set: $set:ident, $set_bits:ident,
        arithmetic: $add:ident, $sub:ident, $mul:ident, $div:ident, $fmadd:ident, $sqrt:ident,
        convert: $trunc_int:ident, $round_int:ident,
        integers: $add_int:ident, $sub_int:ident, $mul_int:ident, $min_int:ident, $max_int:ident,
        $and:ident, $or:ident, $xor:ident, $shl:ident, $shr:ident,
        round: $round:expr,
        $(reciprocal: $reciprocal:ident,)?
        $(transposed: $transposed:ident,)?
        compare: |$a:ident, $b:ident| $compare:expr,
        sign_mask: |$signs:ident| $sign_mask:expr,
        select: |$mask:ident, $if_set:ident, $otherwise:ident| $select:expr,
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $float($float_register);

        #[derive(Clone, Copy)]
        pub(crate) struct $bits($bits_register);

        impl $float {
            #[inline(always)]
            fn compare<const PREDICATE: i32>(self, other: Self) -> Mask<Self> {
                let ($a, $b) = (self.0, other.0);
                Mask(Self(call!($compare)))
            }
        }

        impl Sealed for $float {}

        impl Component for $float {
            type Z = Self;
            inlined! { fn zero() -> Self { Self::splat(0.0) } }
        }

        impl Lanes for $float {
            const WIDTH: usize = $width;
            const BLENDS: bool = $blends;
            const FUSES: bool = true;
            type Bits = $bits;

            #[inline(always)]
            fn compiled<R>(f: impl FnOnce() -> R) -> R {
                #[target_feature(enable = $features)]
                fn compiled<R>(f: impl FnOnce() -> R) -> R {
                    f()
                }
                call!(compiled(f))
            }
            inlined! {
                fn splat(value: f32) -> Self { Self(call!($set(value))) }
                fn load(values: &[f32]) -> Self {
                    let lanes: [f32; $width] = *values.first_chunk().expect("a full batch of lanes");
                    Self(must_cast(lanes))
                }
                fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
                    Self(must_cast(std::array::from_fn::<f32, $width, _>(f)))
                }
                fn store(self, out: &mut [f32]) {
                    let lanes: [f32; $width] = must_cast(self.0);
                    match out.first_chunk_mut::<$width>() {
                        Some(full) => *full = lanes,
                        None => out.copy_from_slice(&lanes[..out.len()]),
                    }
                }
                fn mul_add(self, a: Self, b: Self) -> Self { Self(call!($fmadd(self.0, a.0, b.0))) }
                fn sqrt(self) -> Self { Self(call!($sqrt(self.0))) }
                $(fn reciprocal(self) -> Self { Self(call!($reciprocal(self.0))) })?
                $(fn from_rows(f: impl FnMut(usize) -> [f32; 4]) -> [Self; 4] {
                    let [a, b, c, d] = call!($transposed(std::array::from_fn(f)));
                    [Self(a), Self(b), Self(c), Self(d)]
                })?
                fn round_ties_even(self) -> Self { Self(call!($round(self.0))) }
                fn eq(self, other: Self) -> Mask<Self> { self.compare::<_CMP_EQ_OQ>(other) }
                fn lt(self, other: Self) -> Mask<Self> { self.compare::<_CMP_LT_OQ>(other) }
                fn le(self, other: Self) -> Mask<Self> { self.compare::<_CMP_LE_OQ>(other) }
                fn from_bits(bits: Self::Bits) -> Self { Self(must_cast(bits.0)) }
                fn to_bits(self) -> Self::Bits { $bits(must_cast(self.0)) }
                fn trunc_int(self) -> Self::Bits {
                    // The instruction gives `i32::MIN` for any out-of-range number. If the number
                    // is too large, inverting the bits gives the required `i32::MAX`.
                    let ordered = self.le(self).keep(self);
                    let too_large = self.ge(Self::splat(2_147_483_648.0)).0;
                    $bits(call!($trunc_int(ordered.0))) ^ too_large.to_bits()
                }
                fn round_int(self) -> Self::Bits { $bits(call!($round_int(self.0))) }
                fn sign_mask(self) -> u32 {
                    let $signs = self.0;
                    u32::from(call!($sign_mask))
                }
                fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
                    let ($mask, $if_set, $otherwise) = (mask.0, if_set.0, otherwise.0);
                    Self(call!($select))
                }
            }
        }

        operators! { $float: Add(add: $add), Sub(sub: $sub), Mul(mul: $mul), Div(div: $div), }
        operators! { $bits: BitAnd(bitand: $and), BitOr(bitor: $or), BitXor(bitxor: $xor), }
        operator! {
            Neg for $float: fn neg(self) { Self::from_bits(self.to_bits() ^ $bits::splat(1 << 31)) }
        }

        impl BitLanes for $bits {
            inlined! {
                fn splat(value: u32) -> Self { Self(call!($set_bits(value as i32))) }
                fn shl(self, bits: u32) -> Self {
                    Self(call!($shl(self.0, _mm_cvtsi32_si128(bits as i32))))
                }
                fn shr(self, bits: u32) -> Self {
                    Self(call!($shr(self.0, _mm_cvtsi32_si128(bits as i32))))
                }
            }
            instructions! {
                wrapping_add: $add_int,
                wrapping_sub: $sub_int,
                wrapping_mul: $mul_int,
                signed_min: $min_int,
                signed_max: $max_int,
            }
        }
    };
}

/// True if this processor supports AVX2. Cached in an atomic, because a lock would be too slow.
#[inline(always)]
fn has_avx2() -> bool {
    const YES: u8 = 1;
    const NO: u8 = 2;
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    #[cold]
    fn ask() -> bool {
        let has = Level::Avx2.is_available();
        KNOWN.store(if has { YES } else { NO }, Relaxed);
        has
    }
    match KNOWN.load(Relaxed) {
        YES => true,
        NO => false,
        _ => ask(),
    }
}

#[inline(always)]
pub(crate) fn mul_add(x: f32, a: f32, b: f32) -> Option<f32> {
    // SAFETY: `has_avx2` has just checked the processor.
    if has_avx2() { Some(unsafe { fmadd(x, a, b) }) } else { None }
}

#[inline]
#[target_feature(enable = "fma")]
#[expect(clippy::disallowed_methods, reason = "the instruction, not a library's fallback")]
fn fmadd(x: f32, a: f32, b: f32) -> f32 {
    x.mul_add(a, b)
}

#[derive(Clone, Copy)]
pub(crate) struct Avx2x1(f32);

impl From<Avx2x1> for f32 {
    #[inline(always)]
    fn from(vector: Avx2x1) -> Self {
        vector.0
    }
}

operator! { Add for Avx2x1: fn add(self, other: Self) { Self(self.0 + other.0) } }
operator! { Sub for Avx2x1: fn sub(self, other: Self) { Self(self.0 - other.0) } }
operator! { Mul for Avx2x1: fn mul(self, other: Self) { Self(self.0 * other.0) } }
operator! { Div for Avx2x1: fn div(self, other: Self) { Self(self.0 / other.0) } }
operator! { Neg for Avx2x1: fn neg(self) { Self(-self.0) } }

one_lane! {
    Avx2x1,
    splat: |value| Self(value),
    mul_add: |x, a, b| call!(fmadd(x, a, b)),
    vectors: Avx2x8,
}

/// Turns rows of four numbers, one row per lane, into four vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(rows: [[f32; 4]; 8]) -> [__m256; 4] {
    let pair = |k: usize| -> __m256 { must_cast([rows[k], rows[k + 4]]) };
    let [a, b, c, d] = [pair(0), pair(1), pair(2), pair(3)];
    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    const LOW: i32 = 0b01_00_01_00;
    const HIGH: i32 = 0b11_10_11_10;
    [
        _mm256_shuffle_ps::<LOW>(ab, cd),
        _mm256_shuffle_ps::<HIGH>(ab, cd),
        _mm256_shuffle_ps::<LOW>(ab_high, cd_high),
        _mm256_shuffle_ps::<HIGH>(ab_high, cd_high),
    ]
}

const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

lanes! {
    Avx2x8(__m256), Avx2Bits8(__m256i), 8,
    features: "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c,movbe",
    blends: false,
    set: _mm256_set1_ps, _mm256_set1_epi32,
    arithmetic: _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps, _mm256_fmadd_ps,
    _mm256_sqrt_ps,
    convert: _mm256_cvttps_epi32, _mm256_cvtps_epi32,
    integers: _mm256_add_epi32, _mm256_sub_epi32, _mm256_mullo_epi32, _mm256_min_epi32,
    _mm256_max_epi32, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_sll_epi32,
    _mm256_srl_epi32,
    round: _mm256_round_ps::<NEAREST>,
    transposed: transposed,
    compare: |a, b| _mm256_cmp_ps::<PREDICATE>(a, b),
    sign_mask: |signs| _mm256_movemask_ps(signs) as u8,
    select: |mask, if_set, otherwise|
        _mm256_or_ps(_mm256_and_ps(mask, if_set), _mm256_andnot_ps(mask, otherwise)),
}

/// 1 / x, correctly rounded, from an estimate within 2⁻¹⁴ and two Newton steps.
/// The first step is rounded up and gives the number just above or just below 1 / x. From either
/// number, the second step finds the number nearest to 1 / x (Markstein 1990, theorem 2).
/// The result is therefore the same on all processors, even though their estimates differ.
#[inline]
#[target_feature(enable = "avx512f")]
fn reciprocal(x: __m512) -> __m512 {
    const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
    let one = _mm512_set1_ps(1.0);
    let estimate = _mm512_rcp14_ps(x);
    let error = _mm512_fnmadd_ps(x, estimate, one);
    let close = _mm512_fmadd_round_ps::<UP>(estimate, error, estimate);
    let error = _mm512_fnmadd_ps(x, close, one);
    _mm512_fmadd_ps(close, error, close)
}

lanes! {
    Avx512x16(__m512), Avx512Bits16(__m512i), 16,
    features: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c,movbe",
    blends: true,
    set: _mm512_set1_ps, _mm512_set1_epi32,
    arithmetic: _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps, _mm512_fmadd_ps,
    _mm512_sqrt_ps,
    convert: _mm512_cvttps_epi32, _mm512_cvtps_epi32,
    integers: _mm512_add_epi32, _mm512_sub_epi32, _mm512_mullo_epi32, _mm512_min_epi32,
    _mm512_max_epi32, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512, _mm512_sll_epi32,
    _mm512_srl_epi32,
    round: _mm512_roundscale_ps::<NEAREST>,
    reciprocal: reciprocal,
    compare: |a, b| {
        _mm512_castsi512_ps(_mm512_movm_epi32(_mm512_cmp_ps_mask::<PREDICATE>(a, b)))
    },
    sign_mask: |signs| _mm512_movepi32_mask(_mm512_castps_si512(signs)),
    // The compiler folds a blend, but no other form of select, into the preceding operation.
    select: |mask, if_set, otherwise|
        _mm512_mask_blend_ps(_mm512_movepi32_mask(_mm512_castps_si512(mask)), otherwise, if_set),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All `f32` in [1, 2). They represent all others, because scaling by a power of 2 is exact.
    fn mantissas() -> impl Iterator<Item = f32> {
        (1.0_f32.to_bits()..2.0_f32.to_bits()).map(f32::from_bits)
    }

    #[test]
    fn reciprocals_are_rounded_correctly() {
        if !Level::Avx512.is_available() {
            return eprintln!("skipped: this processor lacks AVX-512");
        }
        for x in mantissas().step_by(Avx512x16::WIDTH) {
            let x = Avx512x16::from_fn(|lane| f32::from_bits(x.to_bits() + lane as u32));
            for scale in [1.0, 3.0e-9, 2.0e17] {
                let x = x * Avx512x16::splat(scale);
                let [by_steps, divided] = [x.reciprocal(), Avx512x16::splat(1.0) / x].map(bits);
                assert_eq!(by_steps, divided, "of {:?}", bits(x).map(f32::from_bits));
            }
        }
    }

    fn bits(lanes: Avx512x16) -> [u32; Avx512x16::WIDTH] {
        must_cast(lanes.0)
    }

    /// For any estimate within 2⁻¹⁴, the first Newton step, before its final rounding, has a
    /// relative error from -2⁻²⁸ to 2⁻³⁸. Only the rounding of `error` can make it positive.
    #[test]
    fn reciprocals_are_rounded_correctly_from_any_estimate() {
        for x in mantissas() {
            let exact = 1.0 / f64::from(x);
            for first_step in [exact * (1.0 - 1.01 / f64::from(1 << 28)), exact * (1.0 + 4.0e-12)] {
                let nearest = first_step as f32;
                let is_below = f64::from(nearest) < first_step;
                let close = if is_below { nearest.next_up() } else { nearest };
                let error = Lanes::mul_add(-x, close, 1.0);
                assert_eq!(Lanes::mul_add(close, error, close), 1.0 / x, "of {x}");
            }
        }
    }
}
