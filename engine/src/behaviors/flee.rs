use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Target, behavior};

behavior! {
    /// Steers away from a target at full speed (Reynolds 1999, "Flee"; Buckland 2004, ch. 3).
    pub struct Flee: "flee" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to flee from.
        target: Target = Target::Unset;
        /// Distance beyond which there is no force; none for no limit. The book uses 100.
        panic_distance: Option<f32> = None, 0.0 to 1.0e7 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (target, present) = batch.target(&self.target);
        let away = -batch.offset_to(target.position);
        let force = seek::along(batch, away).keep(present);
        let Some(distance) = self.panic_distance else { return force.into() };
        batch.draw_circle(Feature::Range, target.position, L::splat(distance), present);
        force.keep(away.dot(away).le(L::splat(distance * distance))).into()
    }
}
