//! The vectors of the `wide` crate as lanes.

use std::ops::{Shl, Shr};

use wide::{f32x4, f32x8, f32x16, u32x4, u32x8, u32x16};

use crate::math::lanes::{BitLanes, Lanes, Mask};

macro_rules! lanes {
    ($float:ident, $bits:ident, $width:literal, $select:path, $blends:expr) => {
        impl Lanes for $float {
            const WIDTH: usize = $width;
            const BLENDS: bool = $blends;
            type Bits = $bits;

            #[inline(always)]
            fn splat(value: f32) -> Self {
                $float::splat(value)
            }
            #[inline(always)]
            fn load(values: &[f32]) -> Self {
                let lanes: [f32; $width] = *values.first_chunk().expect("a full batch of lanes");
                $float::from(lanes)
            }
            #[inline(always)]
            fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
                $float::from(std::array::from_fn::<f32, $width, _>(f))
            }
            #[inline(always)]
            fn store(self, out: &mut [f32]) {
                let lanes = self.to_array();
                match out.first_chunk_mut::<$width>() {
                    Some(full) => *full = lanes,
                    None => out.copy_from_slice(&lanes[..out.len()]),
                }
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
                    $float::mul_add(self, a, b)
                } else {
                    // Without the instruction, the correctly rounded library call:
                    // slow, but the same bits.
                    let (x, a, b) = (self.to_array(), a.to_array(), b.to_array());
                    Self::from_fn(|lane| x[lane].mul_add(a[lane], b[lane]))
                }
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }
            #[inline(always)]
            fn round_ties_even(self) -> Self {
                $float::round_ties_even(self)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> Mask<Self> {
                Mask(self.simd_lt(other))
            }
            #[inline(always)]
            fn le(self, other: Self) -> Mask<Self> {
                Mask(self.simd_le(other))
            }
            #[inline(always)]
            fn gt(self, other: Self) -> Mask<Self> {
                Mask(self.simd_gt(other))
            }
            #[inline(always)]
            fn ge(self, other: Self) -> Mask<Self> {
                Mask(self.simd_ge(other))
            }
            #[inline(always)]
            fn from_bits(bits: Self::Bits) -> Self {
                bytemuck::cast(bits)
            }
            #[inline(always)]
            fn sign_mask(self) -> u32 {
                self.to_bitmask() as u32
            }
            #[inline(always)]
            fn bit_and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn bit_or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn bit_not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
                $select(mask, if_set, otherwise)
            }
        }

        impl BitLanes for $bits {
            #[inline(always)]
            fn splat(value: u32) -> Self {
                $bits::splat(value)
            }
            #[inline(always)]
            fn load(values: &[u32]) -> Self {
                let lanes: [u32; $width] = *values.first_chunk().expect("a full batch of lanes");
                $bits::from(lanes)
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn shl(self, bits: u32) -> Self {
                Shl::shl(self, bits)
            }
            #[inline(always)]
            fn shr(self, bits: u32) -> Self {
                Shr::shr(self, bits)
            }
        }
    };
}

lanes!(f32x4, u32x4, 4, f32x4::bitselect, false);
lanes!(f32x8, u32x8, 8, f32x8::bitselect, false);
lanes!(f32x16, u32x16, 16, select_16, HAS_MASK_REGISTERS);

const HAS_MASK_REGISTERS: bool = cfg!(all(target_feature = "avx512f", target_feature = "avx512dq"));

/// With mask registers, a blend, which the compiler merges into the preceding operation. It does
/// not do so with `bitselect`.
#[inline(always)]
fn select_16(mask: f32x16, if_set: f32x16, otherwise: f32x16) -> f32x16 {
    #[cfg(all(target_feature = "avx512f", target_feature = "avx512dq"))]
    {
        let [mask, if_set, otherwise] = [mask, if_set, otherwise].map(bytemuck::cast);
        let mask = safe_arch::movepi32_mask_m512(mask);
        bytemuck::cast(safe_arch::blend_varying_m512(otherwise, if_set, mask))
    }
    #[cfg(not(all(target_feature = "avx512f", target_feature = "avx512dq")))]
    mask.bitselect(if_set, otherwise)
}
