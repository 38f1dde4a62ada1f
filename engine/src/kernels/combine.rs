//! Combining forces: the prioritized running sum, the weighted truncated sum, and prioritized
//! dithering.
//!
//! All run the species' behaviors in order. The two sums run each behavior over several
//! batches, so that the square roots and divisions of one overlap with those of another.
//!
//! The prioritized sum keeps, per lane, the force so far. A force that does not fit is cut to
//! what remains of the force budget, which spends it only if that force points in the direction
//! of the sum so far. A lane with nothing left is full. When all lanes are full, the whole batch
//! skips the remaining behaviors, and the neighborhood sweep if no behavior has needed it yet. A
//! full lane's result does not depend on whether its batch continues for other lanes.
//!
//! Dithering evaluates a behavior only in the lanes that draw it and that no earlier behavior
//! has decided; the draws follow from (seed, agent, step, behavior).
//!
//! Cost per behavior: 2 square roots (the first two behaviors one), 1 division, about 15 further
//! operations.

use std::ops::Range;

use crate::batch::Batch;
use crate::crowd::Crowd;
use crate::custom::compiled::Compiled;
use crate::kernels::behavior;
use crate::kernels::walk::for_each_group;
use crate::math::lanes::Lanes;
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;
use crate::species::combine::{Combine, NEGLIGIBLE};

/// The combined steering force on each agent of a group of batches of one species;
/// |force| ≤ max force.
#[inline(always)]
fn forces<L: Compiled, const N: usize>(batches: &mut [Batch<'_, L>; N]) -> [Vec2<L>; N] {
    match batches[0].kind.species.combine {
        Combine::Prioritized => prioritized(batches),
        Combine::WeightedSum => weighted_sum(batches),
        Combine::Dithered => dithered(batches),
    }
}

/// Calls `visit` with each batch of the agents in `range`, once for each species in it, and the
/// combined force on its agents.
#[inline(always)]
pub(crate) fn for_each_force<L: Compiled>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut visit: impl FnMut(&Batch<'_, L>, Vec2<L>),
) {
    for_each_group::<L>(
        crowd,
        range,
        #[inline(always)]
        |batches| {
            let forces = forces(batches);
            for (batch, &force) in batches.iter().zip(&forces) {
                if batch.members.any() {
                    visit(batch, force);
                }
            }
        },
    );
}

#[inline(always)]
fn prioritized<L: Compiled, const N: usize>(batches: &mut [Batch<'_, L>; N]) -> [Vec2<L>; N] {
    let mut totals = [Vec2::<L>::zero(); N];
    let mut lengths = [L::zero(); N];
    for (k, behavior) in batches[0].kind.species.behaviors.iter().enumerate() {
        for ((batch, total), length) in batches.iter_mut().zip(&mut totals).zip(&mut lengths) {
            // The length of a single force is already known.
            if k > 1 {
                *length = total.length();
            }
            let max_force = batch.max_force();
            let remaining = max_force - *length;
            batch.live = batch.live & remaining.gt(max_force * L::splat(NEGLIGIBLE));
            if batch.live.none() {
                continue;
            }
            let force = behavior::force(behavior, k, batch);
            if force.is_none() {
                // As if 0 had been added, which turns -0 into 0.
                *total = Vec2::select(batch.live, *total + Vec2::zero(), *total);
                continue;
            }
            let factor;
            (factor, *length) = force.factor_within(L::splat(behavior.weight()), remaining);
            *total = Vec2::select(batch.live, force.vector.mul_add(factor, *total), *total);
        }
    }
    totals
}

#[inline(always)]
fn weighted_sum<L: Compiled, const N: usize>(batches: &mut [Batch<'_, L>; N]) -> [Vec2<L>; N] {
    let mut totals = [Vec2::<L>::zero(); N];
    for (k, behavior) in batches[0].kind.species.behaviors.iter().enumerate() {
        for (batch, total) in batches.iter_mut().zip(&mut totals) {
            if batch.live.any() {
                let force = behavior::force(behavior, k, batch);
                let factor = force.factor(L::splat(behavior.weight()));
                *total = force.vector.mul_add(factor, *total);
            }
        }
    }
    for (batch, total) in batches.iter().zip(&mut totals) {
        *total = truncated(*total, batch.max_force());
    }
    totals
}

#[inline(always)]
fn dithered<L: Compiled, const N: usize>(batches: &mut [Batch<'_, L>; N]) -> [Vec2<L>; N] {
    let mut totals = [Vec2::<L>::zero(); N];
    for (batch, total) in batches.iter_mut().zip(&mut totals) {
        *total = drawn(batch);
    }
    totals
}

/// The force of the first behavior that each agent draws and that applies.
#[inline(always)]
fn drawn<L: Compiled>(batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (kind, crowd) = (batch.kind, batch.crowd);
    let half = L::splat(0.5);
    let mut undecided = batch.live;
    let mut chosen = Vec2::<L>::zero();
    if undecided.none() {
        return chosen;
    }
    for (k, behavior) in (0..).zip(&kind.species.behaviors) {
        let probability = kind.probabilities[usize::from(k)];
        let [draw, _] =
            random::signed_units::<L>(crowd.seed, Stream::Dither(k), batch.indices(), crowd.tick);
        let drawn = draw.mul_add(half, half).lt(L::splat(probability));
        batch.live = undecided & drawn;
        if batch.live.none() {
            continue;
        }
        let force = behavior::force(behavior, usize::from(k), batch);
        let factor = force.factor(L::splat(behavior.weight() / probability));
        let force = (force.vector * factor).keep(batch.live);
        // Also not chosen where the square of a tiny force underflows to 0.
        let acts = force.dot(force).gt(L::zero());
        chosen = Vec2::select(acts, force, chosen);
        undecided = undecided & !acts;
        if undecided.none() {
            break;
        }
    }
    truncated(chosen, batch.max_force())
}

/// The same direction, no longer than `max`.
#[inline(always)]
fn truncated<L: Lanes>(force: Vec2<L>, max: L) -> Vec2<L> {
    let size = force.length();
    force * size.gt(max).select(max / size, L::splat(1.0))
}
