//! The neighborhood sweep, one agent: candidates in ascending slot order, those out of
//! sight skipped.

use crate::crowd::Crowd;
use crate::grid::Runs;
use crate::kernels::neighborhood::SOFTENING;
use crate::reference::Agent;
use crate::vec2::Vec2;

/// Sums over an agent's neighbors.
#[derive(Clone, Copy)]
pub(crate) struct Neighborhood {
    /// How many there are.
    pub(crate) count: f32,
    /// Σ heading.
    pub(crate) heading: Vec2<f32>,
    /// Σ (pj − p).
    pub(crate) offset: Vec2<f32>,
    /// Σ (pj − p) / |pj − p|².
    pub(crate) inverse_offset: Vec2<f32>,
}

impl Neighborhood {
    pub(crate) fn sweep(agent: &Agent<'_>, runs: &Runs) -> Self {
        let mut sums = Self {
            count: 0.0,
            heading: Vec2::ZERO,
            offset: Vec2::ZERO,
            inverse_offset: Vec2::ZERO,
        };
        let motion = agent.crowd.motion;
        for_each_seen(agent, runs, |other, to| {
            let heading = Vec2::new(motion.hx[other], motion.hy[other]);
            sums.count += 1.0;
            sums.heading = heading + sums.heading;
            sums.offset = to + sums.offset;
            sums.inverse_offset = to.mul_add(1.0 / distance_sq(to), sums.inverse_offset);
        });
        // The agent itself was among the candidates.
        sums.count -= 1.0;
        sums.heading = sums.heading - agent.heading;
        sums
    }

    pub(crate) fn any(&self) -> bool {
        self.count > 0.0
    }
}

/// Calls `visit` with each agent that the agent sees, itself included, and the way to it.
pub(crate) fn for_each_seen(
    agent: &Agent<'_>,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<f32>),
) {
    for_each_candidate(agent.crowd, agent.position, runs, |other, to| {
        if sees(agent, other, to) {
            visit(other, to);
        }
    });
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
    for run in &runs.list {
        let shifted = position + run.shift;
        for other in run.start as usize..run.end as usize {
            let candidate = Vec2::new(motion.x[other], motion.y[other]);
            let to = if runs.need_images {
                crowd.space.scalar_displacement(position, candidate)
            } else {
                candidate - shifted
            };
            visit(other, to);
        }
    }
}

fn distance_sq(to: Vec2<f32>) -> f32 {
    to.x.mul_add(to.x, to.y.mul_add(to.y, SOFTENING))
}

/// Whether `agent` sees the agent in slot `other`, `to` away from it. It sees itself.
pub(crate) fn sees(agent: &Agent<'_>, other: usize, to: Vec2<f32>) -> bool {
    let kind = agent.kind;
    let radius = if kind.view_adds_radius { agent.crowd.traits.radius[other] } else { 0.0 };
    let reach = kind.view + radius;
    let distance_sq = distance_sq(to);
    let in_field = || match kind.view_cos_signed_sq {
        Some(view_cos) => {
            let ahead = agent.heading.dot(to);
            ahead * ahead.abs() >= view_cos * (distance_sq - SOFTENING)
        }
        None => true,
    };
    distance_sq < reach * reach && in_field()
}
