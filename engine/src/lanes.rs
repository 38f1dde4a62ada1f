//! The lane layer: the few vector operations the kernels are written in.
//!
//! A lane is one agent. `Lanes` is implemented for the 4, 8 and 16 wide vectors of
//! the `wide` crate, and every kernel is generic over it, so the same source runs
//! at each width. Only operations whose result IEEE 754 fixes exactly are here:
//! add, sub, mul, div, sqrt, a multiply-add that is *always* fused, rounding to an
//! integer, comparisons and bit logic. No estimates (`rcp`, `rsqrt` differ between
//! vendors), no min/max (they differ on NaN and signed zeros), no horizontal sums.
//! That is what makes the state hash independent of the lane width.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use wide::{f32x4, f32x8, f32x16, u32x4, u32x8, u32x16};

/// The widest supported vector, and the alignment of work splits: a multiple of
/// every lane width, so that batches fall the same way in every task.
pub(crate) const MAX_WIDTH: usize = 16;

/// A vector of `f32`, one lane per agent.
pub(crate) trait Lanes:
    Copy
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const WIDTH: usize;
    /// Whether a select merges into the operation before it: where there are mask registers.
    const BLENDS: bool;
    /// The same number of `u32` lanes, for random numbers.
    type Bits: BitLanes;

    fn splat(value: f32) -> Self;
    /// Lane k takes `values[k]`; `values` holds at least `WIDTH` values.
    fn load(values: &[f32]) -> Self;
    /// Lane k takes `f(k)`.
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// Writes the first `out.len()` lanes, at most `WIDTH`.
    fn store(self, out: &mut [f32]);
    /// `self * a + b` with a single rounding, on every machine.
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn round_ties_even(self) -> Self;
    fn lt(self, other: Self) -> Mask<Self>;
    fn le(self, other: Self) -> Mask<Self>;
    fn gt(self, other: Self) -> Mask<Self>;
    fn ge(self, other: Self) -> Mask<Self>;
    fn from_bits(bits: Self::Bits) -> Self;
    /// One bit per lane: its sign bit.
    fn sign_mask(self) -> u32;
    fn bit_and(self, other: Self) -> Self;
    fn bit_or(self, other: Self) -> Self;
    fn bit_not(self) -> Self;
    /// Lanes of `self` where `mask` is set, of `other` elsewhere.
    fn select(mask: Self, if_set: Self, otherwise: Self) -> Self;

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// `self + value` in the lanes of `mask`, `self` elsewhere. `self` is not -0.
    #[inline(always)]
    fn add_where(self, mask: Mask<Self>, value: Self) -> Self {
        if Self::BLENDS { mask.select(self + value, self) } else { self + mask.keep(value) }
    }

    /// `self * factor + sum`, fused, in the lanes of `mask`, `sum` elsewhere. `sum` is not -0.
    #[inline(always)]
    fn mul_add_where(self, mask: Mask<Self>, factor: Self, sum: Self) -> Self {
        if Self::BLENDS {
            mask.select(self.mul_add(factor, sum), sum)
        } else {
            self.mul_add(mask.keep(factor), sum)
        }
    }

    /// The largest whole number that is not above.
    #[inline(always)]
    fn floor(self) -> Self {
        let nearest = self.round_ties_even();
        nearest.gt(self).select(nearest - Self::splat(1.0), nearest)
    }
}

/// `u32` lanes with the operations of a counter-based random generator.
pub(crate) trait BitLanes:
    Copy + Add<Output = Self> + BitXor<Output = Self> + BitOr<Output = Self>
{
    fn splat(value: u32) -> Self;
    fn load(values: &[u32]) -> Self;
    fn shl(self, bits: u32) -> Self;
    fn shr(self, bits: u32) -> Self;
    #[inline(always)]
    fn rotate_left(self, bits: u32) -> Self {
        self.shl(bits) | self.shr(32 - bits)
    }
}

/// A yes or no per lane: all bits set or none.
#[derive(Clone, Copy)]
pub(crate) struct Mask<L>(pub(crate) L);

