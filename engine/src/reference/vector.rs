use crate::math::vec2::Vec2;

pub(super) type V = Vec2<f64>;

impl V {
    pub(super) fn truncated(self, max: f64) -> Self {
        if self.length() > max { self.normalized() * max } else { self }
    }

    /// Returns the components along a heading (x) and to its left (y).
    pub(super) fn to_local(self, heading: Self) -> Self {
        Self::new(self.dot(heading), self.dot(heading.left()))
    }
    pub(super) fn to_world(self, heading: Self) -> Self {
        heading * self.x + heading.left() * self.y
    }
    /// Turns this heading toward `desired` by at most `limit` radians.
    pub(super) fn turned(self, desired: Self, limit: f64) -> Self {
        let angle = self.cross(desired).atan2(self.dot(desired)).clamp(-limit, limit);
        Self::new(angle.cos(), angle.sin()).to_world(self).normalized()
    }
}
