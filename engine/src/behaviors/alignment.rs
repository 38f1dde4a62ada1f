//! Alignment: the neighbors' mean heading minus the agent's own heading.
//!
//! The headings are summed in the sweep that all flocking rules share. The division by the neighbor
//! count is postponed until the force is weighted.

use crate::behaviors::steer::{Batch, Force, Lanes, Neighborhood, behavior};

behavior! {
    /// Turns toward the mean heading of the neighbors; no force without neighbors
    /// (Reynolds 1999, "Alignment"; Buckland 2004, ch. 3).
    pub struct Alignment: "alignment" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// Neighbors to average over.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let near = batch.neighbor_sums();
        Force::divided(batch.heading().mul_add(-near.count, near.heading), near.count)
    }
}
