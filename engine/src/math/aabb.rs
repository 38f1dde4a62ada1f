use wide::f32x4;

use crate::math::axes::Axes;
use crate::math::vec3::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub(crate) low: Vec3<f32>,
    pub(crate) high: Vec3<f32>,
}

impl Aabb {
    pub(crate) const EVERYWHERE: Self = Self {
        low: Vec3 { x: f32::NEG_INFINITY, y: f32::NEG_INFINITY, z: f32::NEG_INFINITY },
        high: Vec3 { x: f32::INFINITY, y: f32::INFINITY, z: f32::INFINITY },
    };

    #[inline(always)]
    pub(crate) fn around(Axes([x, y, z]): Axes<&[f32]>) -> Self {
        debug_assert!(!x.is_empty() && x.len() == y.len());
        let (xs, x_rest) = x.as_chunks::<4>();
        let (ys, y_rest) = y.as_chunks::<4>();
        // Min and max disagree across processors on the sign of zero, so `Lanes` omits them.
        // They are safe here, because the sign of zero does not affect overlap tests.
        let (mut left, mut right) = (f32x4::splat(x[0]), f32x4::splat(x[0]));
        let (mut bottom, mut top) = (f32x4::splat(y[0]), f32x4::splat(y[0]));
        for (&x, &y) in xs.iter().zip(ys) {
            let (x, y) = (f32x4::from(x), f32x4::from(y));
            (left, right) = (left.fast_min(x), right.fast_max(x));
            (bottom, top) = (bottom.fast_min(y), top.fast_max(y));
        }
        // Each transposed vector has the four bounds found by one lane. The upper bounds are
        // negated, so that taking minimums merges all four vectors.
        let fours = f32x4::transpose([left, bottom, -right, -top]);
        let rest = x_rest.iter().zip(y_rest).map(|(&x, &y)| f32x4::from([x, y, -x, -y]));
        let [a, b, c, d] = fours;
        let four = a.fast_min(b).fast_min(c.fast_min(d));
        let least = rest.fold(four, f32x4::fast_min);
        let [left, bottom, right, top] = least.to_array();
        let [back, front] = Self::between(z);
        let low = Vec3 { x: left, y: bottom, z: back };
        Self { low, high: Vec3 { x: -right, y: -top, z: front } }
    }

    /// The smallest and the largest of some numbers, or 0 if there are none.
    #[inline(always)]
    fn between(z: &[f32]) -> [f32; 2] {
        let Some(&first) = z.first() else { return [0.0; 2] };
        let (fours, rest) = z.as_chunks::<4>();
        let (mut low, mut high) = (f32x4::splat(first), f32x4::splat(first));
        for &z in fours {
            (low, high) = (low.fast_min(f32x4::from(z)), high.fast_max(f32x4::from(z)));
        }
        let (mut least, mut most) = (first, first);
        for &z in low.to_array().iter().chain(&high.to_array()).chain(rest) {
            least = if z < least { z } else { least };
            most = if z > most { z } else { most };
        }
        [least, most]
    }

    #[inline(always)]
    pub(crate) fn at(point: Vec3<f32>) -> Self {
        Self { low: point, high: point }
    }

    pub(crate) fn join(self, other: &Self) -> Self {
        let (low, high) = (self.low.zip(other.low, f32::min), self.high.zip(other.high, f32::max));
        Self { low, high }
    }

    #[inline(always)]
    pub(crate) fn expanded(self, margin: Vec3<f32>) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    #[inline(always)]
    pub(crate) fn shifted(self, offset: Vec3<f32>) -> Self {
        Self { low: self.low + offset, high: self.high + offset }
    }

    #[inline(always)]
    pub(crate) fn size(&self) -> Vec3<f32> {
        self.high - self.low
    }

    #[inline(always)]
    pub(crate) fn center(&self) -> Vec3<f32> {
        (self.low + self.high) * 0.5
    }

    /// Compares only x and y.
    pub(crate) fn is_inside(&self, size: Vec3<f32>) -> bool {
        let Self { low, high } = self;
        0.0 <= low.x && 0.0 <= low.y && high.x <= size.x && high.y <= size.y
    }

    /// Vector for testing with a single comparison whether two boxes overlap in x and y. They
    /// overlap if no lane exceeds the same lane of the other box's [`Self::opposite_bounds`].
    pub(crate) fn bounds(self) -> f32x4 {
        f32x4::from([self.low.x, self.low.y, -self.high.x, -self.high.y])
    }

    #[inline(always)]
    pub(crate) fn opposite_bounds(self) -> f32x4 {
        f32x4::from([self.high.x, self.high.y, -self.low.x, -self.low.y])
    }
}
