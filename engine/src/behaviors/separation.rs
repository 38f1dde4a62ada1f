//! Separation: Σ (p − pj) / |p − pj|² over the neighbors j of an agent at p.
//!
//! The flocking rules share a sweep that computes Σ (pj − p) / |p − pj|². This kernel negates it.

use crate::behaviors::steer::{Batch, Force, Lanes, Neighborhood, behavior};

behavior! {
    /// Steers away from each neighbor, more strongly from nearer ones
    /// (Reynolds 1999, "Separation"; Buckland 2004, ch. 3).
    ///
    /// Agents at exactly the same position do not separate, as in the sources: no direction is
    /// defined. A scene's `non_penetration = 1` pushes them apart.
    pub struct Separation: "separation" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// Neighbors to keep away from.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (-batch.inverse_offset()).into()
    }
}
