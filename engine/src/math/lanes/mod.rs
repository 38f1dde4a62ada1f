//! The lane layer: the few vector operations that all kernels are built from.
//!
//! Each lane holds one agent. Kernels are generic over `Lanes`, so the same code runs on every
//! instruction set. [`baseline`] implements `Lanes` for the four-lane vectors that every processor
//! has, [`x86`] for AVX2 and AVX-512, and [`single`] for scalars.
//!
//! Every operation has a single correct result: add, sub, mul, div, sqrt, an *always* fused
//! multiply-add, rounding to an integer and comparisons (all by IEEE 754), and bitwise logic. There
//! are no estimates (`rcp` and `rsqrt` differ between vendors), no instructions for min and max
//! (processors differ for NaN and signed zeros) and no horizontal sums. So the state hash is the
//! same at every width. [`functions`] builds exponentials, logarithms and sines from these
//! operations.

pub(crate) mod baseline;
pub(crate) mod dispatch;
pub(crate) mod flat;
mod functions;
pub(crate) mod fused;
mod single;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use bytemuck::{cast_slice, cast_slice_mut};

use crate::math::component::Component;

/// Number of lanes in the widest supported vector. Every lane width divides this number, so
/// splitting work at its multiples keeps batches whole.
pub(crate) const MAX_WIDTH: usize = 16;

macro_rules! compiled {
    ($lanes:ty: $work:expr) => {
        <$lanes as $crate::math::lanes::Lanes>::compiled(
            #[inline(always)]
            || $work,
        )
    };
}
pub(crate) use compiled;

pub trait Sealed {}

