//! Pursuit: seek the point where the evader will be when the agent gets there.
//!
//! If the evader is ahead and approaches head-on, the agent seeks the evader's current position.

use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Target, Vec3, behavior};

behavior! {
    /// Steers to intercept a moving target (Reynolds 1999, "Pursuit"; Buckland 2004, ch. 3).
    pub struct Pursuit: "pursuit" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to pursue.
        evader: Target = Target::Unset;
        /// Time for turning: this value times (1 − cos of the turn angle) is added to the
        /// prediction time. Buckland uses 0.5: one second for a half-turn.
        turnaround: f32 = 0.0, 0.0 to 100.0 "s";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (evader, present) = batch.target(&self.evader);
        let offset = batch.offset_to(evader.position);
        let ahead = offset.dot(batch.heading()).gt(L::zero());
        let head_on = ahead & batch.heading().dot(evader.heading).lt(L::splat(HEAD_ON));

        let turn = L::splat(1.0) - batch.heading().dot(offset.normalized());
        let time = offset.length() / (batch.max_speed() + evader.velocity.length());
        let time = turn.mul_add(L::splat(self.turnaround), time);
        let predicted = evader.velocity.mul_add(time, evader.position);
        batch.draw_point(Feature::Predicted, predicted, present & !head_on);
        let offset = Vec3::select(head_on, offset, batch.offset_to(predicted));
        seek::along(batch, offset).keep(present).into()
    }
}

/// An evader ahead approaches head-on if the dot product of the headings is below this value, i.e.
/// if the headings are within about 18° of opposite.
const HEAD_ON: f32 = -0.95;
