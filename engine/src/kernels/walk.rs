//! The walk over a crowd, a group of batches at a time.

use std::cell::Cell;
use std::ops::Range;

use crate::batch::{Batch, Candidates, Scratch};
use crate::crowd::Crowd;
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::parallel::GROUP_ROWS;

/// How many batches steer together: enough that the square roots and divisions of one overlap with
/// those of another, few enough that all the data they read stays in the L1 cache.
const GROUP: usize = 4;

// Work is split into chunks of whole groups.
const _: () = assert!(GROUP_ROWS.is_multiple_of(GROUP * MAX_WIDTH));

thread_local! {
    /// Of the latest walk: clearing them takes as long as steering ten agents.
    static CANDIDATES: Cell<Option<Box<[Candidates; GROUP]>>> = const { Cell::new(None) };
}

/// Calls `visit` with the batches of the agents in `range`, a group at a time, and once for each
/// species in the group. All of it is compiled for the instructions of `L`, and so is `visit`.
#[inline(always)]
pub(crate) fn for_each_group<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut visit: impl FnMut(&mut [Batch<'_, L>; GROUP]),
) {
    let mut candidates = CANDIDATES.take().unwrap_or_default();
    L::compiled(
        #[inline(always)]
        || {
            let mut scratch: [Scratch<L>; GROUP] =
                [Scratch::new(), Scratch::new(), Scratch::new(), Scratch::new()];
            for first in range.clone().step_by(GROUP * L::WIDTH) {
                candidates.iter_mut().for_each(Candidates::forget);
                let slots = first..range.end.min(first + GROUP * L::WIDTH);
                visit_kinds(crowd, slots, &candidates, &mut scratch, &mut visit);
            }
        },
    );
    CANDIDATES.set(Some(candidates));
}

/// Calls `visit` with a group once for each species in it.
#[inline(always)]
fn visit_kinds<L: Lanes>(
    crowd: &Crowd<'_>,
    slots: Range<usize>,
    candidates: &[Candidates; GROUP],
    scratch: &mut [Scratch<L>; GROUP],
    visit: &mut impl FnMut(&mut [Batch<'_, L>; GROUP]),
) {
    let mut visited = [0; GROUP];
    // A function of its own, which would otherwise be inlined more than once.
    crowd.for_each_kind(slots.clone(), |kind| {
        L::compiled(
            #[inline(always)]
            || {
                let slots_of = |k: usize| slots.start + k * L::WIDTH..slots.end;
                let [a, b, c, d] = scratch.each_mut();
                // Not mapped from an array, which would copy the batches.
                let mut batches: [_; GROUP] = [
                    Batch::<L>::new(crowd, kind, slots_of(0), &candidates[0], a),
                    Batch::<L>::new(crowd, kind, slots_of(1), &candidates[1], b),
                    Batch::<L>::new(crowd, kind, slots_of(2), &candidates[2], c),
                    Batch::<L>::new(crowd, kind, slots_of(3), &candidates[3], d),
                ];
                if cfg!(debug_assertions) {
                    for (batch, visited) in batches.iter().zip(&mut visited) {
                        let members = batch.members.0.sign_mask();
                        assert_eq!(members & *visited, 0, "every slot is visited once");
                        *visited |= members;
                    }
                }
                visit(&mut batches);
            },
        );
    });
    let count = || visited.iter().map(|lanes: &u32| lanes.count_ones()).sum::<u32>();
    debug_assert_eq!(count() as usize, slots.len(), "every slot is visited");
}

/// The slots of each batch of `width` agents in a range.
pub(crate) fn batches(range: Range<usize>, width: usize) -> impl Iterator<Item = Range<usize>> {
    range.clone().step_by(width).map(move |first| first..range.end.min(first + width))
}
