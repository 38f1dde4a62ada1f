//! Two-dimensional vectors, for one agent (`f32`), a batch of agents (wider lanes), or code that
//! needs more precision (`f64`).
//!
//! All widths of `f32` share one implementation, which fixes the order of operations and which of them are
//! fused. Results are therefore bitwise identical at every width.

use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

use crate::math::lanes::{Lanes, Mask};

/// Point, offset, velocity or force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
pub struct Vec2<T> {
    /// Horizontal component, positive to the right.
    pub x: T,
    /// Vertical component, positive upward.
    pub y: T,
}

impl<T> Vec2<T> {
    inlined! {
        /// Vector that points `x` to the right and `y` upward.
        pub fn new(x: T, y: T) -> Self { Self { x, y } }
        pub(crate) fn map(self, f: impl Fn(T) -> T) -> Self { Self::new(f(self.x), f(self.y)) }
        pub(crate) fn zip(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
            Self::new(f(self.x, other.x), f(self.y, other.y))
        }
    }
}

impl<T: Copy + PartialOrd> Vec2<T> {
    inlined! {
        pub(crate) fn diagonal(value: T) -> Self { Self::new(value, value) }
        pub(crate) fn all_lt(self, other: Self) -> bool { self.x < other.x && self.y < other.y }
        pub(crate) fn all_le(self, other: Self) -> bool { self.x <= other.x && self.y <= other.y }
    }
}

impl<T: Add<Output = T>> Add for Vec2<T> {
    type Output = Self;
    inlined! {
        fn add(self, other: Self) -> Self { Self::new(self.x + other.x, self.y + other.y) }
    }
}

impl<T: Sub<Output = T>> Sub for Vec2<T> {
    type Output = Self;
    inlined! {
        fn sub(self, other: Self) -> Self { Self::new(self.x - other.x, self.y - other.y) }
    }
}

impl<T: Mul<Output = T> + Copy> Mul<T> for Vec2<T> {
    type Output = Self;
    inlined! {
        fn mul(self, factor: T) -> Self { Self::new(self.x * factor, self.y * factor) }
    }
}

impl<T: Neg<Output = T>> Neg for Vec2<T> {
    type Output = Self;
    inlined! {
        fn neg(self) -> Self { Self::new(-self.x, -self.y) }
    }
}

impl<T: Neg<Output = T> + Copy> Vec2<T> {
    inlined! {
        /// Vector rotated 90° to the left.
        pub fn left(self) -> Self { Self::new(-self.y, self.x) }
    }
}

impl<L: Lanes> Vec2<L> {
    inlined! {
        /// The same vector in every lane.
        pub fn splat(value: Vec2<f32>) -> Self { Self::new(L::splat(value.x), L::splat(value.y)) }
        pub(crate) fn from_fn(vector: impl Fn(usize) -> Vec2<f32>) -> Self {
            Self::new(L::from_fn(|lane| vector(lane).x), L::from_fn(|lane| vector(lane).y))
        }
        /// (0, 0) in every lane.
        pub fn zero() -> Self { Self::new(L::zero(), L::zero()) }
        /// Dot product. Rounds `y * other.y` and the sum, but not `x * other.x`.
        pub fn dot(self, other: Self) -> L { self.x.mul_add(other.x, self.y * other.y) }
        /// Third component of the cross product:
        /// the dot product with `other` rotated 90° to the right.
        pub fn cross(self, other: Self) -> L { self.x.mul_add(other.y, -(self.y * other.x)) }
        /// Component perpendicular to a heading, which must be a unit vector: its length, negative on
        /// the right, and the unit vector that points left.
        pub fn across(self, heading: Self) -> (L, Self) {
            let left = heading.left();
            (self.dot(left), left)
        }
        /// `self * factor + other`, fused.
        pub fn mul_add(self, factor: L, other: Self) -> Self {
            Self::new(self.x.mul_add(factor, other.x), self.y.mul_add(factor, other.y))
        }
        /// True in the lanes where both components are equal.
        pub(crate) fn coincides(self, other: Self) -> Mask<L> {
            self.x.eq(other.x) & self.y.eq(other.y)
        }
        /// [`Lanes::add_where`] for x and y.
        pub fn add_where(self, mask: Mask<L>, value: Self) -> Self {
            Self::new(self.x.add_where(mask, value.x), self.y.add_where(mask, value.y))
        }
        pub(crate) fn add_weighted(self, weight: L, value: Self) -> Self {
            Self::new(self.x.add_weighted(weight, value.x), self.y.add_weighted(weight, value.y))
        }
        /// [`Lanes::mul_add_where`] for x and y.
        pub fn mul_add_where(self, mask: Mask<L>, factor: L, sum: Self) -> Self {
            let x = self.x.mul_add_where(mask, factor, sum.x);
            Self::new(x, self.y.mul_add_where(mask, factor, sum.y))
        }
        /// Length; inexact up to 1e-18, because the squared components underflow.
        pub fn length(self) -> L { self.dot(self).sqrt() }
        /// 1 / length; 0 for the zero vector.
        pub fn inverse_length(self) -> L {
            let length = self.length();
            length.gt(L::zero()).keep(L::splat(1.0) / length)
        }
        /// Unit vector in the same direction; zero for the zero vector.
        pub fn normalized(self) -> Self { self * self.inverse_length() }
        /// `if_set` in the set lanes, `otherwise` elsewhere.
        pub fn select(mask: Mask<L>, if_set: Self, otherwise: Self) -> Self {
            Self::new(mask.select(if_set.x, otherwise.x), mask.select(if_set.y, otherwise.y))
        }
        /// `self` in the set lanes, zero elsewhere.
        pub fn keep(self, mask: Mask<L>) -> Self { Self::new(mask.keep(self.x), mask.keep(self.y)) }
    }
}

impl Vec2<f32> {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0 };
}

/// For the reference and solid scenery. No operation is fused.
impl Vec2<f64> {
    pub(crate) fn from_f32(vector: impl Into<[f32; 2]>) -> Self {
        let [x, y] = vector.into().map(f64::from);
        Self { x, y }
    }
    pub(crate) fn to_f32(self) -> Vec2<f32> {
        Vec2::new(self.x as f32, self.y as f32)
    }
    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }
    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    /// Unit vector in the same direction; zero for the zero vector.
    pub(crate) fn normalized(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { Self::default() }
    }
}

impl Sum for Vec2<f64> {
    fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
        vectors.fold(Self::default(), Add::add)
    }
}

impl From<[f32; 2]> for Vec2<f32> {
    fn from([x, y]: [f32; 2]) -> Self {
        Self { x, y }
    }
}

impl<T> From<Vec2<T>> for [T; 2] {
    #[inline(always)]
    fn from(Vec2 { x, y }: Vec2<T>) -> Self {
        [x, y]
    }
}
