//! The lane layer: the few vector operations the kernels are written in.
//!
//! A lane is one agent. `Lanes` is implemented for the 4, 8 and 16 wide vectors of the `wide`
//! crate and for single numbers ([`vectors`](super::vectors)), for those of AVX2 and AVX-512
//! ([`x86`](super::x86)), and for pairs of vectors ([`pair`](super::pair)).
//! Every kernel is generic over it, so the same source runs at each width and for each instruction
//! set. All operations have results that IEEE 754 specifies exactly: add, sub, mul, div, sqrt, a
//! multiply-add that is *always* fused, rounding to an integer, comparisons and bit logic. No result
//! is an estimate (`rcp` and `rsqrt` differ between vendors); there is no min/max (they differ on NaN
//! and signed zeros) and no horizontal sum. So the state hash does not depend on the lane width.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// The widest supported vector, and a multiple of every lane width: work splits at its multiples
/// keep batches whole.
pub(crate) const MAX_WIDTH: usize = 16;

/// Keeps the lane types those of this crate.
pub trait Sealed {}

/// A vector of `f32`, one lane per agent.
///
/// What is written with it runs with vectors of any width and instruction set, and with single
/// numbers, and gives the same bits with each. There is only what IEEE 754 specifies exactly.
///
/// Code with lanes has to be inlined into the function that the engine calls, or every operation
/// is a call: mark functions with `#[inline(always)]`, write closures as arguments and mark them
/// likewise.
pub trait Lanes:
    Sealed
    + Copy
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The number of lanes.
    const WIDTH: usize;
    #[doc(hidden)]
    /// Whether a select merges into the preceding operation, as it does with mask registers.
    const BLENDS: bool;
    /// The same number of `u32` lanes, for random numbers.
    type Bits: BitLanes;

    /// Runs `f` compiled for the instructions of these lanes, with all that is inlined into it.
    /// Whatever is not inlined calls a function for each operation. A closure is only inlined for
    /// certain if it is written as the argument and marked `#[inline(always)]`. Not itself always
    /// inlined: without optimization, one function of all kernels would need megabytes of stack.
    #[doc(hidden)]
    #[inline]
    fn compiled<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    /// `value` in every lane.
    fn splat(value: f32) -> Self;
    /// Lane k takes `values[k]`; `values` holds at least `WIDTH` values.
    fn load(values: &[f32]) -> Self;
    /// Lane k takes `f(k)`.
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// Writes the first `out.len()` lanes, at most `WIDTH`.
    fn store(self, out: &mut [f32]);
    /// `self * a + b` with a single rounding, on every machine.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// 1 / self, rounded as by a division, for numbers from 2⁻¹²⁵ to 2¹²⁵. With some lanes it does not
    /// take the divider, so that other divisions can go on meanwhile.
    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::splat(1.0) / self
    }
    /// The absolute value.
    fn abs(self) -> Self;
    /// The nearest integer, ties to even.
    fn round_ties_even(self) -> Self;
    /// `self < other`; false for NaN, like every comparison.
    fn lt(self, other: Self) -> Mask<Self>;
    /// `self <= other`.
    fn le(self, other: Self) -> Mask<Self>;
    /// `self > other`.
    fn gt(self, other: Self) -> Mask<Self>;
    /// `self >= other`.
    fn ge(self, other: Self) -> Mask<Self>;
    /// The numbers with these bits.
    fn from_bits(bits: Self::Bits) -> Self;
    /// The signed integers as numbers.
    fn from_int(bits: Self::Bits) -> Self;
    /// Signed integers, rounded towards 0; those out of range become the nearest, NaN becomes 0.
    fn trunc_int(self) -> Self::Bits;
    /// The nearest signed integers, ties to even; all are in range.
    fn round_int(self) -> Self::Bits;
    /// One bit per lane: its sign bit.
    fn sign_mask(self) -> u32;
    /// The bits that are set in both.
    fn bit_and(self, other: Self) -> Self;
    /// The bits that are set in either.
    fn bit_or(self, other: Self) -> Self;
    /// The bits that are not set.
    fn bit_not(self) -> Self;
    /// Lanes of `self` where `mask` is set, of `other` elsewhere.
    fn select(mask: Self, if_set: Self, otherwise: Self) -> Self;

    /// 0 in every lane.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// `self + value` in the lanes of `mask`, `self` elsewhere. `self` is not -0.
    #[inline(always)]
    fn add_where(self, mask: Mask<Self>, value: Self) -> Self {
        debug_assert!(self.minus_zero().none(), "adding a masked-out +0 would change -0");
        if Self::BLENDS { mask.select(self + value, self) } else { self + mask.keep(value) }
    }

    /// `self * factor + sum`, fused, in the lanes of `mask`, `sum` elsewhere; there, a `sum` of -0 may
    /// become 0.
    #[inline(always)]
    fn mul_add_where(self, mask: Mask<Self>, factor: Self, sum: Self) -> Self {
        if Self::BLENDS {
            mask.select(self.mul_add(factor, sum), sum)
        } else {
            self.mul_add(mask.keep(factor), sum)
        }
    }

    #[doc(hidden)]
    /// The lanes that are -0.
    #[inline(always)]
    fn minus_zero(self) -> Mask<Self> {
        let zero = self.le(Self::zero()) & self.ge(Self::zero());
        Mask(zero.keep(self))
    }

    /// The value clamped to [min, max].
    #[inline(always)]
    fn limited(self, min: f32, max: f32) -> Self {
        debug_assert!(min <= max, "from {min} to {max}");
        let (min, max) = (Self::splat(min), Self::splat(max));
        let value = self.lt(max).select(self, max);
        value.gt(min).select(value, min)
    }

    /// The largest integer that is not above the value.
    #[inline(always)]
    fn floor(self) -> Self {
        let nearest = self.round_ties_even();
        nearest.gt(self).select(nearest - Self::splat(1.0), nearest)
    }
}

