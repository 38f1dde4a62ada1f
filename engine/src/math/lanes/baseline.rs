//! Lanes that every processor of the build target supports: scalars, and the `wide` crate's vectors
//! (SSE2 or NEON).

use std::ops::{Shl, Shr};

use bytemuck::must_cast;
use wide::{f32x4, i32x4, u32x4};

use crate::math::component::Component;
use crate::math::lanes::fused;
use crate::math::lanes::single::{mask, one_lane};
use crate::math::lanes::{BitLanes, Lanes, Mask, Sealed};

impl Sealed for f32x4 {}

impl Component for f32x4 {
    type Z = Self;
    inlined! { fn zero() -> Self { Self::splat(0.0) } }
}

impl Lanes for f32x4 {
    const WIDTH: usize = 4;
    const BLENDS: bool = false;
    const FUSES: bool = fused::HAS_INSTRUCTION;
    type Bits = u32x4;

    inlined! {
        fn splat(value: f32) -> Self { f32x4::splat(value) }
        fn load(values: &[f32]) -> Self {
            let lanes: [f32; 4] = *values.first_chunk().expect("a full batch of lanes");
            lanes.into()
        }
        fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
            std::array::from_fn::<f32, 4, _>(f).into()
        }
        fn store(self, out: &mut [f32]) {
            let lanes = self.to_array();
            match out.first_chunk_mut::<4>() {
                Some(full) => *full = lanes,
                None => out.copy_from_slice(&lanes[..out.len()]),
            }
        }
        fn mul_add(self, a: Self, b: Self) -> Self {
            if fused::HAS_INSTRUCTION {
                return f32x4::mul_add(self, a, b);
            }
            fused::mul_add_4(self, a, b)
        }
        fn sqrt(self) -> Self { f32x4::sqrt(self) }
        fn round_ties_even(self) -> Self {
            // On SSE2, rounding in the `wide` crate loses the sign of zero.
            f32x4::round_ties_even(self) | (self & f32x4::splat(-0.0))
        }
        fn eq(self, other: Self) -> Mask<Self> { Mask(self.simd_eq(other)) }
        fn lt(self, other: Self) -> Mask<Self> { Mask(self.simd_lt(other)) }
        fn le(self, other: Self) -> Mask<Self> { Mask(self.simd_le(other)) }
        fn from_bits(bits: u32x4) -> Self { must_cast(bits) }
        fn to_bits(self) -> u32x4 { must_cast(self) }
        fn trunc_int(self) -> u32x4 { must_cast(f32x4::trunc_int(self)) }
        fn round_int(self) -> u32x4 { must_cast(self.fast_round_int()) }
        fn sign_mask(self) -> u32 { self.to_bitmask() }
        fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
            mask.bitselect(if_set, otherwise)
        }
    }
}

impl BitLanes for u32x4 {
    inlined! {
        fn splat(value: u32) -> Self { u32x4::splat(value) }
        fn wrapping_add(self, other: Self) -> Self { self + other }
        fn wrapping_sub(self, other: Self) -> Self { self - other }
        fn wrapping_mul(self, other: Self) -> Self { self * other }
        fn signed_min(self, other: Self) -> Self {
            must_cast(must_cast::<_, i32x4>(self).min(must_cast(other)))
        }
        fn signed_max(self, other: Self) -> Self {
            must_cast(must_cast::<_, i32x4>(self).max(must_cast(other)))
        }
        fn shl(self, bits: u32) -> Self { Shl::shl(self, bits) }
        fn shr(self, bits: u32) -> Self { Shr::shr(self, bits) }
    }
}

one_lane! {
    f32,
    splat: |value| value,
    mul_add: |x, a, b| fused::mul_add(x, a, b),
    vectors: f32x4,
}
