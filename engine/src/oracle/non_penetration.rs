//! Non-penetration, as specified.

use crate::oracle::agent::Oracle;
use crate::oracle::random::{self, PUSH_APART};
use crate::oracle::step::{OracleStep, inside};
use crate::oracle::vector::{V, add, length, norm, scale, truncate};

/// Pushes all agents apart that overlap after their step, `passes` times; `agents` and `steps` are
/// in the order of slots.
pub(super) fn push_apart(agents: &[Oracle<'_>], steps: &mut [OracleStep], passes: u32) {
    for _ in 0..passes {
        let before = steps.to_vec();
        for (slot, step) in steps.iter_mut().enumerate() {
            let agent = &agents[slot];
            let mut push = [0.0; 2];
            for (other, there) in before.iter().enumerate().filter(|(other, _)| *other != slot) {
                let way = agent.displacement(before[slot].position, there.position);
                let overlap = agent.radius_of(slot) + agent.radius_of(other) - length(way);
                if overlap <= 0.0 {
                    continue;
                }
                let direction = if way == [0.0; 2] { towards(agent, other) } else { norm(way) };
                push = add(push, scale(direction, -overlap / 2.0));
                // The direction between agents that nearly coincide is anyone's guess.
                if way != [0.0; 2] {
                    let [x, y] = there.position;
                    step.margin = step.margin.min(length(way) / (x.abs() + y.abs()));
                }
                step.margin = step.margin.min(there.margin);
            }
            let push = truncate(push, f64::from(agent.crowd.largest_radius));
            step.position = inside(agent.crowd, add(before[slot].position, push));
        }
    }
}

/// The direction that counts as that of the coincident agent in slot `other`.
fn towards(agent: &Oracle<'_>, other: usize) -> V {
    let [index, other] = [agent.slot, other].map(|slot| agent.crowd.traits.index[slot]);
    let (low, high) = (index.min(other), index.max(other));
    let drawn = random::signed_units(agent.crowd.seed, PUSH_APART, low, u64::from(high));
    let away_from_high = if drawn == [0.0; 2] { [1.0, 0.0] } else { norm(drawn) };
    if index == low { scale(away_from_high, -1.0) } else { away_from_high }
}
