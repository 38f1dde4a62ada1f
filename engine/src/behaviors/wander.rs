//! Wander: a target that moves randomly along a circle ahead of the agent.
//!
//! Each agent remembers the target, in its own frame. Like everything that behaviors remember,
//! it changes only in lanes where the behavior is evaluated: an agent whose force budget is
//! spent by more important behaviors does not wander on in the background.
//!
//! Random numbers follow from (seed, agent, step), never from a sequence, so no lane's numbers
//! depend on what other lanes draw.

use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Remembers, Vec2, behavior};
use crate::math::random::{self, Stream};

behavior! {
    /// Steers randomly but smoothly: the force points to a target that is jittered along a circle
    /// ahead of the agent (Reynolds 1999, "Wander"; Buckland 2004, ch. 3).
    pub struct Wander: "wander" {
        /// Scales the force.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// Radius of the circle, in world units (bounding radii if `scaled`).
        radius: f32 = 1.2, 1.0e-3 to 1.0e4;
        /// Distance of the circle ahead of the agent, in the units of `radius`.
        distance: f32 = 2.0, 0.0 to 1.0e4;
        /// The maximum displacement of the target along each axis, per second (or per step), in the
        /// units of `radius`.
        jitter: f32 = 80.0, 0.0 to 1.0e6;
        /// Whether `jitter` is per step instead of per second.
        jitter_per_step: bool = false;
        /// Whether all lengths scale with the agent's bounding radius.
        scaled: bool = true;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let crowd = batch.crowd;
        let [u, v] =
            random::signed_units::<L>(crowd.seed, Stream::Wander, batch.indices(), crowd.tick);
        let jitter = if self.jitter_per_step { self.jitter } else { self.jitter * crowd.dt };
        let jittered = Vec2::new(u, v).mul_add(L::splat(jitter), batch.scratch.memory.wander);
        let target = jittered.normalized() * L::splat(self.radius);
        batch.scratch.memory.wander = Vec2::select(batch.live, target, batch.scratch.memory.wander);

        let ahead = target.x + L::splat(self.distance);
        let side = batch.heading().perp();
        let force = batch.heading().mul_add(ahead, side * target.y);
        let scale = if self.scaled { batch.radius() } else { L::splat(1.0) };
        let center = batch.heading().mul_add(L::splat(self.distance) * scale, batch.position());
        let radius = L::splat(self.radius) * scale;
        batch.draw_circle(Feature::WanderCircle, center, radius, batch.members);
        batch.draw_point(Feature::WanderTarget, batch.position() + force * scale, batch.members);
        if self.scaled { (force * scale).into() } else { force.into() }
    }

    fn remembers(&self) -> Remembers {
        Remembers { wander: true, ..Remembers::default() }
    }
}
