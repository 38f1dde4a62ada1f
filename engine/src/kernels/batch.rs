//! A batch of agents in lanes, and what its kernels share.

use crate::crowd::Crowd;
use crate::grid::Runs;
use crate::kernels::neighborhood::Neighborhood;
use crate::lanes::{BitLanes, Lanes, MAX_WIDTH, Mask};
use crate::species::{Kind, Value};
use crate::vec2::Vec2;

/// Up to `WIDTH` agents of one species in consecutive slots.
///
/// Lanes past the end of the crowd repeat its last agent and are never live.
pub(crate) struct Batch<'a, L> {
    pub(crate) crowd: &'a Crowd<'a>,
    pub(crate) kind: &'a Kind,
    pub(crate) first: usize,
    /// The lanes that still want a force: of this species, with force budget left.
    pub(crate) live: Mask<L>,
    pub(crate) position: Vec2<L>,
    pub(crate) velocity: Vec2<L>,
    pub(crate) heading: Vec2<L>,
    pub(crate) max_speed: L,
    /// The wander target, in the agent's own frame.
    pub(crate) wander: Vec2<L>,
    runs: &'a Runs,
    neighborhood: Option<Neighborhood<L>>,
}

impl<'a, L: Lanes> Batch<'a, L> {
    /// The agents from slot `first` on; `members` says which lanes are of species `kind`.
    #[inline(always)]
    pub(crate) fn new(
        crowd: &'a Crowd<'a>,
        kind: &'a Kind,
        first: usize,
        members: Mask<L>,
        runs: &'a Runs,
    ) -> Self {
        let motion = crowd.motion;
        let vector = |x: &[f32], y: &[f32]| Vec2::new(column(x, first), column(y, first));
        Self {
            crowd,
            kind,
            first,
            live: members,
            position: vector(&motion.x, &motion.y),
            velocity: vector(&motion.vx, &motion.vy),
            heading: vector(&motion.hx, &motion.hy),
            max_speed: value(&crowd.traits.max_speed, first, kind.species.max_speed),
            wander: vector(&motion.wander_x, &motion.wander_y),
            runs,
            neighborhood: None,
        }
    }

    pub(crate) fn max_force(&self) -> L {
        value(&self.crowd.traits.max_force, self.first, self.kind.species.max_force)
    }

    pub(crate) fn mass(&self) -> L {
        value(&self.crowd.traits.mass, self.first, self.kind.species.mass)
    }

    pub(crate) fn radius(&self) -> L {
        value(&self.crowd.traits.radius, self.first, self.kind.species.radius)
    }

    /// The agents' roster indices, which key their random numbers.
    pub(crate) fn indices(&self) -> L::Bits {
        let column = &self.crowd.traits.index[self.first..];
        if column.len() >= L::WIDTH {
            return L::Bits::load(column);
        }
        let mut padded = [0; MAX_WIDTH];
        padded[..column.len()].copy_from_slice(column);
        L::Bits::load(&padded)
    }

    /// The way from each agent to `target`.
    pub(crate) fn towards(&self, target: [f32; 2]) -> Vec2<L> {
        self.crowd.space.displacement(self.position, Vec2::splat(target.into()))
    }

    /// What the agents see of their neighbors; swept once, when the first behavior asks.
    pub(crate) fn neighborhood(&mut self) -> Neighborhood<L> {
        if let Some(known) = self.neighborhood {
            return known;
        }
        let swept = Neighborhood::sweep(self, self.runs);
        self.neighborhood = Some(swept);
        swept
    }
}

/// A parameter: its per-agent column where there is one, else the species' value.
#[inline(always)]
fn value<L: Lanes>(per_agent: &[f32], first: usize, shared: Value) -> L {
    if per_agent.is_empty() { L::splat(shared.max()) } else { column(per_agent, first) }
}

/// `WIDTH` values of a column; lanes past its end repeat the last one, and an absent
/// column reads as zero.
#[inline(always)]
pub(crate) fn column<L: Lanes>(values: &[f32], first: usize) -> L {
    match values.get(first..first + L::WIDTH) {
        Some(full) => L::load(full),
        None => padded(values, first),
    }
}

#[cold]
fn padded<L: Lanes>(values: &[f32], first: usize) -> L {
    let Some(&last) = values.last() else { return L::zero() };
    L::from_fn(|lane| values.get(first + lane).copied().unwrap_or(last))
}
