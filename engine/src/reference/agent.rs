//! One agent, and what its behaviors share: the twin of a batch.

use crate::crowd::Crowd;
use crate::grid::Runs;
use crate::reference::neighborhood::Neighborhood;
use crate::species::{Kind, Value};
use crate::vec2::Vec2;

/// The agent in one slot.
pub(crate) struct Agent<'a> {
    pub(crate) crowd: &'a Crowd<'a>,
    pub(crate) kind: &'a Kind,
    pub(crate) slot: usize,
    pub(crate) position: Vec2<f32>,
    pub(crate) velocity: Vec2<f32>,
    pub(crate) heading: Vec2<f32>,
    pub(crate) max_speed: f32,
    /// The wander target, in the agent's own frame.
    pub(crate) wander: Vec2<f32>,
    runs: &'a Runs,
    neighborhood: Option<Neighborhood>,
}

impl<'a> Agent<'a> {
    pub(crate) fn new(crowd: &'a Crowd<'a>, slot: usize, runs: &'a Runs) -> Self {
        let motion = crowd.motion;
        let kind = &crowd.kinds[crowd.kind_of(slot)];
        let vector = |x: &[f32], y: &[f32]| match (x.get(slot), y.get(slot)) {
            (Some(&x), Some(&y)) => Vec2::new(x, y),
            _ => Vec2::ZERO,
        };
        Self {
            crowd,
            kind,
            slot,
            position: vector(&motion.x, &motion.y),
            velocity: vector(&motion.vx, &motion.vy),
            heading: vector(&motion.hx, &motion.hy),
            max_speed: value(&crowd.traits.max_speed, slot, kind.species.max_speed),
            wander: vector(&motion.wander_x, &motion.wander_y),
            runs,
            neighborhood: None,
        }
    }

    pub(crate) fn max_force(&self) -> f32 {
        value(&self.crowd.traits.max_force, self.slot, self.kind.species.max_force)
    }

    pub(crate) fn mass(&self) -> f32 {
        value(&self.crowd.traits.mass, self.slot, self.kind.species.mass)
    }

    pub(crate) fn radius(&self) -> f32 {
        value(&self.crowd.traits.radius, self.slot, self.kind.species.radius)
    }

    /// The way to `target`.
    pub(crate) fn towards(&self, target: [f32; 2]) -> Vec2<f32> {
        self.crowd.space.scalar_displacement(self.position, target.into())
    }

    /// What the agent sees of its neighbors; swept once, when the first behavior asks.
    pub(crate) fn neighborhood(&mut self) -> Neighborhood {
        if let Some(known) = self.neighborhood {
            return known;
        }
        let swept = Neighborhood::sweep(self, self.runs);
        self.neighborhood = Some(swept);
        swept
    }
}

pub(crate) fn value(per_agent: &[f32], slot: usize, shared: Value) -> f32 {
    per_agent.get(slot).copied().unwrap_or(shared.max())
}