/// A vector of `f32`, one lane per agent.
///
/// Generic code gives the same bits on vectors of any width and instruction set, and on single
/// numbers: the trait has only operations that IEEE 754 specifies exactly, and functions built from
/// them.
///
/// Code that uses lanes must be inlined into the function that the engine calls;
/// otherwise every operation is a call. Mark functions `#[inline(always)]`.
/// Write closures directly as arguments, and mark them `#[inline(always)]`.
pub trait Lanes:
    Sealed
    + Component
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Number of lanes: 1, 4, 8 or 16.
    const WIDTH: usize;
    #[doc(hidden)]
    /// True if the compiler can fold a select into the preceding operation, as with mask registers.
    const BLENDS: bool;
    #[doc(hidden)]
    /// True if a multiply-add is a single instruction.
    const FUSES: bool;
    /// Vector with the same number of `u32` lanes, for random numbers and cell indices.
    type Bits: BitLanes;

    /// Runs `f`. Compiles `f`, and all code inlined into it, for this lane type's instruction set.
    /// In code that is not inlined, every lane operation is a function call. To guarantee inlining,
    /// write `f` as a closure in the call, and mark the closure `#[inline(always)]`.
    /// `compiled` itself is not inlined: a single function with all kernels would compile slowly
    /// and, without optimization, need megabytes of stack.
    #[doc(hidden)]
    #[inline(never)]
    fn compiled<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    /// `value` in every lane.
    fn splat(value: f32) -> Self;
    /// Loads `values[k]` into lane k; `values` must contain at least `WIDTH` values.
    fn load(values: &[f32]) -> Self;
    /// Sets lane k to `f(k)`.
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// Writes the lanes to `out` in order; a shorter `out` takes only the first lanes.
    fn store(self, out: &mut [f32]);
    /// `self * a + b` with a single rounding, on every machine.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// Nearest integer, ties to even.
    fn round_ties_even(self) -> Self;
    /// Per-lane `self == other`; false where either is NaN.
    fn eq(self, other: Self) -> Mask<Self>;
    /// Per-lane `self < other`; false where either is NaN.
    fn lt(self, other: Self) -> Mask<Self>;
    /// Per-lane `self <= other`; false where either is NaN.
    fn le(self, other: Self) -> Mask<Self>;
    /// Reinterprets the bits as floats, without conversion.
    fn from_bits(bits: Self::Bits) -> Self;
    /// Returns the bits of the floats, without conversion.
    fn to_bits(self) -> Self::Bits;
    /// Converts to `i32` bits, rounding toward 0. Out-of-range numbers saturate, and NaN gives 0.
    fn trunc_int(self) -> Self::Bits;
    /// Converts to `i32` bits, rounding to nearest, ties to even. All numbers must fit in an `i32`.
    fn round_int(self) -> Self::Bits;
    /// Sign bits: bit k is the sign of lane k.
    fn sign_mask(self) -> u32;
    /// `if_set` in the lanes where `mask` is set, `otherwise` elsewhere.
    fn select(mask: Self, if_set: Self, otherwise: Self) -> Self;

    inlined! {
        /// Loads `values` into the first lanes; the other lanes are 0. Takes up to `WIDTH` values.
        fn load_first(values: &[f32]) -> Self {
            if values.len() == Self::WIDTH {
                return Self::load(values);
            }
            let mut lanes = [0.0; MAX_WIDTH];
            lanes[..values.len()].copy_from_slice(values);
            Self::load(&lanes)
        }

        /// Sets lane k of four vectors to the four numbers `f(k)`.
        #[doc(hidden)]
        fn from_rows(mut f: impl FnMut(usize) -> [f32; 4]) -> [Self; 4] {
            let mut rows = [[0.0; 4]; MAX_WIDTH];
            for (lane, row) in rows.iter_mut().enumerate().take(Self::WIDTH) {
                *row = f(lane);
            }
            [
                Self::from_fn(#[inline(always)] |lane| rows[lane][0]),
                Self::from_fn(#[inline(always)] |lane| rows[lane][1]),
                Self::from_fn(#[inline(always)] |lane| rows[lane][2]),
                Self::from_fn(#[inline(always)] |lane| rows[lane][3]),
            ]
        }

        /// The lane values, padded with zeros to 16 values.
        fn to_array(self) -> [f32; MAX_WIDTH] {
            let mut lanes = [0.0; MAX_WIDTH];
            self.store(&mut lanes[..Self::WIDTH]);
            lanes
        }

        /// Like [`Self::load`], for `u32` values.
        fn load_bits(values: &[u32]) -> Self::Bits { Self::load(cast_slice(values)).to_bits() }

        /// Like [`Self::store`], for `u32` values.
        fn store_bits(bits: Self::Bits, out: &mut [u32]) {
            Self::from_bits(bits).store(cast_slice_mut(out));
        }

        /// Per-lane `self > other`; false where either is NaN.
        fn gt(self, other: Self) -> Mask<Self> { other.lt(self) }

        /// Per-lane `self >= other`; false where either is NaN.
        fn ge(self, other: Self) -> Mask<Self> { other.le(self) }

        /// Absolute value: clears the sign bit, even of -0 and NaN.
        fn abs(self) -> Self { Self::from_bits(self.to_bits() & BitLanes::splat(i32::MAX as u32)) }

        /// 1 / self, rounded like a division, for numbers from 2⁻¹²⁵ to 2¹²⁵.
        /// Some lane types avoid the hardware divider here, leaving it free for other divisions.
        fn reciprocal(self) -> Self { Self::splat(1.0) / self }

        /// `self + value` in the lanes of `mask`, `self` elsewhere. `self` must not be -0.
        fn add_where(self, mask: Mask<Self>, value: Self) -> Self {
            debug_assert!(self.minus_zero().none(), "adding a masked-out +0 would change -0");
            if Self::BLENDS { mask.select(self + value, self) } else { self + mask.keep(value) }
        }

        /// `self * factor + sum`, fused, in the lanes of `mask`, and `sum` elsewhere.
        /// In the lanes outside `mask`, a `sum` of -0 may become 0.
        fn mul_add_where(self, mask: Mask<Self>, factor: Self, sum: Self) -> Self {
            if Self::BLENDS {
                mask.select(self.mul_add(factor, sum), sum)
            } else {
                self.mul_add(mask.keep(factor), sum)
            }
        }

        /// `self + value` in the lanes where `weight` is 1, `self` where `weight` is 0.
        /// `value` must be finite, and `self` must not be -0.
        fn add_weighted(self, weight: Self, value: Self) -> Self {
            debug_assert!(self.minus_zero().none(), "adding a weighted +0 would change -0");
            // Multiplying by 0 or 1 is exact, so both formulas give the same bits.
            if Self::FUSES { value.mul_add(weight, self) } else { self + value * weight }
        }

        #[doc(hidden)]
        fn minus_zero(self) -> Mask<Self> {
            Mask(self.eq(Self::zero()).keep(self))
        }

        /// Clamps to [min, max]; NaN gives `max`.
        fn clamp(self, min: f32, max: f32) -> Self {
            debug_assert!(min <= max, "from {min} to {max}");
            let (min, max) = (Self::splat(min), Self::splat(max));
            let value = self.lt(max).select(self, max);
            value.gt(min).select(value, min)
        }

        /// Returns the smaller number, or the other number if one is NaN. If both are 0, returns
        /// `other`.
        fn min(self, other: Self) -> Self {
            (self.lt(other) | !other.le(other)).select(self, other)
        }

        /// Returns the larger number, or the other number if one is NaN. If both are 0, returns
        /// `other`.
        fn max(self, other: Self) -> Self {
            (self.gt(other) | !other.le(other)).select(self, other)
        }

        /// e to the power of `self`, within 2 ULP, with infinities and NaN as in [`f32::exp`].
        fn exp(self) -> Self { functions::exp(self) }

        /// Natural logarithm, within 2 ULP, with zeros, infinities and NaN as in [`f32::ln`].
        fn ln(self) -> Self { functions::ln(self) }

        /// Sine of an angle in radians, within 2 ULP from -1e4 to 1e4. Errors grow for larger
        /// angles; beyond ±1e6, the result is an arbitrary number from -1 to 1.
        fn sin(self) -> Self { functions::sin(self) }

        /// Cosine of an angle in radians, as exact as [`Self::sin`].
        fn cos(self) -> Self { functions::cos(self) }

        /// Largest integer not above the value.
        fn floor(self) -> Self {
            let nearest = self.round_ties_even();
            nearest.gt(self).select(nearest - Self::splat(1.0), nearest)
        }
    }
}

/// `u32` lanes, with only the operations that random numbers and cell indices need.
pub trait BitLanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// `value` in every lane.
    fn splat(value: u32) -> Self;
    /// Sum modulo 2³².
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference modulo 2³².
    fn wrapping_sub(self, other: Self) -> Self;
    /// Product modulo 2³².
    fn wrapping_mul(self, other: Self) -> Self;
    /// Minimum, with the bits read as signed integers.
    fn signed_min(self, other: Self) -> Self;
    /// Maximum, with the bits read as signed integers.
    fn signed_max(self, other: Self) -> Self;
    /// Shifts the bits of each lane left, filling with zeros.
    fn shl(self, bits: u32) -> Self;
    /// Shifts the bits of each lane right, filling with zeros.
    fn shr(self, bits: u32) -> Self;
    inlined! {
        /// Rotates the bits of each lane left by `bits`, from 1 to 31.
        fn rotate_left(self, bits: u32) -> Self { self.shl(bits) | self.shr(32 - bits) }
    }
}

/// One `bool` per lane. In a set lane, all bits are 1; in any other lane, all bits are 0.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Mask<L>(pub(crate) L);

impl<L: Lanes> Mask<L> {
    inlined! {
        pub(crate) fn first(count: usize) -> Self {
            L::splat(count as f32).gt(L::from_fn(|lane| lane as f32))
        }
        pub(crate) fn only(lane: usize) -> Self {
            debug_assert!(lane < L::WIDTH, "lane {lane} of {}", L::WIDTH);
            L::from_fn(|k| k as f32).eq(L::splat(lane as f32))
        }
        pub(crate) fn equal(values: &[u8], value: u8) -> Self {
            let lanes = &values[..L::WIDTH];
            L::from_fn(|k| f32::from(lanes[k])).eq(L::splat(f32::from(value)))
        }
        /// A mask with every lane equal to `set`.
        pub fn splat(set: bool) -> Self {
            let all = L::zero().le(L::zero());
            if set { all } else { !all }
        }
        /// Lane k is set if `f(k)` is true.
        pub fn from_fn(mut f: impl FnMut(usize) -> bool) -> Self {
            L::from_fn(|lane| if f(lane) { 1.0 } else { 0.0 }).gt(L::zero())
        }
        /// `value` in the set lanes, +0 elsewhere.
        pub fn keep(self, value: L) -> L { L::from_bits(self.0.to_bits() & value.to_bits()) }
        /// `if_set` in the set lanes, `otherwise` elsewhere.
        pub fn select(self, if_set: L, otherwise: L) -> L { L::select(self.0, if_set, otherwise) }
        /// True if any lane is set.
        pub fn any(self) -> bool { self.0.sign_mask() != 0 }
        /// True if all lanes are set.
        pub fn all(self) -> bool { (!self).none() }
        /// True if no lane is set.
        pub fn none(self) -> bool { !self.any() }
    }

    #[inline(never)]
    pub(crate) fn store(self, value: L, out: &mut [f32]) {
        compiled!(L: {
            if let Some(all) = out.get_mut(..L::WIDTH) {
                return self.select(value, L::load(all)).store(all);
            }
            let (mut set, lanes) = (self.0.sign_mask(), value.to_array());
            while set != 0 {
                let lane = set.trailing_zeros() as usize;
                out[lane] = lanes[lane];
                set &= set - 1;
            }
        });
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
