//! Combining forces, one agent.

use crate::kernels::combine::NOTHING;
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
    let nothing = max_force * NOTHING;
    let mut total = Vec2::ZERO;
    for behavior in &kind.species.behaviors {
        let remaining = max_force - total.length();
        if remaining <= nothing {
            break;
        }
        let force = behavior.scalar_force(agent) * behavior.weight();
        let size = force.length();
        let part = if size <= remaining { 1.0 } else { remaining / size };
        total = force.mul_add(part, total);
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
