//! Combining forces, one agent.

use crate::kernels::combine::NOTHING;
use crate::random::{self, Stream};
use crate::reference::Agent;
use crate::species::Combine;
use crate::vec2::Vec2;

/// The combined steering force; |force| ≤ max force.
pub(crate) fn force(agent: &mut Agent<'_>) -> Vec2<f32> {
    match agent.kind.species.combine {
        Combine::Prioritized => prioritized(agent),
        Combine::WeightedSum => weighted_sum(agent),
        Combine::Dithered => dithered(agent),
    }
}

fn prioritized(agent: &mut Agent<'_>) -> Vec2<f32> {
    let kind = agent.kind;
    let max_force = agent.max_force();
    let nothing = max_force * NOTHING;
    let mut total = Vec2::ZERO;
    for (number, behavior) in kind.species.behaviors.iter().enumerate() {
        let remaining = max_force - total.length();
        if remaining <= nothing {
            break;
        }
        let force = behavior.scalar_force(agent) * behavior.weight();
        let size = force.length();
        let part = if size <= remaining { 1.0 } else { remaining / size };
        agent.note_force(number, force, part);
        total = force.mul_add(part, total);
    }
    total
}

fn weighted_sum(agent: &mut Agent<'_>) -> Vec2<f32> {
    let kind = agent.kind;
    let mut total = Vec2::ZERO;
    for (number, behavior) in kind.species.behaviors.iter().enumerate() {
        let force = behavior.scalar_force(agent);
        agent.note_force(number, force * behavior.weight(), 1.0);
        total = force.mul_add(behavior.weight(), total);
    }
    truncated(total, agent.max_force())
}

fn dithered(agent: &mut Agent<'_>) -> Vec2<f32> {
    let (kind, crowd) = (agent.kind, agent.crowd);
    let index = crowd.traits.index[agent.slot];
    for (k, behavior) in (0..).zip(&kind.species.behaviors) {
        let probability = kind.probabilities[usize::from(k)];
        let [draw, _] =
            random::scalar_signed_units(crowd.seed, Stream::Dither(k), index, crowd.tick);
        if draw.mul_add(0.5, 0.5) >= probability {
            continue;
        }
        let force = behavior.scalar_force(agent) * (behavior.weight() / probability);
        agent.note_force(usize::from(k), force, 1.0);
        if force.dot(force) > 0.0 {
            return truncated(force, agent.max_force());
        }
    }
    Vec2::ZERO
}

fn truncated(force: Vec2<f32>, max: f32) -> Vec2<f32> {
    let size = force.length();
    if size > max { force * (max / size) } else { force }
}
