//! Vectors that every processor of the target has: those of the `wide` crate (SSE2, NEON, and wider
//! ones composed of them), and single numbers.

use std::ops::{Shl, Shr};

use wide::{f32x4, f32x8, f32x16, i32x4, i32x8, i32x16, u32x4, u32x8, u32x16};

use crate::math::fused;
use crate::math::lanes::{BitLanes, Lanes, Mask, Sealed};
use crate::math::scalar::{mask, one_lane};

macro_rules! lanes {
    ($float:ident, $bits:ident, $int:ident, $width:literal, $from_int:path) => {
        impl Sealed for $float {}

        impl Lanes for $float {
            const WIDTH: usize = $width;
            const BLENDS: bool = false;
            type Bits = $bits;

            inlined! {
                fn splat(value: f32) -> Self { $float::splat(value) }
                fn load(values: &[f32]) -> Self {
                    let lanes: [f32; $width] = *values.first_chunk().expect("a full batch of lanes");
                    $float::from(lanes)
                }
                fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
                    $float::from(std::array::from_fn::<f32, $width, _>(f))
                }
                fn store(self, out: &mut [f32]) {
                    let lanes = self.to_array();
                    match out.first_chunk_mut::<$width>() {
                        Some(full) => *full = lanes,
                        None => out.copy_from_slice(&lanes[..out.len()]),
                    }
                }
                fn mul_add(self, a: Self, b: Self) -> Self {
                    if fused::HAS_INSTRUCTION {
                        return $float::mul_add(self, a, b);
                    }
                    by_fours(self, a, b)
                }
                fn sqrt(self) -> Self { $float::sqrt(self) }
                fn abs(self) -> Self { $float::abs(self) }
                fn round_ties_even(self) -> Self {
                    // With SSE2, `wide` loses the sign of zero.
                    $float::round_ties_even(self) | (self & Self::splat(-0.0))
                }
                fn lt(self, other: Self) -> Mask<Self> { Mask(self.simd_lt(other)) }
                fn le(self, other: Self) -> Mask<Self> { Mask(self.simd_le(other)) }
                fn gt(self, other: Self) -> Mask<Self> { Mask(self.simd_gt(other)) }
                fn ge(self, other: Self) -> Mask<Self> { Mask(self.simd_ge(other)) }
                fn from_bits(bits: Self::Bits) -> Self { bytemuck::must_cast(bits) }
                fn from_int(bits: Self::Bits) -> Self { $from_int(bytemuck::must_cast(bits)) }
                fn trunc_int(self) -> Self::Bits { bytemuck::must_cast($float::trunc_int(self)) }
                fn round_int(self) -> Self::Bits {
                    bytemuck::must_cast($float::fast_round_int(self))
                }
                fn sign_mask(self) -> u32 { self.to_bitmask() as u32 }
                fn bit_and(self, other: Self) -> Self { self & other }
                fn bit_or(self, other: Self) -> Self { self | other }
                fn bit_not(self) -> Self { !self }
                fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
                    mask.bitselect(if_set, otherwise)
                }
            }
        }

        impl BitLanes for $bits {
            const WIDTH: usize = $width;

            inlined! {
                fn splat(value: u32) -> Self { $bits::splat(value) }
                fn load(values: &[u32]) -> Self {
                    let lanes: [u32; $width] = *values.first_chunk().expect("a full batch of lanes");
                    $bits::from(lanes)
                }
                fn store(self, out: &mut [u32]) {
                    out.copy_from_slice(&self.to_array()[..out.len()]);
                }
                fn wrapping_add(self, other: Self) -> Self { self + other }
                fn wrapping_sub(self, other: Self) -> Self { self - other }
                fn wrapping_mul(self, other: Self) -> Self { self * other }
                fn bit_and(self, other: Self) -> Self { self & other }
                fn signed_min(self, other: Self) -> Self {
                    let [a, b] = [self, other].map(bytemuck::must_cast::<_, $int>);
                    bytemuck::must_cast(a.min(b))
                }
                fn signed_max(self, other: Self) -> Self {
                    let [a, b] = [self, other].map(bytemuck::must_cast::<_, $int>);
                    bytemuck::must_cast(a.max(b))
                }
                fn shl(self, bits: u32) -> Self { Shl::shl(self, bits) }
                fn shr(self, bits: u32) -> Self { Shr::shr(self, bits) }
            }
        }
    };
}

/// A multiply-add without the instruction. Not inlined, since kernels have hundreds of them.
#[inline(never)]
fn by_fours<V: bytemuck::Pod>(mut x: V, a: V, b: V) -> V {
    let fours: &mut [f32x4] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut x));
    let [a, b]: [&[f32x4]; 2] = [&a, &b].map(|v| bytemuck::cast_slice(std::slice::from_ref(v)));
    for ((x, &a), &b) in fours.iter_mut().zip(a).zip(b) {
        *x = fused::mul_add_4(*x, a, b);
    }
    x
}

lanes!(f32x4, u32x4, i32x4, 4, f32x4::from_i32x4);
lanes!(f32x8, u32x8, i32x8, 8, f32x8::from_i32x8);
lanes!(f32x16, u32x16, i32x16, 16, f32x16::from_i32x16);

one_lane! {
    f32,
    splat: |value| value,
    mul_add: |x, a, b| fused::mul_add(x, a, b),
    compiled: |f| f(),
}
