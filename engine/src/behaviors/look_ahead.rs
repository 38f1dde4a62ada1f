//! Obstacle avoidance with a look-ahead line. An obstacle is a threat if it contains the agent or
//! the line's midpoint or end. The force points from the nearest threat's center to the line's end.
//!
//! Cost per obstacle and batch: about 25 operations, no division.

use crate::batch::scenery::NearObstacle;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Vec3, behavior};

behavior! {
    /// Steers away from the most threatening obstacle on a line ahead
    /// (Bevilacqua 2013, "Understanding steering behaviors: collision avoidance").
    pub struct LookAhead: "look_ahead" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 1.0, 0.0 to 1.0e6;
        /// Length of the look-ahead line at full speed.
        max_see_ahead: f32 = 60.0, 0.0 to 1.0e5 "world units";
        /// Magnitude of the unweighted force.
        max_avoid_force: f32 = 400.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let length = batch.speed_share() * L::splat(self.max_see_ahead);
        let ahead = batch.velocity().normalized() * length;
        let halfway = ahead * L::splat(0.5);
        let position = batch.position();
        batch.draw_line(Feature::Feeler, position, position + ahead, batch.members);

        let mut nearest = L::splat(f32::INFINITY);
        let (mut offset_hit, mut center_hit, mut radius_hit) = (Vec3::zero(), Vec3::zero(), L::zero());
        batch.for_each_obstacle(
            #[inline(always)]
            |&NearObstacle { offset, center, radius, .. }| {
                let (from_end, from_middle) = (offset - ahead, offset - halfway);
                let radius_sq = radius * radius;
                let distance_sq = offset.dot(offset);
                let hit = distance_sq.le(radius_sq)
                    | from_middle.dot(from_middle).le(radius_sq)
                    | from_end.dot(from_end).le(radius_sq);
                let nearer = hit & distance_sq.lt(nearest);
                if L::WIDTH == 1 && nearer.none() {
                    return;
                }
                nearest = nearer.select(distance_sq, nearest);
                offset_hit = Vec3::select(nearer, offset, offset_hit);
                center_hit = Vec3::select(nearer, center, center_hit);
                radius_hit = nearer.select(radius, radius_hit);
            },
        );
        let hit = nearest.lt(L::splat(f32::INFINITY));
        batch.draw_circle(Feature::Threat, center_hit, radius_hit, hit);
        let push = (ahead - offset_hit).normalized() * L::splat(self.max_avoid_force);
        push.keep(hit).into()
    }

    fn obstacle_range(&self) -> f32 {
        self.max_see_ahead
    }
}
