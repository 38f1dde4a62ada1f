//! Unaligned collision avoidance: step aside for the neighbor with the earliest predicted
//! collision.
//!
//! The behavior runs its own sweep, which computes the time and distance of closest approach for
//! every neighbor. Each lane keeps the slot and offset of the neighbor with the earliest collision,
//! and looks up that neighbor's heading and velocity after the loop. Cost per candidate and batch:
//! 1 division and about 25 other operations.

use crate::behaviors::steer::{
    Batch, Candidate, Feature, Force, Lanes, Limit, Neighborhood, Vec3, behavior,
};

behavior! {
    /// Steers out of the way of neighbors on a collision course
    /// (Reynolds 1999, "Unaligned collision avoidance").
    pub struct CollisionAvoidance: "collision_avoidance" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 2.0, 0.0 to 1.0e6;
        /// Time horizon: later collisions are ignored.
        horizon: f32 = 1.0, 0.0 to 1.0e3 "s";
        /// Distance to keep between bounding circles.
        margin: f32 = 2.0, 0.0 to 1.0e4 "world units";
        /// Neighbors to avoid.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let motion = batch.crowd.motion;
        // Slices, so that the loop does not locate the columns again for every candidate.
        let velocities = motion.velocity.all();
        let radii = batch.crowd.attributes.limit(Limit::Radius);
        let zero = L::zero();
        let own_room = batch.radius() + L::splat(self.margin);
        let shared_radius = batch.species.limits[Limit::Radius as usize];

        let own_velocity = batch.velocity();
        let mut earliest = L::splat(self.horizon);
        let (mut offset, mut slots) = (Vec3::zero(), zero);
        batch.for_each_seen(
            #[inline(always)]
            |Candidate { slot, offset: to, seen, .. }| {
                let velocity = velocities.splat(slot);
                let relative = velocity - own_velocity;
                let radius = radii.get(slot).copied().unwrap_or(shared_radius);
                let room = own_room + L::splat(radius);
                // For the agent itself, the time is 0/0 = NaN, which fails every comparison.
                let time = -to.dot(relative) / relative.dot(relative);
                let then = relative.mul_add(time, to);
                let threatens =
                    seen & time.gt(zero) & time.lt(earliest) & then.dot(then).lt(room * room);
                earliest = threatens.select(time, earliest);
                offset = Vec3::select(threatens, to, offset);
                // Slots are stored as the bits of an `f32`; `select` copies bits unchanged.
                slots = threatens.select(L::splat(f32::from_bits(slot as u32)), slots);
            },
        );
        let threatened = earliest.lt(L::splat(self.horizon));
        if threatened.none() {
            return Force::none();
        }

        let lanes = slots.to_array();
        let slot = |lane: usize| lanes[lane].to_bits() as usize;
        let (heading, velocity) = (motion.heading.gather_lanes(slot), motion.velocity.gather_lanes(slot));
        let along = batch.heading().dot(heading);
        // Head-on: avoid the neighbor's future position. Parallel: avoid the neighbor's present
        // position. Crossing: pass behind the neighbor.
        let meeting = velocity.mul_add(earliest, offset);
        batch.draw_point(Feature::Predicted, batch.position() + meeting, threatened);
        batch.draw_circle(Feature::Threat, batch.position() + offset, own_room, threatened);
        let threat = Vec3::select(along.gt(L::splat(PARALLEL)), offset, velocity);
        let threat = Vec3::select(along.lt(L::splat(-PARALLEL)), meeting, threat);
        let (across, side) = threat.across(batch.heading());
        let speed = across.gt(zero).select(-batch.max_speed(), batch.max_speed());
        (side * speed).keep(threatened).into()
    }

    fn reads_radii(&self) -> bool {
        true
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}

/// Cosine of 45°, the maximum angle between headings that are treated as parallel.
const PARALLEL: f32 = std::f32::consts::FRAC_1_SQRT_2;
