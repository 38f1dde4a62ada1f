//! Combining forces: the prioritized running sum, the weighted truncated sum,
//! and prioritized dithering.
//!
//! Each rule evaluates the species' behaviors in order.
//! The two sums evaluate each behavior for several batches in turn, so that the square roots
//! and divisions of one batch overlap with those of another.
//!
//! The prioritized sum accumulates a force in each lane. Its budget is the maximum force minus the
//! length of the sum. A longer force is truncated to the budget; unless it is parallel to the sum,
//! some budget remains. A lane with no budget left is full. Once all lanes are full, the batch
//! skips the remaining behaviors, and the neighborhood sweep if no behavior has needed it yet.
//! A full lane's result does not change while its batch continues for other lanes.
//!
//! Dithering decides at random, in each lane, whether to evaluate the next behavior. The first
//! nonzero force is the lane's result. The draws depend only on (seed, agent, step, behavior).
//!
//! Cost per behavior and batch: 2 square roots (1 for the first two behaviors), 1 division,
//! about 15 other operations.

use std::cell::Cell;
use std::ops::Range;

use crate::batch::Batch;
use crate::batch::draw::first;
use crate::batch::scratch::{NearbyCache, Scratch};
use crate::batch::trace::{Contribution, Trace};
use crate::behaviors::outside::Compiled;
use crate::behaviors::steer::Steer;
use crate::behaviors::{Behavior, all_behaviors};
use crate::crowd::SortedCrowd;
use crate::math::force::Force;
use crate::math::lanes::flat::Flat;
use crate::math::lanes::{Lanes, MAX_WIDTH, compiled};
use crate::math::random::{self, Stream};
use crate::math::vec3::Vec3;
use crate::parallel::GROUP_ROWS;
use crate::scene::species::{Combine, MAX_BEHAVIORS, Species};

/// A remaining force budget below this fraction of the maximum force is treated as spent, so that
/// rounding errors of the sum do not decide whether any budget remains.
const NEGLIGIBLE_BUDGET: f32 = 1.0e-6;

/// Upper bound on the sum of forces that escape truncation because their squares underflow:
/// 4e-23 per behavior, times the largest weight, divided by the smallest probability.
const MAX_UNTRUNCATED_FORCE: f32 = 4.0e-23 * (1.0e6 / 1.0e-3) * MAX_BEHAVIORS as f32;

