//! The neighborhood sweep for one agent: candidates in ascending slot order; those out of view
//! are skipped.

use crate::crowd::Crowd;
use crate::crowd::neighborhood::{Neighborhood, SOFTENING};
use crate::grid::runs::{Images, Runs};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

/// The sums over the agent's neighbors, swept once, when a behavior first asks.
#[inline(always)]
pub(crate) fn of<S: Scalar>(agent: &mut Agent<'_, S>) -> Neighborhood<S> {
    if let Some(known) = agent.neighborhood {
        return known;
    }
    let swept = sweep(agent, &agent.runs());
    agent.neighborhood = Some(swept);
    swept
}

#[inline(always)]
fn sweep<S: Scalar>(agent: &Agent<'_, S>, runs: &Runs) -> Neighborhood<S> {
    let mut sums = Neighborhood::none();
    let motion = agent.crowd.motion;
    for_each_seen(
        agent,
        runs,
        #[inline(always)]
        |other, to| {
            let heading = Vec2::splat(Vec2::new(motion.hx[other], motion.hy[other]));
            sums.count = sums.count + S::splat(1.0);
            sums.heading = heading + sums.heading;
            sums.offset = to + sums.offset;
            sums.inverse_offset = to.mul_add(S::splat(1.0) / distance_sq(to), sums.inverse_offset);
        },
    );
    // The agent itself was among the candidates.
    sums.count = sums.count - S::splat(1.0);
    sums.heading = sums.heading - agent.heading;
    // Never -0, as in the kernels.
    sums.inverse_offset = sums.inverse_offset + Vec2::zero();
    sums
}

/// Calls `visit` with each agent that `agent` sees, itself included, and the way to it.
#[inline(always)]
pub(crate) fn for_each_seen<S: Scalar>(
    agent: &Agent<'_, S>,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<S>),
) {
    for_each_candidate(
        agent.crowd,
        agent.position,
        runs,
        #[inline(always)]
        |other, to| {
            if sees(agent, other, to) {
                visit(other, to);
            }
        },
    );
}

/// Calls `visit` with each candidate, in ascending slot order, and the way to it from
/// `position`.
#[inline(always)]
pub(crate) fn for_each_candidate<S: Scalar>(
    crowd: &Crowd<'_>,
    position: Vec2<S>,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<S>),
) {
    let motion = crowd.motion;
    for run in &runs.list {
        let shifted = position + Vec2::splat(run.shift);
        for other in run.start as usize..run.end as usize {
            let candidate = Vec2::splat(Vec2::new(motion.x[other], motion.y[other]));
            let to = if runs.images != Images::None {
                crowd.space.displacement(position, candidate)
            } else {
                candidate - shifted
            };
            visit(other, to);
        }
    }
}

#[inline(always)]
fn distance_sq<S: Scalar>(to: Vec2<S>) -> S {
    to.x.mul_add(to.x, to.y.mul_add(to.y, S::splat(SOFTENING)))
}

/// Whether `agent` sees the agent in slot `other`, `to` away from it. It sees itself.
#[inline(always)]
pub(crate) fn sees<S: Scalar>(agent: &Agent<'_, S>, other: usize, to: Vec2<S>) -> bool {
    let kind = agent.kind;
    let radius = if kind.view_adds_radius { agent.crowd.traits.radius[other] } else { 0.0 };
    let range = S::splat(kind.view + radius);
    let distance_sq = distance_sq(to);
    let in_field = || match kind.view_cos_signed_sq {
        Some(view_cos) => {
            let ahead = agent.heading.dot(to);
            ahead * ahead.abs() >= S::splat(view_cos) * (distance_sq - S::splat(SOFTENING))
        }
        None => true,
    };
    distance_sq < range * range && in_field()
}