/// `u32` lanes with the operations of a counter-based random generator and of cell numbers.
pub trait BitLanes: Copy + BitXor<Output = Self> + BitOr<Output = Self> {
    /// The number of lanes.
    const WIDTH: usize;

    /// `value` in every lane.
    fn splat(value: u32) -> Self;
    /// Lane k takes `values[k]`; `values` holds at least `WIDTH` values.
    fn load(values: &[u32]) -> Self;
    /// Writes the first `out.len()` lanes, at most as many as there are.
    fn store(self, out: &mut [u32]);
    /// The sum modulo 2³².
    fn wrapping_add(self, other: Self) -> Self;
    /// The difference modulo 2³².
    fn wrapping_sub(self, other: Self) -> Self;
    /// The product modulo 2³².
    fn wrapping_mul(self, other: Self) -> Self;
    /// The bits that are set in both.
    fn bit_and(self, other: Self) -> Self;
    /// The smaller one as signed integers.
    fn signed_min(self, other: Self) -> Self;
    /// The larger one as signed integers.
    fn signed_max(self, other: Self) -> Self;
    /// Shifted left.
    fn shl(self, bits: u32) -> Self;
    /// Shifted right; zeros move in.
    fn shr(self, bits: u32) -> Self;
    /// Rotated left.
    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Self {
        self.shl(bits) | self.shr(32 - bits)
    }
}

/// A `bool` per lane: all bits set or none.
#[derive(Clone, Copy)]
pub struct Mask<L>(pub(crate) L);

impl<L: Lanes> Mask<L> {
    /// The lanes below `count` set.
    #[inline(always)]
    pub(crate) fn first(count: usize) -> Self {
        L::splat(count as f32).gt(L::from_fn(|lane| lane as f32))
    }
    /// Only lane `lane` set.
    #[inline(always)]
    pub(crate) fn only(lane: usize) -> Self {
        debug_assert!(lane < L::WIDTH, "lane {lane} of {}", L::WIDTH);
        let (lanes, only) = (L::from_fn(|k| k as f32), L::splat(lane as f32));
        lanes.le(only) & lanes.ge(only)
    }
    /// The lanes whose entry in `values` is `value`.
    #[inline(always)]
    pub(crate) fn equal(values: &[u8], value: u8) -> Self {
        let lanes = &values[..L::WIDTH];
        let (lanes, value) = (L::from_fn(|k| f32::from(lanes[k])), L::splat(f32::from(value)));
        lanes.le(value) & lanes.ge(value)
    }
    /// `set` in every lane.
    #[must_use]
    #[inline(always)]
    pub fn splat(set: bool) -> Self {
        let all = L::zero().le(L::zero());
        if set { all } else { !all }
    }
    /// Lane k is set if `f(k)`.
    #[must_use]
    #[inline(always)]
    pub fn from_fn(mut f: impl FnMut(usize) -> bool) -> Self {
        L::from_fn(|lane| if f(lane) { 1.0 } else { 0.0 }).gt(L::zero())
    }
    /// `value` in the set lanes, +0 elsewhere.
    #[must_use]
    #[inline(always)]
    pub fn keep(self, value: L) -> L {
        self.0.bit_and(value)
    }
    /// `if_set` in the set lanes, `otherwise` elsewhere.
    #[must_use]
    #[inline(always)]
    pub fn select(self, if_set: L, otherwise: L) -> L {
        L::select(self.0, if_set, otherwise)
    }
    /// Writes each set lane of `value` to its index in `out`, which covers all of them.
    #[inline(never)]
    pub(crate) fn store(self, value: L, out: &mut [f32]) {
        L::compiled(
            #[inline(always)]
            || {
                if let Some(all) = out.get_mut(..L::WIDTH) {
                    return self.select(value, L::load(all)).store(all);
                }
                let (mut set, mut lanes) = (self.0.sign_mask(), [0.0; MAX_WIDTH]);
                value.store(&mut lanes[..L::WIDTH]);
                while set != 0 {
                    let lane = set.trailing_zeros() as usize;
                    out[lane] = lanes[lane];
                    set &= set - 1;
                }
            },
        );
    }
    /// Whether a lane is set.
    #[must_use]
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.sign_mask() != 0
    }
    /// Whether every lane is set.
    #[must_use]
    #[inline(always)]
    pub fn all(self) -> bool {
        (!self).none()
    }
    /// Whether no lane is set.
    #[must_use]
    #[inline(always)]
    pub fn none(self) -> bool {
        !self.any()
    }
}

impl<L: Lanes> BitAnd for Mask<L> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0.bit_and(other.0))
    }
}

impl<L: Lanes> BitOr for Mask<L> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0.bit_or(other.0))
    }
}

impl<L: Lanes> Not for Mask<L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.bit_not())
    }
}

#[cfg(test)]
mod tests;
