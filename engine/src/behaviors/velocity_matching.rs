//! Velocity matching: approach the neighbors' mean velocity over a time constant.
//!
//! The behavior runs its own sweep. Per candidate and batch, the visibility test costs
//! 2 subtractions, 2 FMAs, 1 comparison, and 1 mask; the sums cost 1 addition and 2 FMAs.

use crate::behaviors::steer::{Batch, Candidate, Force, Lanes, Neighborhood, Vec3, behavior};

behavior! {
    /// Matches the mean velocity of the neighbors (Reynolds 1987, "Velocity matching").
    pub struct VelocityMatching: "velocity_matching" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 1.0, 0.0 to 1.0e6;
        /// Time over which the velocity difference would vanish.
        time_constant: f32 = 0.5, 1.0e-3 to 1.0e3 "s";
        /// Neighbors to average over.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let motion = batch.crowd.motion;
        let (one, mut count) = (L::splat(1.0), L::zero());
        let mut sum = Vec3::zero();
        batch.for_each_seen(
            #[inline(always)]
            |Candidate { slot, seen, .. }| {
                let velocity = motion.velocity.splat(slot);
                let weight = seen.keep(one);
                count = count + weight;
                sum = velocity.mul_add(weight, sum);
            },
        );
        if batch.view.includes_itself {
            (count, sum) = (count - one, sum - batch.velocity());
        }
        let vector = batch.velocity().mul_add(-count, sum);
        Force::divided(vector, count * L::splat(self.time_constant))
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}
