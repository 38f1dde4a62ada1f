//! Three-dimensional vectors, for one agent (`f32`), a batch of agents (wider lanes), or code that
//! needs more precision (`f64`).
//!
//! The type of the components decides whether there is a third one. Lanes of flat worlds
//! ([`Flat`](crate::math::lanes::flat::Flat)) have none, so their kernels contain no code for it.
//!
//! All widths of `f32` share one implementation, which fixes the order of operations and which of
//! them are fused. Results are therefore bitwise identical at every width. Terms of z come last, so
//! a vector with z = 0 gives the bits of a flat one.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

use crate::math::component::{Component, Depth};
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask};

/// Point, offset, velocity or force.
#[derive(Clone, Copy)]
#[must_use]
pub struct Vec3<T: Component> {
    /// Horizontal component, positive to the right.
    pub x: T,
    /// Vertical component on a map, positive upward.
    pub y: T,
    /// Height above the map. Lanes of a flat world do not store it.
    pub z: T::Z,
}

impl<T: Component> Vec3<T> {
    inlined! {
        /// Vector in the plane of x and y.
        pub fn flat(x: T, y: T) -> Self { Self { x, y, z: T::Z::from_fn(T::zero) } }
        /// The zero vector, in every lane.
        pub fn zero() -> Self { Self { x: T::zero(), y: T::zero(), z: T::Z::from_fn(T::zero) } }
        /// The component along each axis: 0 is x, 1 is y, and in worlds with depth, 2 is z.
        pub fn by_axis(mut along: impl FnMut(usize) -> T) -> Self {
            Self { x: along(0), y: along(1), z: T::Z::from_fn(#[inline(always)] || along(2)) }
        }
        pub(crate) fn diagonal(value: T) -> Self { Self::by_axis(#[inline(always)] |_| value) }
        #[expect(clippy::redundant_closure, reason = "`f` would be called, not inlined")]
        pub(crate) fn map(self, f: impl Fn(T) -> T) -> Self {
            // Wraps `f` in a closure: if `f` were passed by value, it might be called, not inlined.
            let z = self.z.map(#[inline(always)] |z| f(z));
            Self { x: f(self.x), y: f(self.y), z }
        }
        #[expect(clippy::redundant_closure, reason = "`f` would be called, not inlined")]
        pub(crate) fn zip(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
            let (x, y) = (f(self.x, other.x), f(self.y, other.y));
            Self { x, y, z: self.z.zip(other.z, #[inline(always)] |a, b| f(a, b)) }
        }
        #[expect(clippy::redundant_closure, reason = "`f` would be called, not inlined")]
        pub(crate) fn zip3(self, b: Self, c: Self, f: impl Fn(T, T, T) -> T) -> Self {
            let (x, y) = (f(self.x, b.x, c.x), f(self.y, b.y, c.y));
            Self { x, y, z: self.z.zip3(b.z, c.z, #[inline(always)] |a, b, c| f(a, b, c)) }
        }
        fn all(self, other: Self, holds: impl Fn(T, T) -> bool) -> bool {
            let plane = holds(self.x, other.x) && holds(self.y, other.y);
            self.z.fold(plane, |plane, z| plane && other.z.fold(true, |_, other| holds(z, other)))
        }
    }
}

impl<T: Component + PartialOrd> Vec3<T> {
    inlined! {
        pub(crate) fn all_le(self, other: Self) -> bool { self.all(other, |a, b| a <= b) }
    }
}

impl<T: Component> Vec3<T> {
    /// Returns `f(flat, z)` in worlds with depth, and `flat` in flat worlds, whose lanes have no z.
    #[inline(always)]
    pub fn with_z<R>(self, flat: R, f: impl FnOnce(R, T) -> R) -> R {
        self.z.fold(flat, f)
    }
}

impl<T: Component + fmt::Debug> fmt::Debug for Vec3<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        list.entries([self.x, self.y]);
        self.z.fold((), |(), z| _ = list.entry(&z));
        list.finish()
    }
}

impl<T: Component> Default for Vec3<T> {
    fn default() -> Self {
        Self::zero()
    }
}

impl<T: Component + PartialEq> PartialEq for Vec3<T> {
    fn eq(&self, other: &Self) -> bool {
        self.all(*other, |a, b| a == b)
    }
}

impl<T: Component + Add<Output = T>> Add for Vec3<T> {
    type Output = Self;
    inlined! { fn add(self, other: Self) -> Self { self.zip(other, #[inline(always)] |a, b| a + b) } }
}

impl<T: Component + Sub<Output = T>> Sub for Vec3<T> {
    type Output = Self;
    inlined! { fn sub(self, other: Self) -> Self { self.zip(other, #[inline(always)] |a, b| a - b) } }
}

impl<T: Component + Mul<Output = T>> Mul<T> for Vec3<T> {
    type Output = Self;
    inlined! { fn mul(self, factor: T) -> Self { self.map(#[inline(always)] |a| a * factor) } }
}

impl<T: Component + Neg<Output = T>> Neg for Vec3<T> {
    type Output = Self;
    inlined! { fn neg(self) -> Self { self.map(#[inline(always)] |a| -a) } }
}

impl<T: Component + Neg<Output = T>> Vec3<T> {
    inlined! {
        /// The components x and y rotated 90° to the left; z is 0.
        pub(crate) fn quarter_turn(self) -> Self { Self::flat(-self.y, self.x) }
    }
}

impl<L: Lanes> Vec3<L> {
    inlined! {
        /// The same vector in every lane.
        pub fn splat(Vec3 { x, y, z }: Vec3<f32>) -> Self {
            Self { x: L::splat(x), y: L::splat(y), z: L::Z::from_fn(#[inline(always)] || L::splat(z)) }
        }
        pub(crate) fn from_fn(vector: impl Fn(usize) -> Vec3<f32>) -> Self {
            Self {
                x: L::from_fn(#[inline(always)] |lane| vector(lane).x),
                y: L::from_fn(#[inline(always)] |lane| vector(lane).y),
                z: L::Z::from_fn(#[inline(always)] || L::from_fn(#[inline(always)] |lane| vector(lane).z)),
            }
        }
        /// Dot product. Rounds `y * other.y` and each sum, but not `x * other.x`.
        pub fn dot(self, other: Self) -> L {
            let plane = self.x.mul_add(other.x, self.y * other.y);
            self.z.fold(plane, #[inline(always)] |plane, z| {
                other.z.fold(plane, #[inline(always)] |plane, other| z.mul_add(other, plane))
            })
        }
        /// Vertical component of the cross product: in the plane of x and y,
        /// the dot product with `other` rotated 90° to the right.
        pub fn cross(self, other: Self) -> L { self.x.mul_add(other.y, -(self.y * other.x)) }
        /// Horizontal unit vector to the left of a heading, which must be a unit vector. For a
        /// vertical heading, returns +y.
        pub fn left(self) -> Self {
            let left = self.quarter_turn();
            self.z.fold(left, #[inline(always)] |left, z| {
                let length = left.length();
                // The heading of a point is zero, and so is the vector to its left.
                let is_vertical = length.le(L::splat(ALONG)) & !z.eq(L::zero());
                // A heading in the plane is not rescaled, so it has the same bits as in a flat
                // world.
                let scale = z.eq(L::zero()).select(L::splat(1.0), L::splat(1.0) / length);
                let y = Self::flat(L::zero(), L::splat(1.0));
                Self::select(is_vertical, y, left * scale)
            })
        }
        /// Unit vector that is perpendicular to a heading and to the vector [to its
        /// left](Self::left), and does not point down.
        pub(crate) fn above(self, left: Self) -> Self {
            let flat = self.x.mul_add(left.y, -(self.y * left.x));
            let along = self.z.fold(L::zero(), #[inline(always)] |_, z| z);
            Self { x: -(along * left.y), y: along * left.x, z: L::Z::from_fn(#[inline(always)] || flat) }
        }
        /// Returns the part of the vector perpendicular to a heading, which must be a unit vector,
        /// as a length and a unit vector. In a plane, the unit vector points left, and the length
        /// is negative for vectors to the right.
        pub fn across(self, heading: Self) -> (L, Self) {
            let left = heading.left();
            let sideways = self.dot(left);
            self.z.fold((sideways, left), #[inline(always)] |_, z| {
                let aside = heading.mul_add(-self.dot(heading), self);
                let length = aside.length();
                let is_flat = heading.z.fold(z, #[inline(always)] |z, up| z.abs() + up.abs()).eq(L::zero());
                let is_along = length.le(self.length() * L::splat(ALONG));
                let across = Self::select(is_flat | is_along, left, aside * (L::splat(1.0) / length));
                (is_flat.select(sideways, (!is_along).keep(length)), across)
            })
        }
        /// Limits the climb or descent of a heading to the angle with this sine and cosine, and
        /// returns a mask of the headings that were steeper. A vertical heading takes the
        /// horizontal direction of the heading `before`.
        pub(crate) fn climbing(self, before: Self, (sin, cos): (f32, f32)) -> (Self, Mask<L>) {
            let z = self.with_z(L::zero(), #[inline(always)] |_, z| z);
            let is_steep = z.abs().gt(L::splat(sin));
            let is_vertical = self.quarter_turn().length().le(L::splat(ALONG));
            let left = Self::select(is_vertical, before, self).left();
            let rise = z.lt(L::zero()).select(L::splat(-sin), L::splat(sin));
            let limit = Self {
                x: left.y * L::splat(cos),
                y: -(left.x * L::splat(cos)),
                z: L::Z::from_fn(#[inline(always)] || rise),
            };
            (Self::select(is_steep, limit, self), is_steep)
        }
        /// `self * factor + other`, fused.
        pub fn mul_add(self, factor: L, other: Self) -> Self {
            self.zip(other, #[inline(always)] |a, b| a.mul_add(factor, b))
        }
        /// True in the lanes where all components are equal.
        pub(crate) fn coincides(self, other: Self) -> Mask<L> {
            let plane = self.x.eq(other.x) & self.y.eq(other.y);
            self.z.fold(plane, #[inline(always)] |plane, z| {
                other.z.fold(plane, #[inline(always)] |plane, other| plane & z.eq(other))
            })
        }
        /// [`Lanes::add_where`] for each component.
        pub fn add_where(self, mask: Mask<L>, value: Self) -> Self {
            self.zip(value, #[inline(always)] |a, b| a.add_where(mask, b))
        }
        pub(crate) fn add_weighted(self, weight: L, value: Self) -> Self {
            self.zip(value, #[inline(always)] |a, b| a.add_weighted(weight, b))
        }
        /// [`Lanes::mul_add_where`] for each component.
        pub fn mul_add_where(self, mask: Mask<L>, factor: L, sum: Self) -> Self {
            self.zip(sum, #[inline(always)] |a, b| a.mul_add_where(mask, factor, b))
        }
        /// Length. Lengths up to 1e-18 are inexact, because the squared components underflow.
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
            if_set.zip(otherwise, #[inline(always)] |a, b| mask.select(a, b))
        }
        /// The components of each lane; 0 along an axis that the world does not have.
        pub(crate) fn to_arrays(self) -> [[f32; MAX_WIDTH]; 3] {
            let z = self.with_z([0.0; MAX_WIDTH], #[inline(always)] |_, z| z.to_array());
            [self.x.to_array(), self.y.to_array(), z]
        }
        /// `self` in the set lanes, zero elsewhere.
        pub fn keep(self, mask: Mask<L>) -> Self { self.map(#[inline(always)] |a| mask.keep(a)) }
    }
}

/// A vector is treated as parallel to a heading if its perpendicular part is at most this fraction
/// of the vector's length, which is about the rounding error.
pub(crate) const ALONG: f32 = 1.0e-6;

impl Vec3<f32> {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };
}

/// Used by the reference and by solid scenery. No operation is fused.
impl Vec3<f64> {
    pub(crate) fn from_f32(vector: impl Into<Vec3<f32>>) -> Self {
        let Vec3 { x, y, z } = vector.into();
        Self { x: x.into(), y: y.into(), z: z.into() }
    }
    pub(crate) fn to_f32(self) -> Vec3<f32> {
        Vec3 { x: self.x as f32, y: self.y as f32, z: self.z as f32 }
    }
    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }
    /// Unit vector that is perpendicular to both vectors; zero if they are parallel.
    pub(crate) fn across_both(self, other: Self) -> Self {
        let (a, b) = (self, other);
        let (x, y) = (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z);
        Self { x, y, z: a.cross(b) }.normalized()
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

impl Sum for Vec3<f64> {
    fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
        vectors.fold(Self::default(), Add::add)
    }
}

impl From<[f32; 2]> for Vec3<f32> {
    fn from([x, y]: [f32; 2]) -> Self {
        Self { x, y, z: 0.0 }
    }
}

impl From<[f32; 3]> for Vec3<f32> {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<T: Component<Z = T>> From<Vec3<T>> for [T; 3] {
    #[inline(always)]
    fn from(Vec3 { x, y, z }: Vec3<T>) -> Self {
        [x, y, z]
    }
}

impl<T: Component> From<Vec3<T>> for [T; 2] {
    #[inline(always)]
    fn from(Vec3 { x, y, .. }: Vec3<T>) -> Self {
        [x, y]
    }
}
