use crate::behaviors::steer::{Batch, Deceleration, Force, Lanes, Target, Vec3, behavior};

behavior! {
    /// Steers toward a target and comes to rest on it
    /// (Reynolds 1999, "Arrival"; Buckland 2004, ch. 3).
    pub struct Arrive: "arrive" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to arrive at.
        target: Target = Target::Unset;
        /// How early to brake.
        deceleration: Deceleration = Deceleration::Normal;
        /// The time to cover the remaining distance at `fast`; `normal` takes twice as long, `slow`
        /// three times.
        deceleration_tweaker: f32 = 0.3, 1.0e-3 to 1.0e3 "s";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (target, present) = batch.target(&self.target);
        let rate = self.deceleration.rate(self.deceleration_tweaker);
        brake(batch, batch.offset_to(target.position), rate).keep(present).into()
    }
}

impl Deceleration {
    /// Inverse of the time to cover the remaining distance, in 1/s.
    fn rate(self, tweaker: f32) -> f32 {
        let steps = match self {
            Self::Fast => 1.0,
            Self::Normal => 2.0,
            Self::Slow => 3.0,
        };
        1.0 / (steps * tweaker)
    }
}

/// Force to come to rest at `offset` from the agent. Uses Buckland's deceleration tweaker, 0.3 s.
#[inline(always)]
pub(super) fn along<L: Lanes>(
    batch: &Batch<'_, L>,
    offset: Vec3<L>,
    deceleration: Deceleration,
) -> Vec3<L> {
    brake(batch, offset, deceleration.rate(0.3))
}

#[inline(always)]
fn brake<L: Lanes>(batch: &Batch<'_, L>, offset: Vec3<L>, rate: f32) -> Vec3<L> {
    let distance = offset.length();
    let per_distance = distance.gt(L::zero()).keep(speed(batch, distance, rate) / distance);
    come_to(batch, offset * per_distance)
}

/// Force toward a velocity along `direction`, whose length is at most 1, at a speed that brings the
/// agent to rest after `distance`.
#[inline(always)]
pub(super) fn settle<L: Lanes>(
    batch: &Batch<'_, L>,
    direction: Vec3<L>,
    distance: L,
    deceleration: Deceleration,
) -> Vec3<L> {
    come_to(batch, direction * speed(batch, distance, deceleration.rate(0.3)))
}

#[inline(always)]
fn speed<L: Lanes>(batch: &Batch<'_, L>, distance: L, rate: f32) -> L {
    // At most 1/dt: a higher rate would move the agent past the target in one step.
    let desired = distance * L::splat(rate.min(1.0 / batch.dt()));
    desired.lt(batch.max_speed()).select(desired, batch.max_speed())
}

/// Force toward a desired velocity, which may be zero.
#[inline(always)]
fn come_to<L: Lanes>(batch: &Batch<'_, L>, desired: Vec3<L>) -> Vec3<L> {
    // Locomotion stops an agent whose step is rounded away. This force must not start that agent
    // again, so its desired velocity is 0, as at the target.
    let desired = desired.keep(!batch.stays(desired));
    (desired - batch.velocity()) * overshoot_factor(batch)
}

/// Factor of at most 1 that keeps the weighted force from overshooting the desired velocity within
/// one step.
#[inline(always)]
fn overshoot_factor<L: Lanes>(batch: &Batch<'_, L>) -> L {
    let factor = batch.mass() * L::splat(1.0 / (batch.dt() * batch.inputs().weight));
    factor.lt(L::splat(1.0)).select(factor, L::splat(1.0))
}
