//! Separation written anew, as another crate writes a behavior: what the public trait costs.

use flockwork::custom::{Batch, CustomBehavior, Force, Lanes, Vec2, WEIGHT, fields};
use flockwork::{Behavior, Scene, Separation};
use serde::{Deserialize, Serialize};

/// Steers away from each neighbor, more strongly from nearer ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repulsion {
    /// Scales the force, from 0 to 1e6.
    pub weight: f32,
}

impl CustomBehavior for Repulsion {
    const NAME: &'static str = "repulsion";

    fields! {
        weight: WEIGHT,
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    #[inline(always)]
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

/// The same scene with [`Repulsion`] in place of separation.
pub fn anew(mut scene: Scene) -> Scene {
    for behavior in scene.species.iter_mut().flat_map(|species| &mut species.behaviors) {
        if let Behavior::Separation(Separation { weight }) = *behavior {
            *behavior = Repulsion { weight }.into();
        }
    }
    scene
}
