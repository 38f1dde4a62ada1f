//! Separation as another crate writes it, with a sweep of its own or with the shared sums: what the
//! public trait costs.

use flockwork::kernel::{Batch, Force, Lanes, Vec2, behavior};
use flockwork::{Behavior, Scene, Separation};

behavior! {
    /// Steers away from each neighbor, more strongly from nearer ones.
    pub struct Repulsion: "repulsion" {
        /// Scales the force.
        weight: f32 = 0.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let mut push = Vec2::zero();
        batch.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                let inverse = L::splat(1.0) / neighbor.distance_sq;
                push = neighbor.way.mul_add_where(neighbor.seen, inverse, push);
            },
        );
        (-push).into()
    }
}

behavior! {
    /// Steers away from each neighbor, from the sums that all behaviors share.
    pub struct SharedRepulsion: "shared_repulsion" {
        /// Scales the force.
        weight: f32 = 0.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (-batch.inverse_offset()).into()
    }
}

/// The scene with another behavior in place of separation, given the weight.
pub fn anew(mut scene: Scene, other: impl Fn(f32) -> Behavior) -> Scene {
    for behavior in scene.species.iter_mut().flat_map(|species| &mut species.behaviors) {
        if let Behavior::Separation(Separation { weight }) = *behavior {
            *behavior = other(weight);
        }
    }
    scene
}
