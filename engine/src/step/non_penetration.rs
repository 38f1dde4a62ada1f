//! Non-penetration: pushes overlapping agents apart along the line between their centers.
//!
//! All agents read the positions from before the push. Each moves by half of every overlap, or by
//! all of it if the other agent is immovable, summed in ascending slot order, so the result does
//! not depend on the order of computation. Candidates come from the step's grid, which was filled
//! before the agents moved. The search radius therefore includes their maximum movement since then.
//! To bound that movement, no push is longer than half of the largest possible overlap.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use arrayvec::ArrayVec;

use crate::crowd::columns::Motion;
use crate::crowd::sorted_copy::SortedCopy;
use crate::crowd::{Partition, SortedCrowd};
use crate::grid::groups::{MAX_GROUPS, Reach, Search, farther};
use crate::grid::strays::Strays;
use crate::grid::{Grid, Runs};
use crate::math::axes::Axes;
use crate::math::lanes::dispatch::with_lanes;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;
use crate::simulation::Simulation;
use crate::step::overlaps::pushed_apart;
use crate::step::{batches, solid};
use crate::world::wrap::{WrapsAfter, wrap_any};

/// Rounding may increase the square of the longest allowed push by at most this factor. Searches
/// have a larger margin.
const ROUNDING: f32 = 1.0001;

impl Simulation {
    /// Takes one pass. `pushed` is an upper bound on the displacement of any agent in the earlier
    /// passes. Returns the largest displacement of an agent in `slots` in this pass, or 0 if this
    /// pass is the last.
    pub(crate) fn push_apart(
        &mut self,
        sorted: &mut SortedCopy,
        iteration: u32,
        pushed: f32,
        slots: Range<usize>,
    ) -> f32 {
        let SortedCopy { motion: Motion { position: next, .. }, surroundings, .. } = sorted;
        if iteration == 0 {
            surroundings.strays.clear(surroundings.grid.space());
        }
        surroundings.tail.fill(&self.state.motion, &self.state.attributes);
        let usual_push = self.setting.plan.usual_push();
        let usually_pushed = usual_push.map(|push| pushed.min(iteration as f32 * push));
        let strayed = surroundings.strays.max_displacement();
        let all_pushed = usually_pushed.map(|push| pushed.min(push + strayed));
        let pass = Pass {
            usual: self.contacts(&surroundings.grid, iteration, &usually_pushed),
            all: self.contacts(&surroundings.grid, iteration, &all_pushed),
            usual_push,
            strays: &surroundings.strays,
            iteration,
            is_last: iteration + 1 == self.setting.scene.passes(),
        };
        let crowd =
            self.sorted_crowd_in(surroundings, (&self.state.motion, &self.state.attributes));
        let push =
            with_lanes!(self.lane_choice(self.execution.settings.method), L => push_batches::<L>);
        let farthest = AtomicU32::new(0);
        let work = |range: Range<usize>, out: Axes<&mut [f32]>| {
            let range = slots.start + range.start..slots.start + range.end;
            let displacement = push(&crowd, range, out, &pass);
            // The bits of nonnegative floats are ordered like the floats.
            farthest.fetch_max(displacement.to_bits(), Relaxed);
        };
        let out = next.rows_mut(slots.clone());
        self.execution.workers.for_crowd(crowd.len()).split(slots.len(), out, &work);
        std::mem::swap(&mut self.state.motion.position, next);
        f32::from_bits(farthest.into_inner())
    }

    /// For each group, the search for all agents that its members may touch.
    fn contacts(&self, grid: &Grid, iteration: u32, pushed: &Reach) -> Searches {
        let plan = &self.setting.plan;
        let groups = 0..plan.agents.len();
        if iteration == 0 {
            return groups.map(|group| *grid.search(plan.contacts + group)).collect();
        }
        // The search begins at the agents' present positions, so it allows only for the movement of
        // other agents since the grid was filled.
        groups.map(|group| Search::new(plan.contact_reach(group, 0.0, pushed))).collect()
    }
}

/// One search for each group.
type Searches = ArrayVec<Search, MAX_GROUPS>;

struct Pass<'a> {
    /// `usual` finds agents that are not strays; `all` finds strays as well.
    usual: Searches,
    all: Searches,
    /// For each group, the farthest that an agent is pushed in one pass without becoming a stray.
    usual_push: Reach,
    strays: &'a Strays,
    iteration: u32,
    is_last: bool,
}

