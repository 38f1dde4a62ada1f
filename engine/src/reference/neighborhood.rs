//! The neighborhood sweep for one agent: candidates in ascending slot order; those out of view
//! are skipped.

use crate::crowd::Crowd;
use crate::crowd::neighborhood::{Neighborhood, SOFTENING};
use crate::grid::runs::Runs;
use crate::math::fused::mul_add;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

/// The sums over the agent's neighbors, swept once, when a behavior first asks.
pub(crate) fn of(agent: &mut Agent<'_>) -> Neighborhood<f32> {
    if let Some(known) = agent.neighborhood {
        return known;
    }
    let swept = sweep(agent, &agent.runs());
    agent.neighborhood = Some(swept);
    swept
}

fn sweep(agent: &Agent<'_>, runs: &Runs) -> Neighborhood<f32> {
    let mut sums = Neighborhood::none();
    let motion = agent.crowd.motion;
    for_each_seen(
        agent,
        runs,
        #[inline(always)]
        |other, to| {
            let heading = Vec2::new(motion.hx[other], motion.hy[other]);
            sums.count += 1.0;
            sums.heading = heading + sums.heading;
            sums.offset = to + sums.offset;
            sums.inverse_offset = to.mul_add(1.0 / distance_sq(to), sums.inverse_offset);
        },
    );
    // The agent itself was among the candidates.
    sums.count -= 1.0;
    sums.heading = sums.heading - agent.heading;
    sums
}

/// Calls `visit` with each agent that `agent` sees, itself included, and the way to it.
pub(crate) fn for_each_seen(
    agent: &Agent<'_>,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<f32>),
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
pub(crate) fn for_each_candidate(
    crowd: &Crowd<'_>,
    position: Vec2<f32>,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<f32>),
) {
    let motion = crowd.motion;
    f32::compiled(
        #[inline(always)]
        || {
            for run in &runs.list {
                let shifted = position + run.shift;
                for other in run.start as usize..run.end as usize {
                    let candidate = Vec2::new(motion.x[other], motion.y[other]);
                    let to = if runs.need_images {
                        crowd.space.displacement(position, candidate)
                    } else {
                        candidate - shifted
                    };
                    visit(other, to);
                }
            }
        },
    );
}

#[inline(always)]
fn distance_sq(to: Vec2<f32>) -> f32 {
    mul_add(to.x, to.x, mul_add(to.y, to.y, SOFTENING))
}

/// Whether `agent` sees the agent in slot `other`, `to` away from it. It sees itself.
#[inline(always)]
pub(crate) fn sees(agent: &Agent<'_>, other: usize, to: Vec2<f32>) -> bool {
    let kind = agent.kind;
    let radius = if kind.view_adds_radius { agent.crowd.traits.radius[other] } else { 0.0 };
    let range = kind.view + radius;
    let distance_sq = distance_sq(to);
    let in_field = || match kind.view_cos_signed_sq {
        Some(view_cos) => {
            let ahead = agent.heading.dot(to);
            ahead * ahead.abs() >= view_cos * (distance_sq - SOFTENING)
        }
        None => true,
    };
    distance_sq < range * range && in_field()
}
