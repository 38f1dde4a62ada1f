use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct V {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl V {
    pub(super) const ZERO: Self = Self::new(0.0, 0.0);

    pub(super) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    pub(super) fn from_f32(vector: impl Into<[f32; 2]>) -> Self {
        vector.into().map(f64::from).into()
    }

    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }
    pub(super) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }
    pub(super) fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }
    pub(super) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    pub(super) fn normalized(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { Self::ZERO }
    }
    pub(super) fn truncated(self, max: f64) -> Self {
        if self.length() > max { self.normalized() * max } else { self }
    }

    /// Returns the components along a heading (x) and to its left (y).
    pub(super) fn to_local(self, heading: Self) -> Self {
        Self::new(self.dot(heading), self.dot(heading.perp()))
    }
    pub(super) fn to_world(self, heading: Self) -> Self {
        heading * self.x + heading.perp() * self.y
    }
    /// Turns this heading toward `desired` by at most `limit` radians.
    pub(super) fn turned(self, desired: Self, limit: f64) -> Self {
        let angle = self.cross(desired).atan2(self.dot(desired)).clamp(-limit, limit);
        Self::new(angle.cos(), angle.sin()).to_world(self).normalized()
    }
}

impl Add for V {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for V {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for V {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Neg for V {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Sum for V {
    fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
        vectors.fold(Self::ZERO, Add::add)
    }
}

impl From<[f64; 2]> for V {
    fn from([x, y]: [f64; 2]) -> Self {
        Self::new(x, y)
    }
}

impl From<V> for [f64; 2] {
    fn from(vector: V) -> Self {
        [vector.x, vector.y]
    }
}