#[inline(always)]
pub(crate) fn forces<L: Compiled, const N: usize>(
    species: &Species,
    batches: &mut [Batch<'_, L>; N],
) -> [Vec3<L>; N] {
    match species.combine {
        Combine::Prioritized => prioritized(&species.behaviors, batches),
        Combine::WeightedSum => weighted_sum(&species.behaviors, batches),
        Combine::Dithered => {
            let mut totals = [Vec3::<L>::zero(); N];
            for (batch, total) in batches.iter_mut().zip(&mut totals) {
                *total = dithered(&species.behaviors, batch);
            }
            totals
        }
    }
}

#[inline(always)]
pub(crate) fn for_each_force<L: Compiled>(
    crowd: &SortedCrowd<'_>,
    species: &[Species],
    range: Range<usize>,
    mut visit: impl FnMut(&Batch<'_, L>, Vec3<L>),
) {
    for_each_group::<L>(
        crowd,
        range,
        #[inline(always)]
        |kind, batches| {
            let forces = forces(&species[kind], batches);
            for (batch, &force) in batches.iter().zip(&forces) {
                if batch.members.any() {
                    // Rounding may put the force slightly above its maximum.
                    // NaN passes this check but is rejected later.
                    debug_assert!(
                        (batch.members & force.length().gt(slightly_above(batch.max_force())))
                            .none(),
                        "no force is above its maximum"
                    );
                    visit(batch, force);
                }
            }
        },
    );
}

/// Computes an agent's force in a single lane. Single-lane kernels are compiled for scalar steps
/// anyway.
pub(crate) fn explained(
    crowd: &SortedCrowd<'_>,
    species: &[Species],
    slot: usize,
) -> ([f32; 3], Vec<Contribution>) {
    if crowd.space.is_flat() {
        explained_in::<Flat<f32>>(crowd, species, slot)
    } else {
        explained_in::<f32>(crowd, species, slot)
    }
}

fn explained_in<L: Compiled>(
    crowd: &SortedCrowd<'_>,
    species: &[Species],
    slot: usize,
) -> ([f32; 3], Vec<Contribution>) {
    let nearby = NearbyCache::default();
    let mut scratch = Scratch::<L>::new();
    scratch.trace = Some(Trace::default());
    let species = &species[crowd.species_of(slot)];
    let batch = Batch::single(crowd, slot, &nearby, &mut scratch);
    let [force] = forces(species, &mut [batch]);
    (first(force), scratch.trace.unwrap_or_default().contributions)
}

#[inline(always)]
fn prioritized<L: Compiled, const N: usize>(
    behaviors: &[Behavior],
    batches: &mut [Batch<'_, L>; N],
) -> [Vec3<L>; N] {
    let mut totals = [Vec3::<L>::zero(); N];
    let mut lengths = [L::zero(); N];
    let inputs = &batches[0].species.inputs;
    for (k, (behavior, inputs)) in behaviors.iter().zip(inputs).enumerate() {
        for ((batch, total), length) in batches.iter_mut().zip(&mut totals).zip(&mut lengths) {
            // With at most one force so far, the length is already known.
            if k > 1 {
                *length = total.length();
            }
            let max_force = batch.max_force();
            let remaining = max_force - *length;
            batch.active = batch.active & remaining.gt(max_force * L::splat(NEGLIGIBLE_BUDGET));
            if batch.active.none() {
                continue;
            }
            let force = force_of(behavior, k, batch);
            let weight = L::splat(inputs.weight);
            if force.is_none() {
                batch.record_force((k, || behavior.name()), &force, [weight, weight]);
                // Adding zero turns -0 into 0, as in batches where another agent has a force.
                *total = Vec3::select(batch.active, *total + Vec3::zero(), *total);
                continue;
            }
            let factor;
            (factor, *length) = force.factor_within(weight, remaining);
            batch.record_force((k, || behavior.name()), &force, [weight, factor]);
            *total = Vec3::select(batch.active, force.vector.mul_add(factor, *total), *total);
        }
    }
    totals
}

#[inline(always)]
fn weighted_sum<L: Compiled, const N: usize>(
    behaviors: &[Behavior],
    batches: &mut [Batch<'_, L>; N],
) -> [Vec3<L>; N] {
    let mut totals = [Vec3::<L>::zero(); N];
    let inputs = &batches[0].species.inputs;
    for (k, (behavior, inputs)) in behaviors.iter().zip(inputs).enumerate() {
        for (batch, total) in batches.iter_mut().zip(&mut totals) {
            if batch.active.any() {
                let force = force_of(behavior, k, batch);
                let weight = L::splat(inputs.weight);
                let factor = force.factor(weight);
                batch.record_force((k, || behavior.name()), &force, [weight, factor]);
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
fn dithered<L: Compiled>(behaviors: &[Behavior], batch: &mut Batch<'_, L>) -> Vec3<L> {
    let (species, crowd) = (batch.species, batch.crowd);
    let half = L::splat(0.5);
    let mut undecided = batch.active;
    let mut chosen = Vec3::<L>::zero();
    if undecided.none() {
        return chosen;
    }
    for (k, behavior) in (0..).zip(behaviors) {
        let probability = species.inputs[usize::from(k)].probability;
        let [draw, _] =
            random::signed_units::<L>(crowd.seed, Stream::Dither(k), batch.indices(), crowd.tick);
        let drawn = draw.mul_add(half, half).lt(L::splat(probability));
        batch.active = undecided & drawn;
        if batch.active.none() {
            continue;
        }
        let force = force_of(behavior, usize::from(k), batch);
        let weight = L::splat(batch.inputs().weight);
        let factor = force.factor(weight);
        batch.record_force((usize::from(k), || behavior.name()), &force, [weight, factor]);
        let force = (force.vector * factor).keep(batch.active);
        // A force so tiny that its square underflows to 0 is treated as no force.
        let acts = force.dot(force).gt(L::zero());
        chosen = Vec3::select(acts, force, chosen);
        undecided = undecided & !acts;
        if undecided.none() {
            break;
        }
    }
    truncated(chosen, batch.max_force())
}

#[inline(always)]
fn slightly_above<L: Lanes>(limit: L) -> L {
    limit.mul_add(L::splat(1.00001), L::splat(MAX_UNTRUNCATED_FORCE))
}

#[inline(always)]
fn truncated<L: Lanes>(force: Vec3<L>, max: L) -> Vec3<L> {
    let size = force.length();
    force * size.gt(max).select(max / size, L::splat(1.0))
}

#[inline(always)]
fn force_of<L: Compiled>(behavior: &Behavior, index: usize, batch: &mut Batch<'_, L>) -> Force<L> {
    batch.scratch.behavior = index;
    if batch.species.views.len() > 1 {
        batch.set_view(batch.species.view_of(index));
    }
    macro_rules! dispatch {
        ($($name:ident: $module:ident in $page:ident,)+) => {
            match behavior {
                $(Behavior::$name(inner) => compiled!(L: inner.force(batch)),)+
                Behavior::Outside(outside) => outside.force(batch),
            }
        };
    }
    all_behaviors!(dispatch)
}

/// Number of batches steered together: enough to overlap their square roots and divisions,
/// but few enough for all their data to fit in the L1 cache.
const BATCHES_PER_GROUP: usize = 4;

type Caches = Box<[NearbyCache; BATCHES_PER_GROUP]>;

/// Kinds of the agents in a group of batches.
type Kinds = [u8; BATCHES_PER_GROUP * MAX_WIDTH];

const _: () = assert!(GROUP_ROWS.is_multiple_of(BATCHES_PER_GROUP * MAX_WIDTH));

thread_local! {
    /// Reused between calls: initializing new caches costs as much as steering ten agents.
    static NEARBY: Cell<Option<Caches>> = const { Cell::new(None) };
}

#[inline(always)]
pub(crate) fn for_each_group<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    range: Range<usize>,
    mut visit: impl FnMut(usize, &mut [Batch<'_, L>; BATCHES_PER_GROUP]),
) {
    let mut caches = NEARBY.take().unwrap_or_else(new_caches);
    compiled!(L: visit_groups(crowd, range, &mut caches, &mut visit));
    NEARBY.set(Some(caches));
}

/// Creates the caches one by one in a function that is not inlined. Otherwise, they would take
/// 50 KiB of stack in every step.
#[inline(never)]
fn new_caches() -> Caches {
    let caches = (0..BATCHES_PER_GROUP).map(|_| NearbyCache::default());
    caches.collect::<Vec<_>>().try_into().expect("as many caches as batches")
}

#[inline(always)]
fn visit_groups<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    range: Range<usize>,
    caches: &mut Caches,
    visit: &mut impl FnMut(usize, &mut [Batch<'_, L>; BATCHES_PER_GROUP]),
) {
    let mut scratch: [Scratch<L>; BATCHES_PER_GROUP] =
        [Scratch::new(), Scratch::new(), Scratch::new(), Scratch::new()];
    let mut kinds: Kinds = [0; _];
    for first in range.clone().step_by(BATCHES_PER_GROUP * L::WIDTH) {
        caches.iter_mut().for_each(NearbyCache::reset);
        let slots = first..range.end.min(first + BATCHES_PER_GROUP * L::WIDTH);
        let mut visited = [0; BATCHES_PER_GROUP];
        // `compiled!` keeps `visit_group` out of line. Otherwise, the compiler would inline its
        // body more than once.
        crowd.for_each_kind(slots.clone(), &mut kinds, |kind, kinds| {
            compiled!(L: visit_group(crowd, (kind, kinds), &slots, caches, &mut scratch, &mut visited, visit));
        });
        let count = || visited.iter().map(|lanes: &u32| lanes.count_ones()).sum::<u32>();
        debug_assert_eq!(count() as usize, slots.len(), "every slot is visited");
    }
}

#[inline(always)]
fn visit_group<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    (kind, kinds): (usize, Option<&Kinds>),
    slots: &Range<usize>,
    caches: &[NearbyCache; BATCHES_PER_GROUP],
    scratch: &mut [Scratch<L>; BATCHES_PER_GROUP],
    visited: &mut [u32; BATCHES_PER_GROUP],
    visit: &mut impl FnMut(usize, &mut [Batch<'_, L>; BATCHES_PER_GROUP]),
) {
    let slots_of = |k: usize| slots.start + k * L::WIDTH..slots.end;
    let kinds_of = |k: usize| kinds.map(|kinds| &kinds[k * L::WIDTH..]);
    let [a, b, c, d] = scratch.each_mut();
    // Written out by hand, because mapping or returning an array would copy the batches.
    let mut batches: [_; BATCHES_PER_GROUP] = [
        Batch::<L>::new(crowd, (kind, kinds_of(0)), slots_of(0), &caches[0], a),
        Batch::<L>::new(crowd, (kind, kinds_of(1)), slots_of(1), &caches[1], b),
        Batch::<L>::new(crowd, (kind, kinds_of(2)), slots_of(2), &caches[2], c),
        Batch::<L>::new(crowd, (kind, kinds_of(3)), slots_of(3), &caches[3], d),
    ];
    if cfg!(debug_assertions) {
        for (batch, visited) in batches.iter().zip(visited) {
            let members = batch.members.0.sign_mask();
            assert_eq!(members & *visited, 0, "every slot is visited once");
            *visited |= members;
        }
    }
    visit(kind, &mut batches);
}
