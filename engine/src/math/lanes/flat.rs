//! Lanes for flat worlds: wrappers of other lanes, whose vectors have no third component.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::math::component::{Component, NoZ};
use crate::math::lanes::{Lanes, Mask, Sealed};

/// The lanes `L`, for kernels of flat worlds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat<L>(L);

impl<L: Lanes> Component for Flat<L> {
    type Z = NoZ;
    inlined! { fn zero() -> Self { Self(L::zero()) } }
}

impl<L> Sealed for Flat<L> {}

macro_rules! forward {
    ($($trait:ident: $function:ident),+) => {
        $(impl<L: Lanes> $trait for Flat<L> {
            type Output = Self;
            inlined! { fn $function(self, other: Self) -> Self { Self(self.0.$function(other.0)) } }
        })+
    };
}

forward!(Add: add, Sub: sub, Mul: mul, Div: div);

impl<L: Lanes> Neg for Flat<L> {
    type Output = Self;
    inlined! { fn neg(self) -> Self { Self(-self.0) } }
}

#[inline(always)]
fn mask<L>(Mask(lanes): Mask<L>) -> Mask<Flat<L>> {
    Mask(Flat(lanes))
}

impl<L: Lanes> Lanes for Flat<L> {
    const WIDTH: usize = L::WIDTH;
    const BLENDS: bool = L::BLENDS;
    const FUSES: bool = L::FUSES;
    type Bits = L::Bits;

    #[inline(always)]
    fn compiled<R>(f: impl FnOnce() -> R) -> R {
        L::compiled(f)
    }
    inlined! {
        fn splat(value: f32) -> Self { Self(L::splat(value)) }
        fn load(values: &[f32]) -> Self { Self(L::load(values)) }
        fn from_fn(f: impl FnMut(usize) -> f32) -> Self { Self(L::from_fn(f)) }
        fn store(self, out: &mut [f32]) { self.0.store(out); }
        fn mul_add(self, a: Self, b: Self) -> Self { Self(self.0.mul_add(a.0, b.0)) }
        fn sqrt(self) -> Self { Self(self.0.sqrt()) }
        fn round_ties_even(self) -> Self { Self(self.0.round_ties_even()) }
        fn eq(self, other: Self) -> Mask<Self> { mask(self.0.eq(other.0)) }
        fn lt(self, other: Self) -> Mask<Self> { mask(self.0.lt(other.0)) }
        fn le(self, other: Self) -> Mask<Self> { mask(self.0.le(other.0)) }
        fn from_bits(bits: L::Bits) -> Self { Self(L::from_bits(bits)) }
        fn to_bits(self) -> L::Bits { self.0.to_bits() }
        fn trunc_int(self) -> L::Bits { self.0.trunc_int() }
        fn round_int(self) -> L::Bits { self.0.round_int() }
        fn sign_mask(self) -> u32 { self.0.sign_mask() }
        fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
            Self(L::select(mask.0, if_set.0, otherwise.0))
        }
        fn reciprocal(self) -> Self { Self(self.0.reciprocal()) }
        fn from_rows(f: impl FnMut(usize) -> [f32; 4]) -> [Self; 4] {
            let [a, b, c, d] = L::from_rows(f);
            [Self(a), Self(b), Self(c), Self(d)]
        }
    }
}
