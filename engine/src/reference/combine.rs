//! Combining forces, one agent.

use crate::reference::Agent;
use crate::species::Combine;
use crate::vec2::Vec2;

/// The combined steering force; |force| ≤ max force.
pub(crate) fn force(agent: &mut Agent<'_>) -> Vec2<f32> {
    match agent.kind.species.combine {
        Combine::Prioritized => prioritized(agent),
        Combine::WeightedSum => weighted_sum(agent),
    }
}

fn prioritized(agent: &mut Agent<'_>) -> Vec2<f32> {
    let kind = agent.kind;
    let max_force = agent.max_force();
    let mut total = Vec2::ZERO;
    for behavior in &kind.species.behaviors {
        let remaining = max_force - total.length();
        if remaining <= 0.0 {
            break;
        }
        let force = behavior.scalar_force(agent) * behavior.weight();
        let size = force.length();
        if size > remaining {
            return force.mul_add(remaining / size, total);
        }
        total = force + total;
    }
    total
}

fn weighted_sum(agent: &mut Agent<'_>) -> Vec2<f32> {
    let kind = agent.kind;
    let mut total = Vec2::ZERO;
    for behavior in &kind.species.behaviors {
        total = behavior.scalar_force(agent).mul_add(behavior.weight(), total);
    }
    let max_force = agent.max_force();
    let size = total.length();
    if size > max_force { total * (max_force / size) } else { total }
}
