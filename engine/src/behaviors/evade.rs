use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Mask, Target, Vec3, behavior};

behavior! {
    /// Steers away from where a pursuer will be (Reynolds 1999, "Evasion"; Buckland 2004, ch. 3).
    pub struct Evade: "evade" {
        /// Multiplier applied to the force; 0 disables the behavior. The book uses 2.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to evade.
        pursuer: Target = Target::Unset;
        /// Distance beyond which the pursuer is ignored; none for no limit. The book uses 100.
        threat_range: Option<f32> = None, 0.0 to 1.0e7 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (pursuer, present) = batch.target(&self.pursuer);
        let threatened = match self.threat_range {
            Some(range) => {
                batch.draw_circle(Feature::Range, pursuer.position, L::splat(range), present);
                let offset = batch.offset_to(pursuer.position);
                present & offset.dot(offset).le(L::splat(range * range))
            }
            None => present,
        };
        if threatened.none() {
            return Force::none();
        }
        away_from(batch, pursuer.position, pursuer.velocity, threatened).into()
    }
}

#[inline(always)]
pub(super) fn away_from<L: Lanes>(
    batch: &mut Batch<'_, L>,
    position: Vec3<L>,
    velocity: Vec3<L>,
    threatened: Mask<L>,
) -> Vec3<L> {
    let time = batch.offset_to(position).length() / (batch.max_speed() + velocity.length());
    let predicted = velocity.mul_add(time, position);
    batch.draw_point(Feature::Predicted, predicted, threatened);
    seek::along(batch, -batch.offset_to(predicted)).keep(threatened)
}
