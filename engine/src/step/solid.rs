//! Stops agents at solid scenery, after each move and after each non-penetration pass.
//!
//! Few agents are near scenery, and agents in consecutive slots are close together. Whole blocks
//! of slots are therefore ruled out first, then batches, then agents. Each search reaches only as
//! far as its own agents move, so one fast agent does not slow down the others.

use std::cell::Cell;
use std::ops::Range;

use crate::crowd::columns::MotionSlices;
use crate::crowd::limits::Limit;
use crate::crowd::{Crowd, Partition};
use crate::math::aabb::Aabb;
use crate::math::lanes::MAX_WIDTH;
use crate::math::vec2::Vec2;
use crate::scenery::index::Near;
use crate::scenery::solid::{Contact, DiskCast, SlideResult, Solid, Solids, reachable};
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

pub(super) fn stop_at_scenery(
    crowd: &Crowd<'_>,
    solids: &Solids,
    slots: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    mut stopped: impl FnMut(usize, &SlideResult<'_>),
) {
    let mut nearby = NEARBY.take().unwrap_or_default();
    let start = slots.start;
    let NearbySolids { near, solids: list, contacts } = &mut *nearby;
    // The solids near a block are searched for again only if too many to list are near it.
    let is_near = |around: Aabb, search: bool, near: &mut Near| {
        if crowd.partition == Partition::AllPairs {
            solids.index.all_near(near);
        } else if search {
            solids.index.near_box(around, near);
        }
        solids.index.may_meet(around, near)
    };
    let reachable_by = |slots: Range<usize>, (x, y): (&[f32], &[f32])| {
        let rows = slots.start - start..slots.end - start;
        reachable_by(crowd, slots, (&x[rows.clone()], &y[rows]))
    };
    for block in batches(slots, BLOCK) {
        if !is_near(reachable_by(block.clone(), (x, y)), true, near) {
            continue;
        }
        let search = near.is_all();
        for batch in batches(block, MAX_WIDTH) {
            if !is_near(reachable_by(batch.clone(), (x, y)), search, near) {
                continue;
            }
            let search = near.is_all();
            for slot in batch {
                let row = slot - start;
                let from = Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]);
                let to = Vec2::new(x[row], y[row]);
                let cast = DiskCast { from, to, radius: crowd.radius(slot) };
                let reach = (to.x - from.x).abs() + (to.y - from.y).abs() + cast.radius;
                if !is_near(reachable(Aabb::at(from), reach, crowd.space), search, near) {
                    continue;
                }
                solids.list(near, &cast, crowd.space, list);
                if let Some(end) = cast.slide(list, crowd.space, contacts) {
                    (x[row], y[row]) = (end.position.x, end.position.y);
                    stopped(row, &end);
                }
            }
        }
    }
    NEARBY.set(Some(nearby));
}

/// Returns the area that agents may touch on their way to (`x`, `y`).
fn reachable_by(crowd: &Crowd<'_>, slots: Range<usize>, (x, y): (&[f32], &[f32])) -> Aabb {
    let from = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots.clone()]);
    let moves = from.0.iter().zip(x).zip(from.1.iter().zip(y));
    let moved = largest_size(moves.map(|((x0, x), (y0, y))| (x - x0).abs() + (y - y0).abs()));
    let radius = match crowd.attributes.limit(Limit::Radius).get(slots.clone()) {
        Some(radii) => largest_size(radii.iter().copied()),
        None => crowd.largest(slots, |species| species.limits[Limit::Radius as usize]),
    };
    reachable(Aabb::around(from.0, from.1), moved + radius, crowd.space)
}

/// Largest absolute value. Absolute values are ordered like their bits, whose maximum the compiler
/// vectorizes.
fn largest_size(numbers: impl Iterator<Item = f32>) -> f32 {
    f32::from_bits(numbers.map(|number| number.abs().to_bits()).fold(0, u32::max))
}

impl Simulation {
    pub(crate) fn stop_moved_agents(
        &self,
        solids: &Solids,
        crowd: &Crowd<'_>,
        slots: Range<usize>,
        next: MotionSlices<'_>,
    ) {
        let work = |range: Range<usize>, next: MotionSlices<'_>| {
            let range = slots.start + range.start..slots.start + range.end;
            stop_moved(crowd, solids, range, next);
        };
        self.execution.workers.for_crowd(crowd.len()).split(slots.len(), next, &work);
    }
}

fn stop_moved(crowd: &Crowd<'_>, solids: &Solids, slots: Range<usize>, next: MotionSlices<'_>) {
    let MotionSlices { x, y, vx, vy, .. } = next;
    let start = slots.start;
    stop_at_scenery(crowd, solids, slots, (x, y), |row, end| {
        if !crowd.species[crowd.species_of(start + row)].constant_speed {
            let velocity = end.velocity(Vec2::new(vx[row], vy[row]));
            (vx[row], vy[row]) = (velocity.x, velocity.y);
        }
    });
    if crowd.wraps_after == WrapsAfter::Scenery {
        for (column, size) in [x, y].into_iter().zip(<[f32; 2]>::from(crowd.space.size)) {
            column.iter_mut().for_each(|x| *x = wrap_once(*x, size));
        }
    }
}
