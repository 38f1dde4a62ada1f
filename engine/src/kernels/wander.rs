//! Wander: a target that strolls along a circle ahead of the agent.
//!
//! The target lives in the agent's own frame and is the only state a behavior keeps. It
//! moves only in lanes where wander is evaluated: an agent whose force budget is spent
//! by more important behaviors does not wander on in the background.
//!
//! Random numbers come from (seed, agent, step), never from a stream, so no lane's
//! numbers depend on who else drew.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters, Remembers};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::random::{self, Stream};
use crate::vec2::Vec2;

/// Steers at random without twitching: seeks a target that is jittered along a circle
/// ahead of the agent (Reynolds 1999, "Wander"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wander {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Radius of the circle, from 1e-3 to 1e4, in world units (bounding radii if `scaled`).
    /// Default 1.2.
    pub radius: f32,
    /// How far ahead of the agent the circle is, from 0 to 1e4, in the units of `radius`.
    /// Default 2.
    pub distance: f32,
    /// The largest displacement of the target along each axis, per second (or per step),
    /// from 0 to 1e6, in the units of `radius`. Default 80.
    pub jitter: f32,
    /// Whether `jitter` is per step instead of per second. Default false.
    pub jitter_per_step: bool,
    /// Whether circle and target scale with the agent's bounding radius. Default true.
    pub scaled: bool,
}

impl Default for Wander {
    fn default() -> Self {
        Self {
            weight: 200.0,
            radius: 1.2,
            distance: 2.0,
            jitter: 80.0,
            jitter_per_step: false,
            scaled: true,
        }
    }
}

impl Parameters for Wander {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::number("radius", &mut self.radius, 1.0e-3, 1.0e4, ""),
            Field::number("distance", &mut self.distance, 0.0, 1.0e4, ""),
            Field::number("jitter", &mut self.jitter, 0.0, 1.0e6, ""),
            Field::flag("jitter_per_step", &mut self.jitter_per_step),
            Field::flag("scaled", &mut self.scaled),
        ]
    }

    fn remembers(&self) -> Remembers {
        Remembers { wander: true, ..Remembers::default() }
    }
}

impl Wander {
    /// The largest displacement along each axis in one step.
    pub(crate) fn step_jitter(&self, dt: f32) -> f32 {
        if self.jitter_per_step { self.jitter } else { self.jitter * dt }
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(wander: &Wander, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let crowd = batch.crowd;
    let [u, v] = random::signed_units::<L>(crowd.seed, Stream::Wander, batch.indices(), crowd.tick);
    let jitter = L::splat(wander.step_jitter(crowd.dt));
    let jittered = Vec2::new(u, v).mul_add(jitter, batch.findings.memory.wander);
    let target = jittered.normalized() * L::splat(wander.radius);
    batch.findings.memory.wander = Vec2::select(batch.live, target, batch.findings.memory.wander);

    let ahead = target.x + L::splat(wander.distance);
    let side = batch.heading().perp();
    let force = batch.heading().mul_add(ahead, side * target.y);
    if wander.scaled { force * batch.radius() } else { force }
}
