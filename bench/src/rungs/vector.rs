//! Plain vectors, for code without lanes. Multiply-adds are fused exactly as in the engine.

use std::array;
use std::ops::{Add, Mul, Neg, Sub};

use flockwork::internal::mul_add;

/// A vector of two or three components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector<const D: usize>(pub(crate) [f32; D]);

/// A vector of the flat worlds that the rungs step.
pub(crate) type Vec2 = Vector<2>;

impl<const D: usize> Vector<D> {
    pub(crate) const ZERO: Self = Self([0.0; D]);

    /// Returns the vector in this slot of the columns x, y and z.
    pub(crate) fn at(columns: [&[f32]; 3], slot: usize) -> Self {
        Self(array::from_fn(|axis| columns[axis][slot]))
    }

    #[inline(always)]
    pub(crate) fn map(self, change: impl Fn(f32) -> f32) -> Self {
        Self(array::from_fn(|axis| change(self.0[axis])))
    }

    #[inline(always)]
    pub(crate) fn zip(self, other: Self, combine: impl Fn(f32, f32) -> f32) -> Self {
        Self(array::from_fn(|axis| combine(self.0[axis], other.0[axis])))
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> f32 {
        let last = self.0[D - 1] * other.0[D - 1];
        (0..D - 1).rev().fold(last, |sum, axis| mul_add(self.0[axis], other.0[axis], sum))
    }

    #[inline(always)]
    pub(crate) fn mul_add(self, factor: f32, other: Self) -> Self {
        self.zip(other, |component, other| mul_add(component, factor, other))
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f32 {
        self.dot(self).sqrt()
    }
}

impl<const D: usize> Add for Vector<D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, f32::add)
    }
}

impl<const D: usize> Sub for Vector<D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, f32::sub)
    }
}

impl<const D: usize> Mul<f32> for Vector<D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        self.map(|component| component * factor)
    }
}

impl<const D: usize> Neg for Vector<D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(f32::neg)
    }
}
