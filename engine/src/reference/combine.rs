//! Combining forces for one agent.

use crate::math::fused::mul_add;
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::behavior;
use crate::species::combine::{Combine, NEGLIGIBLE};

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
    let nothing = max_force * NEGLIGIBLE;
    let (mut total, mut length) = (Vec2::ZERO, 0.0);
    for (number, behavior) in kind.species.behaviors.iter().enumerate() {
        // The length of a single force is already known.
        if number > 1 {
            length = total.length();
        }
        let remaining = max_force - length;
        if remaining <= nothing {
            break;
        }
        let (force, weight) = (behavior::force(behavior, agent), behavior.weight());
        let factor;
        (factor, length) = force.factor_within(weight, remaining);
        agent.note_force(number, &force, weight, factor);
        total = force.vector.mul_add(factor, total);
    }
    total
}

fn weighted_sum(agent: &mut Agent<'_>) -> Vec2<f32> {
    let kind = agent.kind;
    let mut total = Vec2::ZERO;
    for (number, behavior) in kind.species.behaviors.iter().enumerate() {
        let (force, weight) = (behavior::force(behavior, agent), behavior.weight());
        let factor = force.factor(weight);
        agent.note_force(number, &force, weight, factor);
        total = force.vector.mul_add(factor, total);
    }
    truncated(total, agent.max_force())
}

fn dithered(agent: &mut Agent<'_>) -> Vec2<f32> {
    let (kind, crowd) = (agent.kind, agent.crowd);
    let index = crowd.traits.index[agent.slot];
    for (k, behavior) in (0..).zip(&kind.species.behaviors) {
        let probability = kind.probabilities[usize::from(k)];
        let [draw, _] =
            random::signed_units::<f32>(crowd.seed, Stream::Dither(k), index, crowd.tick);
        if mul_add(draw, 0.5, 0.5) >= probability {
            continue;
        }
        let force = behavior::force(behavior, agent);
        let weight = behavior.weight() / probability;
        let factor = force.factor(weight);
        agent.note_force(usize::from(k), &force, weight, factor);
        let force = force.vector * factor;
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
