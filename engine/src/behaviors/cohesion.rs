//! Cohesion: seek the mean position of the neighbors.
//!
//! The sweep sums the neighbors' offsets from the agent. Unlike summed positions, the sum points to
//! the neighbors' center even across the seam of a torus. To avoid dividing by the sum's length,
//! the kernel computes the seek force times that length. The only division comes later,
//! when the force is weighted.

use crate::behaviors::steer::{Batch, Force, Lanes, Neighborhood, behavior};

behavior! {
    /// Steers toward the center of the neighbors; no force without neighbors
    /// (Reynolds 1999, "Cohesion"; Buckland 2004, ch. 3).
    pub struct Cohesion: "cohesion" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 400.0, 0.0 to 1.0e6;
        /// If true, the force is normalized before it is weighted, as the book's weights assume.
        normalized: bool = true;
        /// Neighbors whose mean position the agent seeks.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let near = batch.neighbor_sums();
        let length = near.offset.length();
        // At the center, the desired velocity is zero, so the force is −v.
        let length = length.gt(L::zero()).select(length, L::splat(1.0));
        let seek = near.offset.mul_add(batch.max_speed(), -(batch.velocity() * length));
        let seek = seek.keep(near.any());
        if self.normalized { Force::unit(seek) } else { Force::divided(seek, length) }
    }
}