impl Pass<'_> {
    /// Fills `runs` with the candidates of a batch. The first pass searches from `previous`, the
    /// positions in the grid. That is faster, but must allow for both agents' movement.
    #[inline(always)]
    fn find_overlapping<L: Lanes>(
        &self,
        crowd: &SortedCrowd<'_>,
        slots: Range<usize>,
        previous: Axes<&[f32]>,
        runs: &mut Runs,
    ) {
        if crowd.partition == Partition::AllPairs {
            return runs.set_all(crowd.len(), crowd.space);
        }
        let grid = crowd.grid;
        let group = if self.usual.len() == 1 { Some(0) } else { crowd.only_group(slots.clone()) };
        let of_all;
        let search = match group {
            Some(group) => &self.usual[group],
            None => {
                of_all = of_groups(&self.usual, crowd, slots.clone());
                &of_all
            }
        };
        if self.iteration == 0 {
            return grid.candidates::<L>(previous, group, search, runs);
        }
        let positions = crowd.motion.position.rows_for::<L>(slots.clone());
        let near = self.strays.near(positions, &search.reach);
        if near == 0 {
            grid.candidates_after_move::<L>(positions, (slots, group), search, runs);
        } else {
            let search = self.search_with(near, crowd, (slots.clone(), group), search.reach);
            grid.candidates_after_move::<L>(positions, (slots, group), &search, runs);
        }
    }

    /// Returns a search that reaches all strays of the groups in the bit mask `near`, which may
    /// have strays nearby.
    #[inline(never)]
    fn search_with(
        &self,
        near: u8,
        crowd: &SortedCrowd<'_>,
        (slots, group): (Range<usize>, Option<usize>),
        usual: Reach,
    ) -> Search {
        let all = match group {
            Some(group) => self.all[group].reach,
            None => of_groups(&self.all, crowd, slots).reach,
        };
        Search::new(std::array::from_fn(|group| {
            if near >> group & 1 == 1 { all[group] } else { usual[group] }
        }))
    }

    /// Returns the largest displacement of any agent in `range` in this pass. Records strays.
    #[inline(always)]
    fn farthest_move<L: Lanes>(
        &self,
        crowd: &SortedCrowd<'_>,
        range: Range<usize>,
        to: &Axes<&mut [f32]>,
    ) -> f32 {
        let least = self.usual_push.into_iter().fold(f32::INFINITY, f32::min);
        let mut farthest_sq = L::zero();
        for slots in batches(range.clone(), L::WIDTH) {
            let from: Vec3<L> = crowd.motion.position.rows_for::<L>(slots.clone()).load_first();
            let rows = slots.start - range.start..slots.end - range.start;
            let to = to.rows_for::<L>(rows);
            let displacement = to.load_first() - from;
            let displacement_sq = displacement.dot(displacement);
            farthest_sq = displacement_sq.gt(farthest_sq).select(displacement_sq, farthest_sq);
            if displacement_sq.gt(L::splat(least * least)).any() {
                self.note_strays(crowd, slots, &displacement_sq.to_array(), to);
            }
        }
        farthest_sq.to_array().into_iter().fold(0.0, f32::max).sqrt()
    }

    fn note_strays(
        &self,
        crowd: &SortedCrowd<'_>,
        slots: Range<usize>,
        displacement_sq: &[f32],
        to: Axes<&[f32]>,
    ) {
        for ((slot, displacement_sq), at) in slots.zip(displacement_sq).zip(to.iter()) {
            let group = crowd.group_of(slot);
            let usual = self.usual_push[group];
            if *displacement_sq > usual * usual * ROUNDING {
                self.strays.add(group, at, displacement_sq.sqrt());
            }
        }
    }
}

/// Returns a search that is long enough for all agents in `slots`.
fn of_groups(searches: &Searches, crowd: &SortedCrowd<'_>, slots: Range<usize>) -> Search {
    let reaches = slots.map(|slot| searches[crowd.group_of(slot)].reach);
    Search::new(reaches.fold(Reach::default(), farther))
}

thread_local! {
    /// Reused between calls, like the caches of steering.
    static RUNS: Cell<Option<Runs>> = const { Cell::new(None) };
}

fn push_batches<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    range: Range<usize>,
    out: Axes<&mut [f32]>,
    pass: &Pass<'_>,
) -> f32 {
    let mut runs = RUNS.take().unwrap_or_default();
    let displacement = compiled!(L: push_batches_inlined::<L>(crowd, range, out, pass, &mut runs));
    RUNS.set(Some(runs));
    displacement
}

#[inline(always)]
fn push_batches_inlined<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    range: Range<usize>,
    mut out: Axes<&mut [f32]>,
    pass: &Pass<'_>,
    runs: &mut Runs,
) -> f32 {
    for slots in batches(range.clone(), L::WIDTH) {
        let rows = slots.start - range.start..slots.end - range.start;
        let previous = out.rows_for::<L>(rows.clone());
        let radius = crowd.largest_radius(slots.clone());
        pass.find_overlapping::<L>(crowd, slots.clone(), previous, runs);
        let pushed = crowd.space.clamped(pushed_apart::<L>(crowd, slots, radius, runs));
        out.rows_mut(rows).store(pushed);
    }
    if let Some(solids) = crowd.scenery.solids() {
        let ends = out.rows_mut(0..range.len());
        solid::stop_at_scenery::<L>(crowd, solids, range.clone(), ends, |_, _| {});
    }
    if !pass.is_last {
        return pass.farthest_move::<L>(crowd, range, &out);
    }
    if crowd.wraps_after == WrapsAfter::Pushes {
        for (column, size) in out.0.into_iter().zip(<[f32; 3]>::from(crowd.space.size)) {
            for lanes in column.chunks_mut(L::WIDTH) {
                wrap_any(L::load_first(lanes), size).store(lanes);
            }
        }
    }
    0.0
}
