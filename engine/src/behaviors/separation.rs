//! Separation: Σ (p − pj) / |p − pj|² over the neighbors.
//!
//! The sum comes from the shared sweep; two sign changes remain.

use crate::behaviors::steer::{Batch, Force, Lanes, Neighborhood, behavior};

behavior! {
    /// Steers away from each neighbor, more strongly from nearer ones
    /// (Reynolds 1999, "Separation"; Buckland 2004, ch. 3).
    ///
    /// Agents in exactly the same place do not push each other away, as in the sources: nothing says in
    /// which direction. A scene's `non_penetration = 1` parts them.
    pub struct Separation: "separation" {
        /// Scales the force.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// Which neighbors count.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (-batch.inverse_offset()).into()
    }
}
