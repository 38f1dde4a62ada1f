//! Stops agents at solid scenery, after each move and after each non-penetration pass.
//!
//! Few agents are near scenery, and agents in consecutive slots are close together. Whole blocks
//! of slots are therefore ruled out first, then batches, then agents. Each search reaches only as
//! far as its own agents move, so one fast agent does not slow down the others.

use std::cell::Cell;
use std::ops::Range;

use crate::crowd::columns::MotionSlices;
use crate::crowd::sorted_copy::SortedCopy;
use crate::crowd::{Partition, SortedCrowd, largest_size};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::lanes::dispatch::with_vectors;
use crate::math::lanes::{Lanes, MAX_WIDTH, compiled};
use crate::math::vec3::Vec3;
use crate::parallel::part;
use crate::scenery::index::Near;
use crate::scenery::solid::slide::{Contact, SlideResult};
use crate::scenery::solid::{DiskCast, Solid, Solids, swept_aabb};
use crate::simulation::Simulation;
use crate::step::batches;
use crate::world::wrap::{WrapsAfter, wrap_once};

const BLOCK: usize = 4 * MAX_WIDTH;

#[derive(Default)]
struct NearbySolids {
    near: Near,
    solids: Vec<Solid>,
    contacts: Vec<Contact>,
}

thread_local! {
    static NEARBY: Cell<Option<Box<NearbySolids>>> = const { Cell::new(None) };
}

pub(super) fn stop_at_scenery<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    solids: &Solids,
    slots: Range<usize>,
    mut ends: Axes<&mut [f32]>,
    mut stopped: impl FnMut(usize, &SlideResult<'_>),
) {
    let mut nearby = NEARBY.take().unwrap_or_default();
    let start = slots.start;
    let NearbySolids { near, solids: list, contacts } = &mut *nearby;
    // A batch reuses its block's list of nearby solids, and an agent its batch's list, unless there
    // were too many solids to list.
    let is_near = |around: Aabb, search: bool, near: &mut Near| {
        if crowd.partition == Partition::AllPairs {
            solids.index.all_near(near);
        } else if search {
            solids.index.near_box(around, near);
        }
        solids.index.may_meet(around, near)
    };
    let around = |slots: Range<usize>, ends: &Axes<&mut [f32]>| {
        let rows = slots.start - start..slots.end - start;
        compiled!(L: swept_aabb_of(crowd, slots, ends.rows(rows)))
    };
    for block in batches(slots, BLOCK) {
        if !is_near(around(block.clone(), &ends), true, near) {
            continue;
        }
        let search = near.is_all();
        for batch in batches(block, MAX_WIDTH) {
            if !is_near(around(batch.clone(), &ends), search, near) {
                continue;
            }
            let search = near.is_all();
            for slot in batch {
                let row = slot - start;
                let (from, to) = (crowd.motion.position.at(slot), ends.at(row));
                let cast = DiskCast { from, to, radius: crowd.radius(slot) };
                let Vec3 { x, y, z } = (to - from).map(f32::abs);
                let reach = x + y + z + cast.radius;
                if !is_near(swept_aabb(Aabb::at(from), reach, crowd.space), search, near) {
                    continue;
                }
                solids.list(near, &cast, crowd.space, list);
                if let Some(end) = cast.slide(list, crowd.space, contacts) {
                    ends.set(row, end.position);
                    stopped(row, &end);
                }
            }
        }
    }
    NEARBY.set(Some(nearby));
}

/// Returns the area that agents may touch on their way to `ends`.
#[inline(always)]
fn swept_aabb_of(crowd: &SortedCrowd<'_>, slots: Range<usize>, ends: Axes<&[f32]>) -> Aabb {
    let starts = crowd.motion.position.rows(slots.clone());
    let (Axes([x, y, z]), Axes([to_x, to_y, to_z])) = (starts, ends);
    let moves = x.iter().zip(to_x).zip(y.iter().zip(to_y));
    let moves = moves.map(|((x, to_x), (y, to_y))| (to_x - x).abs() + (to_y - y).abs());
    let displacement =
        largest_size(moves) + largest_size(z.iter().zip(to_z).map(|(z, to)| (to - z).abs()));
    swept_aabb(Aabb::around(starts), displacement + crowd.largest_radius(slots), crowd.space)
}

impl Simulation {
    pub(crate) fn stop_moved_agents(&self, sorted: &mut SortedCopy, slots: Range<usize>) {
        let Some(solids) = self.setting.scenery.solids() else { return };
        let SortedCopy { motion, surroundings, .. } = sorted;
        let crowd =
            self.sorted_crowd_in(surroundings, (&self.state.motion, &self.state.attributes));
        let stop = with_vectors!(self.execution.instructions, L => stop_and_wrap::<L>);
        let work = |range: Range<usize>, next: MotionSlices<'_>| {
            let range = slots.start + range.start..slots.start + range.end;
            stop(&crowd, solids, range, next);
        };
        let next = part(motion.slices_mut(), &slots);
        self.execution.workers.for_crowd(crowd.len()).split(slots.len(), next, &work);
    }
}

fn stop_and_wrap<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    solids: &Solids,
    slots: Range<usize>,
    next: MotionSlices<'_>,
) {
    let MotionSlices { mut position, mut velocity, .. } = next;
    let start = slots.start;
    let ends = position.rows_mut(0..slots.len());
    stop_at_scenery::<L>(crowd, solids, slots, ends, |row, end| {
        if !crowd.species[crowd.species_of(start + row)].constant_speed {
            velocity.set(row, end.velocity(velocity.at(row)));
        }
    });
    if crowd.wraps_after == WrapsAfter::Scenery {
        for (column, size) in position.0.into_iter().zip(<[f32; 3]>::from(crowd.space.size)) {
            column.iter_mut().for_each(|x| *x = wrap_once(*x, size));
        }
    }
}
