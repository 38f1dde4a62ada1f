//! The lane layer: the few vector operations the kernels are written in.
//!
//! A lane is one agent. [`baseline`] implements `Lanes` for the four-lane vectors that every processor
//! has, [`x86`] for those of AVX2 and AVX-512, and [`single`] for single numbers. Every kernel is
//! generic over it, so the same source runs for each instruction set. All operations have results that IEEE 754 specifies exactly: add, sub, mul, div, sqrt, a
//! multiply-add that is *always* fused, rounding to an integer, comparisons and bit logic. No result
//! is an estimate (`rcp` and `rsqrt` differ between vendors); there is no min/max (they differ on NaN
//! and signed zeros) and no horizontal sum. So the state hash does not depend on the lane width.

pub(crate) mod baseline;
pub(crate) mod dispatch;
pub(crate) mod fused;
mod single;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use bytemuck::{cast_slice, cast_slice_mut};

/// The widest supported vector, and a multiple of every lane width: work splits at its multiples
/// keep batches whole.
pub(crate) const MAX_WIDTH: usize = 16;

/// Calls [`Lanes::compiled`]: `compiled!(L: work(a, b))`.
macro_rules! compiled {
    ($lanes:ty: $work:expr) => {
        <$lanes as $crate::math::lanes::Lanes>::compiled(
            #[inline(always)]
            || $work,
        )
    };
}
pub(crate) use compiled;

/// Keeps the lane types those of this crate.
pub trait Sealed {}

/// A vector of `f32`, one lane per agent.
///
/// Code written with it runs on vectors of any width and instruction set, and on single numbers, with
/// the same bits. It offers only operations that IEEE 754 specifies exactly.
///
/// Code with lanes must be inlined into the function that the engine calls, or every operation becomes
/// a call: mark functions `#[inline(always)]`; write closures as arguments, and mark them likewise.
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
    #[doc(hidden)]
    /// Whether a multiply-add is an instruction.
    const FUSES: bool;
    /// As many lanes of `u32`, for random numbers.
    type Bits: BitLanes;

    /// Runs `f` compiled for the instructions of these lanes, with all that is inlined into it.
    /// Whatever is not inlined calls a function for each operation. A closure is only inlined for
    /// certain if it is written as the argument and marked `#[inline(always)]`. Not itself inlined:
    /// one function of all kernels would take long to compile, and need megabytes of stack without
    /// optimization.
    #[doc(hidden)]
    #[inline(never)]
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
    /// The nearest integer, ties to even.
    fn round_ties_even(self) -> Self;
    /// `self < other`; false for NaN, like every comparison.
    fn lt(self, other: Self) -> Mask<Self>;
    /// `self <= other`.
    fn le(self, other: Self) -> Mask<Self>;
    /// The numbers with these bits.
    fn from_bits(bits: Self::Bits) -> Self;
    /// The bits of the numbers.
    fn to_bits(self) -> Self::Bits;
    /// Signed integers, rounded toward 0; those out of range become the nearest, NaN becomes 0.
    fn trunc_int(self) -> Self::Bits;
    /// The nearest signed integers, ties to even; all are in range.
    fn round_int(self) -> Self::Bits;
    /// One bit per lane: its sign bit.
    fn sign_mask(self) -> u32;
    /// Lanes of `self` where `mask` is set, of `other` elsewhere.
    fn select(mask: Self, if_set: Self, otherwise: Self) -> Self;

    inlined! {
        /// 0 in every lane.
        fn zero() -> Self { Self::splat(0.0) }

        /// The first lanes take `values`, at most `WIDTH`; the others are 0.
        fn load_first(values: &[f32]) -> Self {
            if values.len() == Self::WIDTH {
                return Self::load(values);
            }
            let mut lanes = [0.0; MAX_WIDTH];
            lanes[..values.len()].copy_from_slice(values);
            Self::load(&lanes)
        }

        /// The lanes, and then zeros.
        fn to_array(self) -> [f32; MAX_WIDTH] {
            let mut lanes = [0.0; MAX_WIDTH];
            self.store(&mut lanes[..Self::WIDTH]);
            lanes
        }

        /// [`Self::load`] for bits.
        fn load_bits(values: &[u32]) -> Self::Bits { Self::load(cast_slice(values)).to_bits() }

        /// [`Self::store`] for bits.
        fn store_bits(bits: Self::Bits, out: &mut [u32]) {
            Self::from_bits(bits).store(cast_slice_mut(out));
        }

        /// `self > other`.
        fn gt(self, other: Self) -> Mask<Self> { other.lt(self) }

        /// `self >= other`.
        fn ge(self, other: Self) -> Mask<Self> { other.le(self) }

        /// The absolute value.
        fn abs(self) -> Self { Self::from_bits(self.to_bits() & BitLanes::splat(i32::MAX as u32)) }

        /// 1 / self, rounded as by a division, for numbers from 2⁻¹²⁵ to 2¹²⁵. With some lanes it does
        /// not take the divider, so that other divisions can go on meanwhile.
        fn reciprocal(self) -> Self { Self::splat(1.0) / self }

        /// `self + value` in the lanes of `mask`, `self` elsewhere. `self` is not -0.
        fn add_where(self, mask: Mask<Self>, value: Self) -> Self {
            debug_assert!(self.minus_zero().none(), "adding a masked-out +0 would change -0");
            if Self::BLENDS { mask.select(self + value, self) } else { self + mask.keep(value) }
        }

        /// `self * factor + sum`, fused, in the lanes of `mask`, `sum` elsewhere; there, a `sum` of -0
        /// may become 0.
        fn mul_add_where(self, mask: Mask<Self>, factor: Self, sum: Self) -> Self {
            if Self::BLENDS {
                mask.select(self.mul_add(factor, sum), sum)
            } else {
                self.mul_add(mask.keep(factor), sum)
            }
        }

        /// `self + value` in the lanes where `weight` is 1, `self` where it is 0. `value` is finite, and
        /// `self` is not -0.
        fn add_weighted(self, weight: Self, value: Self) -> Self {
            debug_assert!(self.minus_zero().none(), "adding a weighted +0 would change -0");
            // The product is exact.
            if Self::FUSES { value.mul_add(weight, self) } else { self + value * weight }
        }

        /// The lanes that are -0.
        #[doc(hidden)]
        fn minus_zero(self) -> Mask<Self> {
            let zero = self.le(Self::zero()) & self.ge(Self::zero());
            Mask(zero.keep(self))
        }

        /// The value clamped to [min, max].
        fn limited(self, min: f32, max: f32) -> Self {
            debug_assert!(min <= max, "from {min} to {max}");
            let (min, max) = (Self::splat(min), Self::splat(max));
            let value = self.lt(max).select(self, max);
            value.gt(min).select(value, min)
        }

        /// The largest integer that is not above the value.
        fn floor(self) -> Self {
            let nearest = self.round_ties_even();
            nearest.gt(self).select(nearest - Self::splat(1.0), nearest)
        }
    }
}

