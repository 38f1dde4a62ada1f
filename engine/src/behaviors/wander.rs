//! Wander: a target that moves randomly along a circle ahead of the agent, or in worlds with depth,
//! on a sphere.
//!
//! The target either jitters or follows coherent noise: a smooth path that passes a fixed number of
//! random points per second. Each agent remembers its jittered target, in its own frame. Like all
//! state that behaviors keep between steps, the target changes only for agents that evaluate the
//! behavior. The target stands still while behaviors of higher priority use up the force budget.
//!
//! Random numbers are a function of (seed, agent, step), not a sequence, so no lane's numbers
//! depend on the draws of other lanes.

use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Memory, Vec3, behavior};
use crate::math::random::{self, Stream};

const TARGET: [Memory; 3] = [Memory::WanderX, Memory::WanderY, Memory::WanderZ];

/// Time between displacements of the target, in seconds, regardless of the step length.
const PERIOD: f32 = 1.0 / 60.0;

behavior! {
    /// Steers randomly but smoothly: the force points to a target that is jittered along a circle
    /// (or sphere) ahead of the agent (Reynolds 1999, "Wander"; Buckland 2004, ch. 3).
    pub struct Wander: "wander" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// Radius of the circle, in world units (bounding radii if `scaled`).
        radius: f32 = 1.2, 1.0e-3 to 1.0e4;
        /// Distance of the circle ahead of the agent, in the units of `radius`.
        distance: f32 = 2.0, 0.0 to 1.0e4;
        /// Maximum displacement of the target along each axis per second, in 60 equal parts (or per
        /// step), in the units of `radius`.
        jitter: f32 = 80.0, 0.0 to 1.0e6;
        /// If true, `jitter` is a displacement per step instead of per second.
        jitter_per_step: bool = false;
        /// If true, all lengths are multiplied by the agent's bounding radius.
        scaled: bool = true;
        /// If set, coherent noise moves the target through this many random points per second,
        /// and `jitter` has no effect.
        noise: Option<f32> = None, 1.0e-3 to 1.0e3 "1/s";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let target = match self.noise {
            Some(rate) => coherent_noise(batch, Stream::WanderNoise, rate) * L::splat(self.radius),
            None => self.jittered(batch),
        };

        let (heading, left) = (batch.heading(), batch.heading().left());
        let ahead = target.x + L::splat(self.distance);
        let aside = target.with_z(
            left * target.y,
            #[inline(always)]
            |aside, above| heading.above(left).mul_add(above, aside),
        );
        let force = heading.mul_add(ahead, aside);
        let scale = if self.scaled { batch.radius() } else { L::splat(1.0) };
        let center = batch.heading().mul_add(L::splat(self.distance) * scale, batch.position());
        let radius = L::splat(self.radius) * scale;
        batch.draw_circle(Feature::WanderCircle, center, radius, batch.members);
        batch.draw_point(Feature::WanderTarget, batch.position() + force * scale, batch.members);
        if self.scaled { (force * scale).into() } else { force.into() }
    }

    fn remembers(&self) -> &'static [Memory] {
        if self.noise.is_none() { &TARGET } else { &[] }
    }
}

impl Wander {
    #[inline(always)]
    fn jittered<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Vec3<L> {
        let crowd = batch.crowd;
        let ([start, end], jitter) = if self.jitter_per_step {
            ([crowd.tick, crowd.tick + 1], self.jitter)
        } else {
            (crowd.wander_displacements, self.jitter * PERIOD)
        };
        let mut target = batch.remembered_vector(TARGET);
        for displacement in start..end {
            let random = random_points(batch, Stream::Wander, displacement);
            let displaced = random.mul_add(L::splat(jitter), target);
            target = displaced.normalized() * L::splat(self.radius);
        }
        batch.remember_vector(TARGET, target);
        target
    }
}

/// Number of displacements before the start and before the end of a step that starts at `time`.
/// A time up to a thousandth of a [`PERIOD`] after a displacement is treated as before it, so that
/// rounding errors cannot shift the displacement to another step.
pub(crate) fn displacements(time: f64, dt: f32) -> [u64; 2] {
    [time, time + f64::from(dt)].map(|time| (time / f64::from(PERIOD) + 0.999) as u64)
}

/// Smooth noise in [−1, 1) along each axis that passes through `rate` random points per second.
/// Eases from each point to the next, starting and ending at rest (Perlin 1985).
#[inline(always)]
pub(super) fn coherent_noise<L: Lanes>(batch: &Batch<'_, L>, stream: Stream, rate: f32) -> Vec3<L> {
    let time = batch.crowd.time * f64::from(rate);
    let (point, fraction) = (time.floor(), time.fract() as f32);
    let eased = fraction * fraction * (3.0 - 2.0 * fraction);
    let from = random_points(batch, stream, point as u64);
    let to = random_points(batch, stream, (point as u64).wrapping_add(1));
    (to - from).mul_add(L::splat(eased), from)
}

#[inline(always)]
fn random_points<L: Lanes>(batch: &Batch<'_, L>, stream: Stream, counter: u64) -> Vec3<L> {
    random::signed_vector::<L>(batch.crowd.seed, stream, batch.indices(), counter)
}
