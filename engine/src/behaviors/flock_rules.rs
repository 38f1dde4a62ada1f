use crate::behaviors::steer::{Batch, Force, Lanes, Neighborhood, behavior};

behavior! {
    /// Alignment, cohesion and separation as unit vectors, for
    /// [`Locomotion::ConstantSpeed`](crate::Locomotion::ConstantSpeed) (Fernando Bevilacqua
    /// 2013, "The Three Simple Rules of Flocking Behaviors").
    ///
    /// The tutorial's separation is exactly opposite to its cohesion, so it can only cancel
    /// cohesion. With `near_separation`, separation scales each neighbor's offset by 1/distance²
    /// instead, so that both rules matter.
    pub struct FlockRules: "flock_rules" {
        /// Scales the force.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// Weight of alignment: the direction of the mean heading.
        alignment: f32 = 1.0, 0.0 to 1.0e3;
        /// Weight of cohesion: the direction to the mean position.
        cohesion: f32 = 1.0, 0.0 to 1.0e3;
        /// Weight of separation.
        separation: f32 = 1.0, 0.0 to 1.0e3;
        /// If true, separation weights each neighbor by 1/distance;
        /// if false, it is the negative of cohesion.
        near_separation: bool = true;
        /// Neighborhood shared by all three rules.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let near = batch.neighbor_sums();
        let alignment = near.heading.normalized();
        let cohesion = near.offset.normalized();
        let separation =
            if self.near_separation { -near.inverse_offset.normalized() } else { -cohesion };
        let sum = alignment * L::splat(self.alignment);
        let sum = cohesion.mul_add(L::splat(self.cohesion), sum);
        let sum = separation.mul_add(L::splat(self.separation), sum);
        sum.keep(near.any()).into()
    }
}
