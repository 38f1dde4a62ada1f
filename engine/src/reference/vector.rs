use crate::math::vec3::Vec3;

pub(super) type V = Vec3<f64>;

impl V {
    pub(super) fn truncated(self, max: f64) -> Self {
        if self.length() > max { self.normalized() * max } else { self }
    }

    /// Horizontal unit vector to the left of a heading; +y if the heading is vertical.
    pub(super) fn left_of(heading: Self) -> Self {
        let left = heading.quarter_turn();
        match left.length() {
            _ if heading.z == 0.0 => left,
            length if length <= 1.0e-6 => Self::flat(0.0, 1.0),
            length => left * (1.0 / length),
        }
    }

    /// Upward unit vector, perpendicular to a heading and to the vector to its left.
    pub(super) fn above(heading: Self) -> Self {
        let left = Self::left_of(heading);
        let z = heading.x * left.y - heading.y * left.x;
        Self { x: -heading.z * left.y, y: heading.z * left.x, z }
    }

    /// The vector with these components along a heading, to its left and above it.
    pub(super) fn to_world(self, heading: Self) -> Self {
        heading * self.x + Self::left_of(heading) * self.y + Self::above(heading) * self.z
    }

    /// Length and direction of the part of the vector that is perpendicular to a heading. In the
    /// plane, the direction points to the left, and the length is negative for vectors to the
    /// right.
    pub(super) fn across(self, heading: Self) -> (f64, Self) {
        let left = Self::left_of(heading);
        if self.z == 0.0 && heading.z == 0.0 {
            return (self.dot(left), left);
        }
        let aside = self - heading * self.dot(heading);
        match aside.length() {
            length if length <= 1.0e-6 * self.length() => (0.0, left),
            length => (length, aside * (1.0 / length)),
        }
    }

    /// Turns this heading toward `desired` by at most `limit` radians.
    pub(super) fn turned(self, desired: Self, limit: f64) -> Self {
        let ((across, side), along) = (desired.across(self), self.dot(desired));
        let is_left = across >= along.min(0.0) * 1.0e-6;
        let angle = if is_left { across.abs() } else { across }.atan2(along);
        let angle = angle.clamp(-limit, limit);
        (self * angle.cos() + side * angle.sin()).normalized()
    }
}
