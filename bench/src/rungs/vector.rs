//! Plain vectors, for code without lanes. Multiply-adds are fused exactly as in the engine.

use std::ops::{Add, Mul, Neg, Sub};

use flockwork::internal::mul_add;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vec2 {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Vec2 {
    #[inline(always)]
    pub(crate) fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> f32 {
        mul_add(self.x, other.x, self.y * other.y)
    }

    #[inline(always)]
    pub(crate) fn mul_add(self, factor: f32, other: Self) -> Self {
        Self::new(mul_add(self.x, factor, other.x), mul_add(self.y, factor, other.y))
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f32 {
        self.dot(self).sqrt()
    }
}

impl Add for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}
