//! Obstacle avoidance with a detection box: steer sideways around the first obstacle in the box,
//! and brake for it.
//!
//! Each obstacle near the batch is broadcast to all lanes and transformed into each agent's local
//! frame. Each lane keeps the obstacle with the nearest intersection. Cost per obstacle per batch:
//! 1 square root and about 30 other operations.

use crate::batch::scenery::NearObstacle;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Vec3, behavior};

behavior! {
    /// Steers around obstacles in a box ahead that grows with speed
    /// (Reynolds 1999, "Obstacle avoidance"; Buckland 2004, ch. 3, corrected, see
    /// `docs/errata.md`).
    pub struct ObstacleAvoidance: "obstacle_avoidance" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 2000.0, 0.0 to 1.0e6;
        /// Length of the detection box at rest; at full speed it is twice as long.
        box_length: f32 = 40.0, 1.0e-3 to 1.0e5 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (ahead, bounding_radius) = (batch.heading(), batch.radius());
        if batch.obstacles().is_empty() && !batch.is_explained() {
            return Force::none();
        }
        let least = L::splat(self.box_length);
        let length = batch.speed_share().mul_add(least, least);
        let detected = [ahead * length, ahead.left() * bounding_radius];
        batch.draw_box(Feature::DetectionBox, batch.position(), detected, batch.members);
        let (zero, one, infinity) = (L::zero(), L::splat(1.0), L::splat(f32::INFINITY));

        let mut nearest = infinity;
        let (mut offset_hit, mut center_hit) = (Vec3::zero(), Vec3::zero());
        let (mut expanded_hit, mut radius_hit) = (zero, zero);
        batch.for_each_obstacle(
            #[inline(always)]
            |&NearObstacle { offset, center, radius, .. }| {
                let (along, (across, _)) = (offset.dot(ahead), offset.across(ahead));
                let expanded = radius + bounding_radius;
                let range = length + radius;
                let in_box = offset.dot(offset).lt(range * range)
                    & along.ge(zero)
                    & across.abs().lt(expanded);
                if L::WIDTH == 1 && in_box.none() {
                    return;
                }
                let half_chord = expanded.mul_add(expanded, -(across * across)).sqrt();
                let entry = along - half_chord;
                let intersection = entry.gt(zero).select(entry, along + half_chord);
                let nearer = in_box & intersection.lt(nearest);
                nearest = nearer.select(intersection, nearest);
                offset_hit = Vec3::select(nearer, offset, offset_hit);
                expanded_hit = nearer.select(expanded, expanded_hit);
                radius_hit = nearer.select(radius, radius_hit);
                center_hit = Vec3::select(nearer, center, center_hit);
            },
        );
        let hit = nearest.lt(infinity);
        batch.draw_circle(Feature::Threat, center_hit, radius_hit, hit);

        // The sideways force grows as the obstacle's center comes nearer, but is never less than
        // the overlap, even if the obstacle is larger than the box.
        let (along, (across, side)) = (offset_hit.dot(ahead), offset_hit.across(ahead));
        let closeness = (length - along) / length;
        let closeness = closeness.gt(zero).keep(closeness);
        let overlap = (expanded_hit - across.abs()) * (one + closeness);
        let lateral = across.ge(zero).select(-overlap, overlap);
        let braking = radius_hit - along;
        let braking = braking.lt(zero).keep(braking) * L::splat(BRAKING);
        side.mul_add(lateral, ahead * braking).keep(hit).into()
    }

    fn obstacle_range(&self) -> f32 {
        2.0 * self.box_length
    }
}

/// Multiplier of the braking force (Buckland's `BrakingWeight`).
const BRAKING: f32 = 0.2;
