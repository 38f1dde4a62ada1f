//! Plain vectors, for flocks and loops without lanes.

use std::array;
use std::ops::{Add, Mul, Neg, Sub};

/// A vector of two or three components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector<const D: usize>(pub(crate) [f32; D]);

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

    pub(crate) fn length_sq(self) -> f32 {
        self.0.iter().map(|component| component * component).sum()
    }

    pub(crate) fn length(self) -> f32 {
        self.length_sq().sqrt()
    }

    /// Returns the zero vector unchanged.
    pub(crate) fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }
}

/// Returns the shortest of the offsets between two positions on a torus.
pub(crate) fn nearest_offset<const D: usize>(
    Vector(from): Vector<D>,
    Vector(to): Vector<D>,
    Vector(size): Vector<D>,
) -> Vector<D> {
    // Near the seam, subtracting the world size from the larger coordinate is exact.
    let along = |from: f32, to: f32, size: f32| match to - from {
        offset if offset > 0.5 * size => (to - size) - from,
        offset if offset < -0.5 * size => to - (from - size),
        offset => offset,
    };
    Vector(array::from_fn(|axis| along(from[axis], to[axis], size[axis])))
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
