//! Combining forces for one agent.

use crate::custom::compiled::Compiled;
use crate::math::random::{self, Stream};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::behavior;
use crate::species::combine::{Combine, NEGLIGIBLE};

/// The combined steering force; |force| ≤ max force.
#[inline(never)]
pub(crate) fn force<S: Scalar + Compiled>(agent: &mut Agent<'_, S>) -> Vec2<S> {
    S::compiled(
        #[inline(always)]
        || match agent.kind.species.combine {
            Combine::Prioritized => prioritized(agent),
            Combine::WeightedSum => weighted_sum(agent),
            Combine::Dithered => dithered(agent),
        },
    )
}

#[inline(always)]
fn prioritized<S: Scalar + Compiled>(agent: &mut Agent<'_, S>) -> Vec2<S> {
    let kind = agent.kind;
    let max_force = agent.max_force();
    let nothing = max_force * S::splat(NEGLIGIBLE);
    let (mut total, mut length) = (Vec2::zero(), S::zero());
    for (number, behavior) in kind.species.behaviors.iter().enumerate() {
        // The length of a single force is already known.
        if number > 1 {
            length = total.length();
        }
        let remaining = max_force - length;
        if remaining <= nothing {
            break;
        }
        let (force, weight) =
            (behavior::force(behavior, number, agent), S::splat(behavior.weight()));
        let factor;
        (factor, length) = force.factor_within(weight, remaining);
        agent.note_force(number, &force, weight, factor);
        total = force.vector.mul_add(factor, total);
    }
    total
}

#[inline(always)]
fn weighted_sum<S: Scalar + Compiled>(agent: &mut Agent<'_, S>) -> Vec2<S> {
    let kind = agent.kind;
    let mut total = Vec2::zero();
    for (number, behavior) in kind.species.behaviors.iter().enumerate() {
        let (force, weight) =
            (behavior::force(behavior, number, agent), S::splat(behavior.weight()));
        let factor = force.factor(weight);
        agent.note_force(number, &force, weight, factor);
        total = force.vector.mul_add(factor, total);
    }
    truncated(total, agent.max_force())
}

#[inline(always)]
fn dithered<S: Scalar + Compiled>(agent: &mut Agent<'_, S>) -> Vec2<S> {
    let (kind, crowd) = (agent.kind, agent.crowd);
    let index = crowd.traits.index[agent.slot];
    for (k, behavior) in (0..).zip(&kind.species.behaviors) {
        let probability = kind.probabilities[usize::from(k)];
        let [draw, _] = random::signed_units::<S>(crowd.seed, Stream::Dither(k), index, crowd.tick);
        if draw.mul_add(S::splat(0.5), S::splat(0.5)) >= probability {
            continue;
        }
        let force = behavior::force(behavior, usize::from(k), agent);
        let weight = S::splat(behavior.weight() / probability);
        let factor = force.factor(weight);
        agent.note_force(usize::from(k), &force, weight, factor);
        let force = force.vector * factor;
        if force.dot(force) > 0.0 {
            return truncated(force, agent.max_force());
        }
    }
    Vec2::zero()
}

#[inline(always)]
fn truncated<S: Scalar>(force: Vec2<S>, max: S) -> Vec2<S> {
    let size = force.length();
    if size > max { force * (max / size) } else { force }
}
