//! Seek: full speed toward the target, minus the current velocity.

use crate::behaviors::steer::{Batch, Force, Lanes, Target, Vec3, behavior};

behavior! {
    /// Steers toward a target at full speed (Reynolds 1999, "Seek"; Buckland 2004, ch. 3).
    pub struct Seek: "seek" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to seek.
        target: Target = Target::Unset;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (target, present) = batch.target(&self.target);
        along(batch, batch.offset_to(target.position)).keep(present).into()
    }
}

#[inline(always)]
pub(super) fn along<L: Lanes>(batch: &Batch<'_, L>, offset: Vec3<L>) -> Vec3<L> {
    offset.normalized() * batch.max_speed() - batch.velocity()
}
