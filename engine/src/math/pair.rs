//! Two vectors as one of twice the width, for widths beyond the processor's vectors.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use crate::math::lanes::{BitLanes, Lanes, Mask, Sealed};

/// The lanes of one vector, and then those of another.
#[derive(Clone, Copy)]
pub(crate) struct Pair<L>(L, L);

// Macros, since closures may not be inlined.
macro_rules! both {
    ($($name:ident($($other:ident)?) -> $result:ty;)+) => {
        $(#[inline(always)]
        fn $name(self $(, $other: Self)?) -> $result {
            Pair(self.0.$name($($other.0)?), self.1.$name($($other.1)?))
        })+
    };
}

macro_rules! operators {
    ($bound:ident: $($operator:ident $name:ident($($other:ident)?),)+) => {
        $(impl<L: $bound> $operator for Pair<L> {
            type Output = Self;
            both! { $name($($other)?) -> Self; }
        })+
    };
}

operators!(Lanes: Add add(other), Sub sub(other), Mul mul(other), Div div(other), Neg neg(),);
operators!(BitLanes: BitAnd bitand(other), BitOr bitor(other), BitXor bitxor(other),);

impl<L> Sealed for Pair<L> {}

impl<L: Lanes> Lanes for Pair<L> {
    const WIDTH: usize = 2 * L::WIDTH;
    const BLENDS: bool = L::BLENDS;
    const FUSES: bool = L::FUSES;
    type Bits = Pair<L::Bits>;

    #[inline(always)]
    fn compiled<R>(f: impl FnOnce() -> R) -> R {
        L::compiled(f)
    }
    inlined! {
        fn splat(value: f32) -> Self { Self(L::splat(value), L::splat(value)) }
        fn load(values: &[f32]) -> Self { Self(L::load(values), L::load(&values[L::WIDTH..])) }
        fn from_fn(mut f: impl FnMut(usize) -> f32) -> Self {
            Self(L::from_fn(&mut f), L::from_fn(|lane| f(L::WIDTH + lane)))
        }
        fn store(self, out: &mut [f32]) {
            let (first, last) = out.split_at_mut(out.len().min(L::WIDTH));
            self.0.store(first);
            self.1.store(last);
        }
        fn mul_add(self, a: Self, b: Self) -> Self {
            Self(self.0.mul_add(a.0, b.0), self.1.mul_add(a.1, b.1))
        }
        fn lt(self, other: Self) -> Mask<Self> {
            Mask(Self(self.0.lt(other.0).0, self.1.lt(other.1).0))
        }
        fn le(self, other: Self) -> Mask<Self> {
            Mask(Self(self.0.le(other.0).0, self.1.le(other.1).0))
        }
        fn from_bits(bits: Self::Bits) -> Self { Self(L::from_bits(bits.0), L::from_bits(bits.1)) }
        fn sign_mask(self) -> u32 { self.0.sign_mask() | self.1.sign_mask() << L::WIDTH }
        fn select(mask: Self, if_set: Self, otherwise: Self) -> Self {
            let first = L::select(mask.0, if_set.0, otherwise.0);
            Self(first, L::select(mask.1, if_set.1, otherwise.1))
        }
    }
    both! {
        sqrt() -> Self;
        round_ties_even() -> Self;
        trunc_int() -> Self::Bits;
        round_int() -> Self::Bits;
        to_bits() -> Self::Bits;
    }
}

impl<B: BitLanes> BitLanes for Pair<B> {
    inlined! {
        fn splat(value: u32) -> Self { Self(B::splat(value), B::splat(value)) }
        fn shl(self, bits: u32) -> Self { Self(self.0.shl(bits), self.1.shl(bits)) }
        fn shr(self, bits: u32) -> Self { Self(self.0.shr(bits), self.1.shr(bits)) }
    }
    both! {
        wrapping_add(other) -> Self;
        wrapping_sub(other) -> Self;
        wrapping_mul(other) -> Self;
        signed_min(other) -> Self;
        signed_max(other) -> Self;
    }
}
