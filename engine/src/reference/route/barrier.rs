use crate::reference::vector::V;

/// A wall, an obstacle, or a line that no route crosses: all points within `radius` of a segment.
#[derive(Clone, Copy)]
pub(super) struct Barrier {
    pub(super) from: V,
    pub(super) to: V,
    pub(super) radius: f64,
}

impl Barrier {
    pub(super) fn axis(from: V, to: V) -> Self {
        Self { from, to, radius: 0.0 }
    }

    /// Lowest and highest coordinates of the segment, without the radius.
    pub(super) fn ends(&self) -> (V, V) {
        (self.from.zip(self.to, f64::min), self.from.zip(self.to, f64::max))
    }

    /// Lowest and highest coordinates, including the radius.
    pub(super) fn bounds(&self) -> (V, V) {
        let ((low, high), radius) = (self.ends(), V::flat(self.radius, self.radius));
        (low - radius, high + radius)
    }

    /// Copies of the barrier on a torus that are within reach of the world.
    pub(super) fn images(self, size: V, reach: f64) -> impl Iterator<Item = Self> {
        let (low, high) = self.bounds();
        let turns = |low: f64, high: f64, size: f64| {
            // Beyond two world sizes, copies only repeat.
            let reach = reach.min(2.0 * size);
            let (first, last) = ((-reach - high) / size, (size + reach - low) / size);
            let last = last.floor().min(first.ceil() + 9.0);
            first.ceil() as i64..=last as i64
        };
        let rows = turns(low.y, high.y, size.y);
        turns(low.x, high.x, size.x).flat_map(move |x| {
            rows.clone().map(move |y| {
                let shift = V::flat(x as f64 * size.x, y as f64 * size.y);
                Self { from: self.from + shift, to: self.to + shift, ..self }
            })
        })
    }

    /// `at` minus the nearest point on the segment.
    pub(super) fn offset_of(&self, at: V) -> V {
        let along = self.to - self.from;
        let length_sq = along.dot(along);
        let t = if length_sq > 0.0 { (at - self.from).dot(along) / length_sq } else { 0.0 };
        at - (self.from + along * t.clamp(0.0, 1.0))
    }

    pub(super) fn clearance(&self, at: V) -> f64 {
        self.offset_of(at).length() - self.radius
    }

    /// Distance to another barrier, negative if the two overlap.
    pub(super) fn gap(&self, other: &Self) -> f64 {
        let radii = self.radius + other.radius;
        if self.crosses(other, 0.0) { -radii } else { self.line_to(other, 0.0).0 }
    }

    /// Returns the distance between the two barriers along the shortest line from an end of one
    /// segment to the other segment, and that line.
    pub(super) fn line_to(&self, other: &Self, bias: f64) -> (f64, Self) {
        let lines = [self.from, self.to].map(|end| Self::axis(end, end - other.offset_of(end)));
        let others = [other.from, other.to].map(|end| Self::axis(end, end - self.offset_of(end)));
        let mut shortest = (f64::INFINITY, *self);
        for line in lines.into_iter().chain(others) {
            let length = (line.to - line.from).length();
            if length < shortest.0 + bias {
                shortest = (length, line);
            }
        }
        (shortest.0 - self.radius - other.radius, shortest.1)
    }

    /// True if the two segments, ignoring their radii, have a common point.
    pub(super) fn crosses(&self, other: &Self, bias: f64) -> bool {
        let (a, b) = (self.ends(), other.ends());
        let (low, high) = (a.0.zip(b.0, f64::max), a.1.zip(b.1, f64::min));
        let is_split = |line: &Self, by: &Self| {
            let left = (by.to - by.from).normalized().quarter_turn();
            let heights = [line.from, line.to].map(|end| left.dot(end - by.from));
            heights[0].min(heights[1]) <= bias && heights[0].max(heights[1]) >= -bias
        };
        (low - V::flat(bias, bias)).all_le(high) && is_split(self, other) && is_split(other, self)
    }
}