impl<L: Lanes> Mask<L> {
    /// The lanes below `count` set.
    #[inline(always)]
    pub(crate) fn first(count: usize) -> Self {
        L::splat(count as f32).gt(L::from_fn(|lane| lane as f32))
    }
    /// The lanes where `values`, one for each, hold `value`.
    #[inline(always)]
    pub(crate) fn equal(values: &[u8], value: u8) -> Self {
        let lanes = &values[..L::WIDTH];
        let (lanes, value) = (L::from_fn(|k| f32::from(lanes[k])), L::splat(f32::from(value)));
        lanes.le(value) & lanes.ge(value)
    }
    /// Every lane set.
    #[inline(always)]
    pub(crate) fn all() -> Self {
        L::zero().le(L::zero())
    }
    #[inline(always)]
    pub(crate) fn from_fn(mut f: impl FnMut(usize) -> bool) -> Self {
        L::from_fn(|lane| if f(lane) { 1.0 } else { 0.0 }).gt(L::zero())
    }
    /// `value` in the set lanes, +0 elsewhere.
    #[inline(always)]
    pub(crate) fn keep(self, value: L) -> L {
        self.0.bit_and(value)
    }
    #[inline(always)]
    pub(crate) fn select(self, if_set: L, otherwise: L) -> L {
        L::select(self.0, if_set, otherwise)
    }
    /// Writes the set lanes of `value` to their places in `out`, which has one for each of them.
    #[cold]
    pub(crate) fn store(self, value: L, out: &mut [f32]) {
        let mut lanes = [0.0; MAX_WIDTH];
        value.store(&mut lanes[..L::WIDTH]);
        let set = self.0.sign_mask();
        for (lane, out) in out.iter_mut().enumerate().take(L::WIDTH) {
            if set >> lane & 1 == 1 {
                *out = lanes[lane];
            }
        }
    }
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.0.sign_mask() != 0
    }
    #[inline(always)]
    pub(crate) fn every(self) -> bool {
        (!self).none()
    }
    #[inline(always)]
    pub(crate) fn none(self) -> bool {
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
                    // slow, and the same bits.
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

/// With mask registers a blend, which the compiler merges into the operation before it; it does
/// not see through `bitselect` that far.
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

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// Zeros of both signs, subnormals, ordinary values, infinities and NaN.
    const CASES: [f32; 16] = [
        0.0,
        -0.0,
        1.0e-40,
        -1.0e-40,
        f32::MIN_POSITIVE,
        0.1,
        -0.5,
        1.0,
        1.5,
        2.5,
        -3.75,
        1.0e20,
        -3.4e38,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];

    fn bits(value: f32) -> u32 {
        // Which NaN an operation yields is not part of the promise.
        if value.is_nan() { u32::MAX } else { value.to_bits() }
    }

    fn lane<L: Lanes>(value: L, k: usize) -> f32 {
        let mut out = [0.0; MAX_WIDTH];
        value.store(&mut out[..L::WIDTH]);
        out[k]
    }

    fn operations_match_scalar<L: Lanes>() {
        for a in CASES {
            for b in CASES {
                // Or else the compiler computes what the machine should.
                let (a, b) = (black_box(a), black_box(b));
                let (va, vb) = (L::splat(a), L::splat(b));
                let k = L::WIDTH - 1;
                let pairs = [
                    ("add", lane(va + vb, k), a + b),
                    ("sub", lane(va - vb, k), a - b),
                    ("mul", lane(va * vb, k), a * b),
                    ("div", lane(va / vb, k), a / b),
                    ("sqrt", lane(va.sqrt(), k), a.sqrt()),
                    ("abs", lane(va.abs(), k), a.abs()),
                    ("neg", lane(-va, k), -a),
                    ("round", lane(va.round_ties_even(), k), a.round_ties_even()),
                    ("floor", lane(va.floor(), k), a.floor()),
                    ("fma", lane(va.mul_add(vb, L::splat(0.3)), k), a.mul_add(b, 0.3)),
                    ("keep", lane(va.lt(vb).keep(vb), k), if a < b { b } else { 0.0 }),
                    ("select", lane(va.le(vb).select(va, vb), k), if a <= b { a } else { b }),
                ];
                for (name, got, want) in pairs {
                    assert_eq!(bits(got), bits(want), "{name}({a:e}, {b:e}) at width {}", L::WIDTH);
                }
                assert_eq!(va.gt(vb).any(), a > b);
                assert_eq!(va.ge(vb).any(), a >= b);
            }
        }
    }

    #[test]
    fn lane_operations_match_scalar_at_every_width() {
        operations_match_scalar::<f32x4>();
        operations_match_scalar::<f32x8>();
        operations_match_scalar::<f32x16>();
    }

    #[test]
    fn load_store_and_masks_keep_lane_order() {
        let loaded = <f32x16 as Lanes>::load(&CASES);
        for (k, &case) in CASES.iter().enumerate() {
            assert_eq!(bits(lane(loaded, k)), bits(case));
        }
        for count in 0..=8 {
            assert_eq!(Mask::<f32x8>::first(count).0.sign_mask(), (1u32 << count) - 1);
        }
        let kinds = [3, 0, 3, 255, 3, 3];
        let equal = |at: usize, kind| Mask::<f32x4>::equal(&kinds[at..], kind).0.sign_mask();
        assert_eq!([equal(0, 3), equal(0, 255), equal(2, 255), equal(2, 0)], [5, 8, 2, 0]);
        let odd = Mask::<f32x4>::from_fn(|k| k % 2 == 1);
        assert_eq!((!odd).0.sign_mask(), 0b0101);
        assert_eq!((odd | !odd).0.sign_mask(), 0b1111);
        assert!((odd & !odd).none());
        assert!((odd | !odd).every() && !odd.every());
    }
}
