//! Rays: where a straight line first meets a wall or an obstacle, solid or not.
//!
//! A ray meets walls from both sides, so either two agents see each other, or neither sees the
//! other.

use super::{DiskCast, Exact, Solid, Solids};
use crate::math::aabb::Aabb;
use crate::math::vec3::Vec3;
use crate::scenery::index::Near;
use crate::scenery::solid::swept_aabb;
use crate::world::space::Space;

/// Maximum number of parts into which a ray is cut. On longer rays, each part exceeds the index's
/// box size.
const MAX_PARTS: f64 = 4_096.0;
/// Walls and triangles extend beyond their edges by this fraction of a ray's coordinates, because
/// rounding must not let a ray through where two of them meet.
const SLACK: f64 = 1.0e-12;

impl Solid {
    /// The fraction of the motion at which a point first meets the solid.
    pub(super) fn met_by_point(&self, from: Exact, motion: Exact) -> Option<f64> {
        if self.radius > 0.0 {
            return self.met_circle(from, motion);
        }
        let falls = -motion.dot(self.normal);
        if falls == 0.0 {
            return None;
        }
        let fraction = (from - self.from).dot(self.normal) / falls;
        let at = from + motion * fraction;
        let slack = SLACK * (from.length() + motion.length());
        let along = self.to - self.from;
        let is_on = if self.third.is_some() {
            let inward = |[a, b]: [Exact; 2]| self.normal.across_both((b - a).normalized());
            self.edges().into_iter().all(|edge| inward(edge).dot(at - edge[0]) >= -slack)
        } else {
            let (foot, length) = ((at - self.from).dot(along), along.length());
            (-slack * length..=(length + slack) * length).contains(&foot)
        };
        ((0.0..=1.0).contains(&fraction) && is_on).then_some(fraction)
    }

    fn met_circle(&self, from: Exact, motion: Exact) -> Option<f64> {
        let offset = from - self.from;
        let (a, b) = (motion.dot(motion), offset.dot(motion));
        let outside = offset.dot(offset) - self.radius * self.radius;
        if outside <= 0.0 {
            return Some(0.0);
        }
        let root = b * b - a * outside;
        if b >= 0.0 || root < 0.0 {
            return None;
        }
        let fraction = (-b - root.sqrt()) / a;
        (fraction <= 1.0).then_some(fraction)
    }
}

impl Solids {
    /// The index of the solid that a ray meets first, and the fraction of the ray up to it. On a
    /// torus, the ray may leave the world.
    pub(crate) fn first_met(
        &self,
        from: Exact,
        motion: Exact,
        space: &Space,
    ) -> Option<(usize, f64)> {
        let mut part = f64::from(self.index.box_size()).max(motion.length() / MAX_PARTS);
        if space.is_torus() {
            // Images of solids are searched only around the start of a part.
            part = part.min(space.smaller_side().into());
        }
        let parts = (motion.length() / part).ceil().max(1.0);
        let mut near = Near::default();
        let mut first: Option<(usize, f64)> = None;
        for part in 0..parts as u32 {
            let end = |part: u32| (from + motion * (f64::from(part) / parts)).to_f32();
            let cast = DiskCast { from: end(part), to: end(part + 1), radius: 0.0 };
            let around = Aabb::at(cast.from).join(&Aabb::at(cast.to));
            self.index.near_box(swept_aabb(around, 0.0, space), &mut near);
            self.for_each_near(near.iter(), &cast, space, |index, solid| {
                if let Some(fraction) = solid.met_by_point(from, motion)
                    && first.is_none_or(|(_, least)| fraction < least)
                {
                    first = Some((index, fraction));
                }
            });
            // Solids that only later parts meet are farther away.
            if first.is_some_and(|(_, fraction)| fraction * parts <= f64::from(part + 1)) {
                break;
            }
        }
        first
    }

    /// True if a wall or an obstacle is between a point and the point at this offset from it.
    #[inline(never)]
    pub(crate) fn hide(&self, from: Vec3<f32>, offset: Vec3<f32>, space: &Space) -> bool {
        self.first_met(Exact::from_f32(from), Exact::from_f32(offset), space).is_some()
    }
}
