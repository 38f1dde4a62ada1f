use crate::behaviors::steer::{Batch, Force, Lanes, behavior};

behavior! {
    /// Speeds up or brakes to a cruising speed, straight ahead (OpenSteer, `steerForTargetSpeed`).
    /// List this behavior last, so that more urgent behaviors can use full speed.
    pub struct Cruise: "cruise" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 2.0, 0.0 to 1.0e6;
        /// The speed to maintain.
        speed: f32 = 75.0, 0.0 to 1.0e5 "units/s";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let heading = batch.heading();
        let ahead = heading.dot(batch.velocity());
        (heading * (L::splat(self.speed) - ahead)).into()
    }
}
