//! Two-dimensional vectors of one agent (`f32`) or of a batch of agents (wider lanes).
//!
//! Written once for all widths, including the order of operations and where they are fused.

use std::ops::{Add, Mul, Neg, Sub};

use crate::math::lanes::{Lanes, Mask};

/// A point, displacement, velocity or force: `x` right, `y` up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2<T> {
    /// To the right.
    pub x: T,
    /// Up.
    pub y: T,
}

impl<T> Vec2<T> {
    /// The vector with these components.
    #[must_use]
    #[inline(always)]
    pub fn new(x: T, y: T) -> Self {
        Self { x, y }
    }
}

impl<T: Add<Output = T>> Add for Vec2<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl<T: Sub<Output = T>> Sub for Vec2<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl<T: Mul<Output = T> + Copy> Mul<T> for Vec2<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl<T: Neg<Output = T>> Neg for Vec2<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl<T: Neg<Output = T> + Copy> Vec2<T> {
    /// The vector rotated 90° to the left.
    #[must_use]
    #[inline(always)]
    pub fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }
}

impl<L: Lanes> Vec2<L> {
    /// The same vector in every lane.
    #[must_use]
    #[inline(always)]
    pub fn splat(value: Vec2<f32>) -> Self {
        Self::new(L::splat(value.x), L::splat(value.y))
    }
    /// (0, 0) in every lane.
    #[must_use]
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(L::zero(), L::zero())
    }
    /// The dot product.
    #[must_use]
    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x.mul_add(other.x, self.y * other.y)
    }
    /// The third component of the cross product: the dot product with `other` rotated 90° to the
    /// right.
    #[must_use]
    #[inline(always)]
    pub fn cross(self, other: Self) -> L {
        self.x.mul_add(other.y, -(self.y * other.x))
    }
    /// `self * factor + other`, fused.
    #[must_use]
    #[inline(always)]
    pub fn mul_add(self, factor: L, other: Self) -> Self {
        Self::new(self.x.mul_add(factor, other.x), self.y.mul_add(factor, other.y))
    }
    /// [`Lanes::add_where`] of both components.
    #[must_use]
    #[inline(always)]
    pub fn add_where(self, mask: Mask<L>, value: Self) -> Self {
        Self::new(self.x.add_where(mask, value.x), self.y.add_where(mask, value.y))
    }
    /// [`Lanes::mul_add_where`] of both components.
    #[must_use]
    #[inline(always)]
    pub fn mul_add_where(self, mask: Mask<L>, factor: L, sum: Self) -> Self {
        Self::new(
            self.x.mul_add_where(mask, factor, sum.x),
            self.y.mul_add_where(mask, factor, sum.y),
        )
    }
    /// The length.
    #[must_use]
    #[inline(always)]
    pub fn length(self) -> L {
        self.dot(self).sqrt()
    }
    /// 1 / length, and 0 for the zero vector.
    #[must_use]
    #[inline(always)]
    pub fn inverse_length(self) -> L {
        let length = self.length();
        length.gt(L::zero()).keep(L::splat(1.0) / length)
    }
    /// The unit vector of the same direction; zero stays zero.
    #[must_use]
    #[inline(always)]
    pub fn normalized(self) -> Self {
        self * self.inverse_length()
    }
    /// `if_set` in the set lanes, `otherwise` elsewhere.
    #[must_use]
    #[inline(always)]
    pub fn select(mask: Mask<L>, if_set: Self, otherwise: Self) -> Self {
        Self::new(mask.select(if_set.x, otherwise.x), mask.select(if_set.y, otherwise.y))
    }
    /// `self` in the set lanes, zero elsewhere.
    #[must_use]
    #[inline(always)]
    pub fn keep(self, mask: Mask<L>) -> Self {
        Self::new(mask.keep(self.x), mask.keep(self.y))
    }
}

impl Vec2<f32> {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0 };
}

impl From<[f32; 2]> for Vec2<f32> {
    fn from([x, y]: [f32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Vec2<f32>> for [f32; 2] {
    #[inline(always)]
    fn from(Vec2 { x, y }: Vec2<f32>) -> Self {
        [x, y]
    }
}
