//! Macro that implements [`Lanes`] for single numbers (`f32` and its AVX2 wrapper),
//! and [`BitLanes`] for `u32`.

use crate::math::lanes::{BitLanes, Lanes, Mask};

/// Implements [`Lanes`] for a scalar type, with the instruction set of the vector type
/// `vectors`. As in wider vectors, a mask has all bits set or none.
/// The optimizer turns such masks back into branches.
macro_rules! one_lane {
    (
        $float:ident,
        splat: |$value:ident| $splat:expr,
        mul_add: |$x:ident, $a:ident, $b:ident| $mul_add:expr,
        vectors: $vectors:ty,
    ) => {
        impl Sealed for $float {}

        impl Component for $float {
            type Z = Self;
            inlined! { fn zero() -> Self { Self::splat(0.0) } }
        }

        impl Lanes for $float {
            const WIDTH: usize = 1;
            const BLENDS: bool = false;
            const FUSES: bool = false;
            type Bits = u32;

            #[inline(always)]
            fn compiled<R>(f: impl FnOnce() -> R) -> R {
                <$vectors>::compiled(f)
            }
            inlined! {
                fn splat($value: f32) -> Self { $splat }
                fn load(values: &[f32]) -> Self { Self::splat(values[0]) }
                fn from_fn(mut f: impl FnMut(usize) -> f32) -> Self { Self::splat(f(0)) }
                fn store(self, out: &mut [f32]) {
                    if let Some(first) = out.first_mut() {
                        *first = f32::from(self);
                    }
                }
                fn mul_add(self, a: Self, b: Self) -> Self {
                    let ($x, $a, $b) = (f32::from(self), f32::from(a), f32::from(b));
                    Self::splat($mul_add)
                }
                fn sqrt(self) -> Self { Self::splat(f32::from(self).sqrt()) }
                fn round_ties_even(self) -> Self { Self::splat(f32::from(self).round_ties_even()) }
                fn eq(self, other: Self) -> Mask<Self> { mask(f32::from(self) == f32::from(other)) }
                fn lt(self, other: Self) -> Mask<Self> { mask(f32::from(self) < f32::from(other)) }
                fn le(self, other: Self) -> Mask<Self> { mask(f32::from(self) <= f32::from(other)) }
                fn from_bits(bits: u32) -> Self { Self::splat(f32::from_bits(bits)) }
                fn to_bits(self) -> u32 { f32::from(self).to_bits() }
                fn trunc_int(self) -> u32 { f32::from(self) as i32 as u32 }
                fn round_int(self) -> u32 { f32::from(self).round_ties_even() as i32 as u32 }
                fn sign_mask(self) -> u32 { f32::from(self).to_bits() >> 31 }
                fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
                    if f32::from(mask).to_bits() != 0 { if_set } else { otherwise }
                }
            }
        }
    };
}

pub(super) use one_lane;

#[inline(always)]
pub(super) fn mask<L: Lanes<Bits = u32>>(condition: bool) -> Mask<L> {
    Mask(L::from_bits(if condition { u32::MAX } else { 0 }))
}

impl BitLanes for u32 {
    inlined! {
        fn splat(value: u32) -> Self { value }
        fn wrapping_add(self, other: Self) -> Self { u32::wrapping_add(self, other) }
        fn wrapping_sub(self, other: Self) -> Self { u32::wrapping_sub(self, other) }
        fn wrapping_mul(self, other: Self) -> Self { u32::wrapping_mul(self, other) }
        fn signed_min(self, other: Self) -> Self { (self as i32).min(other as i32) as u32 }
        fn signed_max(self, other: Self) -> Self { (self as i32).max(other as i32) as u32 }
        fn shl(self, bits: u32) -> Self { self << bits }
        fn shr(self, bits: u32) -> Self { self >> bits }
    }
}
