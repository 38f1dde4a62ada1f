use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Vec3, behavior};

behavior! {
    /// Keeps agents inside the world's rectangle (Reynolds 1999, "Containment"). For bounded and
    /// open worlds.
    pub struct Containment: "containment" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 4.0, 0.0 to 1.0e6;
        /// How many seconds ahead the position is predicted.
        prediction: f32 = 0.5, 1.0e-2 to 100.0 "s";
        /// Distance to keep from the edges, at most half the shorter side of the world.
        margin: f32 = 0.0, 0.0 to 1.0e6 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let predicted = batch.velocity().mul_add(L::splat(self.prediction), batch.position());
        batch.draw_point(Feature::Predicted, predicted, batch.members);
        let rate = L::splat(1.0 / self.prediction);
        let inward = predicted.zip(
            Vec3::splat(batch.crowd.space.size),
            #[inline(always)]
            |x, size| inward(x, L::splat(self.margin), size),
        );
        (inward * rate).into()
    }
}

/// Signed distance from a coordinate to the range [margin, size − margin]:
/// positive below the range, negative above it.
#[inline(always)]
fn inward<L: Lanes>(x: L, margin: L, size: L) -> L {
    let (below, above) = (margin - x, size - margin - x);
    below.gt(L::zero()).select(below, above.lt(L::zero()).keep(above))
}