/// `u32` lanes with the operations of a counter-based random generator and of cell numbers.
pub trait BitLanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// `value` in every lane.
    fn splat(value: u32) -> Self;
    /// The sum modulo 2³².
    fn wrapping_add(self, other: Self) -> Self;
    /// The difference modulo 2³².
    fn wrapping_sub(self, other: Self) -> Self;
    /// The product modulo 2³².
    fn wrapping_mul(self, other: Self) -> Self;
    /// The smaller one as signed integers.
    fn signed_min(self, other: Self) -> Self;
    /// The larger one as signed integers.
    fn signed_max(self, other: Self) -> Self;
    /// Shifted left.
    fn shl(self, bits: u32) -> Self;
    /// Shifted right; zeros move in.
    fn shr(self, bits: u32) -> Self;
    inlined! {
        /// Rotated left.
        fn rotate_left(self, bits: u32) -> Self { self.shl(bits) | self.shr(32 - bits) }
    }
}

/// A `bool` per lane: all bits set or none.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Mask<L>(pub(crate) L);

impl<L: Lanes> Mask<L> {
    inlined! {
        /// The lanes below `count` set.
        pub(crate) fn first(count: usize) -> Self {
            L::splat(count as f32).gt(L::from_fn(|lane| lane as f32))
        }
        /// Only lane `lane` set.
        pub(crate) fn only(lane: usize) -> Self {
            debug_assert!(lane < L::WIDTH, "lane {lane} of {}", L::WIDTH);
            let (lanes, only) = (L::from_fn(|k| k as f32), L::splat(lane as f32));
            lanes.le(only) & lanes.ge(only)
        }
        /// The lanes whose entry in `values` is `value`.
        pub(crate) fn equal(values: &[u8], value: u8) -> Self {
            let lanes = &values[..L::WIDTH];
            let (lanes, value) = (L::from_fn(|k| f32::from(lanes[k])), L::splat(f32::from(value)));
            lanes.le(value) & lanes.ge(value)
        }
        /// `set` in every lane.
        pub fn splat(set: bool) -> Self {
            let all = L::zero().le(L::zero());
            if set { all } else { !all }
        }
        /// Lane k is set if `f(k)`.
        pub fn from_fn(mut f: impl FnMut(usize) -> bool) -> Self {
            L::from_fn(|lane| if f(lane) { 1.0 } else { 0.0 }).gt(L::zero())
        }
        /// `value` in the set lanes, +0 elsewhere.
        pub fn keep(self, value: L) -> L { L::from_bits(self.0.to_bits() & value.to_bits()) }
        /// `if_set` in the set lanes, `otherwise` elsewhere.
        pub fn select(self, if_set: L, otherwise: L) -> L { L::select(self.0, if_set, otherwise) }
        /// Whether a lane is set.
        pub fn any(self) -> bool { self.0.sign_mask() != 0 }
        /// Whether every lane is set.
        pub fn all(self) -> bool { (!self).none() }
        /// Whether no lane is set.
        pub fn none(self) -> bool { !self.any() }
    }

    /// Writes each set lane of `value` to its index in `out`, which covers all of them.
    #[inline(never)]
    pub(crate) fn store(self, value: L, out: &mut [f32]) {
        compiled!(L: self.store_inlined(value, out));
    }

    #[inline(always)]
    fn store_inlined(self, value: L, out: &mut [f32]) {
        if let Some(all) = out.get_mut(..L::WIDTH) {
            return self.select(value, L::load(all)).store(all);
        }
        let (mut set, lanes) = (self.0.sign_mask(), value.to_array());
        while set != 0 {
            let lane = set.trailing_zeros() as usize;
            out[lane] = lanes[lane];
            set &= set - 1;
        }
    }
}

impl<L: Lanes> BitAnd for Mask<L> {
    type Output = Self;
    inlined! { fn bitand(self, other: Self) -> Self { Self(self.keep(other.0)) } }
}

impl<L: Lanes> BitOr for Mask<L> {
    type Output = Self;
    inlined! {
        fn bitor(self, other: Self) -> Self {
            Self(L::from_bits(self.0.to_bits() | other.0.to_bits()))
        }
    }
}

impl<L: Lanes> Not for Mask<L> {
    type Output = Self;
    inlined! {
        fn not(self) -> Self { Self(L::from_bits(self.0.to_bits() ^ BitLanes::splat(u32::MAX))) }
    }
}

#[cfg(test)]
mod tests;
