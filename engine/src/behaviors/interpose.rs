use crate::behaviors::arrive;
use crate::behaviors::steer::{Batch, Deceleration, Feature, Force, Lanes, Target, behavior};

behavior! {
    /// Steers to the midpoint of two targets (Buckland 2004, ch. 3, "Interpose"). Each
    /// target may be an agent or a point.
    pub struct Interpose: "interpose" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// One target.
        a: Target = Target::Unset;
        /// The other target.
        b: Target = Target::Unset;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (a, a_present) = batch.target(&self.a);
        let (b, b_present) = batch.target(&self.b);
        let present = a_present & b_present;
        let space = batch.crowd.space;
        let middle = space.midway(batch.offset_to(a.position), batch.offset_to(b.position));
        let time = (middle.length() / batch.max_speed()).min(L::splat(batch.crowd.max_prediction));
        let a_then = a.velocity.mul_add(time, a.position);
        let b_then = b.velocity.mul_add(time, b.position);
        let (to_a, to_b) = (batch.offset_to(a_then), batch.offset_to(b_then));
        let offset = space.midway(to_a, to_b);
        let middle = batch.position() + offset;
        let half = space.shortest(to_b - to_a) * L::splat(0.5);
        batch.draw_line(Feature::Span, middle - half, middle + half, present);
        batch.draw_point(Feature::Predicted, middle, present);
        arrive::along(batch, offset, Deceleration::Fast).keep(present).into()
    }
}
