//! `f32` as a vector of one lane: what the scalar twins compute with.
//!
//! Vector algebra is written once, for all widths. A mask is all bits set or none, as in the wider
//! vectors, which the optimizer turns back into branches and selects.

use crate::math::fused;
use crate::math::lanes::{BitLanes, Lanes, Mask};

#[inline(always)]
fn mask(condition: bool) -> Mask<f32> {
    Mask(f32::from_bits(if condition { u32::MAX } else { 0 }))
}

impl Lanes for f32 {
    const WIDTH: usize = 1;
    const BLENDS: bool = false;
    type Bits = u32;

    /// With fused multiply-adds as instructions, if the processor has them.
    #[inline(always)]
    fn compiled<R>(f: impl FnOnce() -> R) -> R {
        fused::compiled(f)
    }
    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        values[0]
    }
    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> f32) -> Self {
        f(0)
    }
    #[inline(always)]
    fn store(self, out: &mut [f32]) {
        if let Some(first) = out.first_mut() {
            *first = self;
        }
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        fused::mul_add(self, a, b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
    #[inline(always)]
    fn round_ties_even(self) -> Self {
        f32::round_ties_even(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask<Self> {
        mask(self < other)
    }
    #[inline(always)]
    fn le(self, other: Self) -> Mask<Self> {
        mask(self <= other)
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Mask<Self> {
        mask(self > other)
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Mask<Self> {
        mask(self >= other)
    }
    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        f32::from_bits(bits)
    }
    #[inline(always)]
    fn from_int(bits: u32) -> Self {
        bits as i32 as f32
    }
    #[inline(always)]
    fn trunc_int(self) -> u32 {
        self as i32 as u32
    }
    #[inline(always)]
    fn round_int(self) -> u32 {
        f32::round_ties_even(self) as i32 as u32
    }
    #[inline(always)]
    fn sign_mask(self) -> u32 {
        self.to_bits() >> 31
    }
    #[inline(always)]
    fn bit_and(self, other: Self) -> Self {
        f32::from_bits(self.to_bits() & other.to_bits())
    }
    #[inline(always)]
    fn bit_or(self, other: Self) -> Self {
        f32::from_bits(self.to_bits() | other.to_bits())
    }
    #[inline(always)]
    fn bit_not(self) -> Self {
        f32::from_bits(!self.to_bits())
    }
    #[inline(always)]
    fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
        if mask.to_bits() != 0 { if_set } else { otherwise }
    }
}

impl BitLanes for u32 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(value: u32) -> Self {
        value
    }
    #[inline(always)]
    fn load(values: &[u32]) -> Self {
        values[0]
    }
    #[inline(always)]
    fn store(self, out: &mut [u32]) {
        if let Some(first) = out.first_mut() {
            *first = self;
        }
    }
    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        u32::wrapping_add(self, other)
    }
    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        u32::wrapping_sub(self, other)
    }
    #[inline(always)]
    fn wrapping_mul(self, other: Self) -> Self {
        u32::wrapping_mul(self, other)
    }
    #[inline(always)]
    fn bit_and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn signed_min(self, other: Self) -> Self {
        (self as i32).min(other as i32) as u32
    }
    #[inline(always)]
    fn signed_max(self, other: Self) -> Self {
        (self as i32).max(other as i32) as u32
    }
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        self << bits
    }
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        self >> bits
    }
}
