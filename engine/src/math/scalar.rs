//! Vectors of one lane: what the scalar twins compute with.
//!
//! Vector algebra is written once, for all widths. A mask is all bits set or none, as in the wider
//! vectors, which the optimizer turns back into branches and selects.

use crate::math::lanes::{BitLanes, Lanes, Mask};
use crate::math::vec2::Vec2;

/// A vector of one lane: `f32`, or [`Avx2x1`](super::x86::Avx2x1), whose multiply-add is the
/// instruction.
pub(crate) trait Scalar: Lanes<Bits = u32> + PartialOrd + PartialOrd<f32> {
    /// The lane.
    fn get(self) -> f32;
}

impl<S: Scalar> From<Vec2<S>> for [f32; 2] {
    #[inline(always)]
    fn from(Vec2 { x, y }: Vec2<S>) -> Self {
        [x.get(), y.get()]
    }
}

/// Implements [`Lanes`] for a type around one `f32`.
macro_rules! one_lane {
    (
        $float:ident,
        new: |$value:ident| $new:expr,
        compiled: |$f:ident| $compiled:expr,
        mul_add: |$x:ident, $a:ident, $b:ident| $mul_add:expr,
    ) => {
        impl $crate::math::lanes::Sealed for $float {}

        impl Lanes for $float {
            const WIDTH: usize = 1;
            const BLENDS: bool = false;
            type Bits = u32;

            #[inline(always)]
            fn compiled<R>($f: impl FnOnce() -> R) -> R {
                $compiled
            }
            #[inline(always)]
            fn splat($value: f32) -> Self {
                $new
            }
            #[inline(always)]
            fn load(values: &[f32]) -> Self {
                Self::splat(values[0])
            }
            #[inline(always)]
            fn from_fn(mut f: impl FnMut(usize) -> f32) -> Self {
                Self::splat(f(0))
            }
            #[inline(always)]
            fn store(self, out: &mut [f32]) {
                if let Some(first) = out.first_mut() {
                    *first = self.get();
                }
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                let ($x, $a, $b) = (self.get(), a.get(), b.get());
                Self::splat($mul_add)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                Self::splat(self.get().sqrt())
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self::splat(self.get().abs())
            }
            #[inline(always)]
            fn round_ties_even(self) -> Self {
                Self::splat(self.get().round_ties_even())
            }
            #[inline(always)]
            fn lt(self, other: Self) -> Mask<Self> {
                mask(self.get() < other.get())
            }
            #[inline(always)]
            fn le(self, other: Self) -> Mask<Self> {
                mask(self.get() <= other.get())
            }
            #[inline(always)]
            fn gt(self, other: Self) -> Mask<Self> {
                mask(self.get() > other.get())
            }
            #[inline(always)]
            fn ge(self, other: Self) -> Mask<Self> {
                mask(self.get() >= other.get())
            }
            #[inline(always)]
            fn from_bits(bits: u32) -> Self {
                Self::splat(f32::from_bits(bits))
            }
            #[inline(always)]
            fn from_int(bits: u32) -> Self {
                Self::splat(bits as i32 as f32)
            }
            #[inline(always)]
            fn trunc_int(self) -> u32 {
                self.get() as i32 as u32
            }
            #[inline(always)]
            fn round_int(self) -> u32 {
                self.get().round_ties_even() as i32 as u32
            }
            #[inline(always)]
            fn sign_mask(self) -> u32 {
                self.get().to_bits() >> 31
            }
            #[inline(always)]
            fn bit_and(self, other: Self) -> Self {
                Self::from_bits(self.get().to_bits() & other.get().to_bits())
            }
            #[inline(always)]
            fn bit_or(self, other: Self) -> Self {
                Self::from_bits(self.get().to_bits() | other.get().to_bits())
            }
            #[inline(always)]
            fn bit_not(self) -> Self {
                Self::from_bits(!self.get().to_bits())
            }
            #[inline(always)]
            fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
                if mask.get().to_bits() != 0 { if_set } else { otherwise }
            }
        }
    };
}

pub(crate) use one_lane;

#[inline(always)]
pub(crate) fn mask<S: Scalar>(condition: bool) -> Mask<S> {
    Mask(S::from_bits(if condition { u32::MAX } else { 0 }))
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
