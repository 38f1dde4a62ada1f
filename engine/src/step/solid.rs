//! Stops agents at solid scenery, after each move and after each non-penetration pass.
//!
//! Few agents are near scenery, and agents in consecutive slots are close together. Whole blocks
//! of slots are therefore ruled out first, then batches. The other agents are tested one by one.

use std::cell::Cell;
use std::ops::Range;

use arrayvec::ArrayVec;

use crate::crowd::Crowd;
use crate::crowd::columns::MotionSlices;
use crate::math::aabb::Aabb;
use crate::math::lanes::MAX_WIDTH;
use crate::math::vec2::Vec2;
use crate::scenery::index::Near;
use crate::scenery::solid::{DiskCast, SlideResult, Solid, Solids};
use crate::simulation::Simulation;
use crate::step::batches;
use crate::world::space;

const BLOCK: usize = 4 * MAX_WIDTH;

#[derive(Default)]
struct NearbySolids {
    near: Near,
    solids: Vec<Solid>,
}

thread_local! {
    static NEARBY: Cell<Option<Box<NearbySolids>>> = const { Cell::new(None) };
}

pub(super) fn stop_at_scenery(
    crowd: &Crowd<'_>,
    solids: &Solids,
    slots: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
    mut stopped: impl FnMut(usize, &SlideResult),
) {
    let mut nearby = NEARBY.take().unwrap_or_default();
    let start = slots.start;
    for block in batches(slots, BLOCK) {
        find_near(crowd, solids, block.clone(), &mut nearby.near);
        if nearby.near.is_empty() {
            continue;
        }
        for batch in batches(block, MAX_WIDTH) {
            find_near(crowd, solids, batch.clone(), &mut nearby.near);
            if nearby.near.is_empty() {
                continue;
            }
            for slot in batch {
                let row = slot - start;
                let from = Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]);
                let to = Vec2::new(x[row], y[row]);
                let NearbySolids { near, solids: list } = &mut *nearby;
                if crowd.space.is_wrapped(from) && !solids.index.reaches(from, near) {
                    continue;
                }
                let cast = DiskCast { from, to, radius: crowd.radius(slot) };
                solids.list(near, &cast, crowd.space, list);
                if list.is_empty() {
                    continue;
                }
                if let Some(end) = cast.slide(list, crowd.space) {
                    (x[row], y[row]) = (end.position.x, end.position.y);
                    stopped(row, &end);
                }
            }
        }
    }
    NEARBY.set(Some(nearby));
}

/// Finds the solids near up to [`BLOCK`] agents. Pushes may have moved agents past a torus's edges,
/// so this function wraps their positions: the index has no cells outside the world.
fn find_near(crowd: &Crowd<'_>, solids: &Solids, slots: Range<usize>, near: &mut Near) {
    let (x, y) = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots]);
    let (around, space) = (Aabb::around(x, y), crowd.space);
    if !(space.is_wrapped(around.low) && space.is_wrapped(around.high)) {
        let size = space.size;
        let wrap = |column: &[f32], size| -> ArrayVec<f32, BLOCK> {
            column.iter().map(|&at| space::remainder(at, size)).collect()
        };
        let (x, y) = (wrap(x, size.x), wrap(y, size.y));
        return crowd.find_near(&solids.index, (&x, &y), Aabb::around(&x, &y), near);
    }
    crowd.find_near(&solids.index, (x, y), around, near);
}

impl Simulation {
    pub(crate) fn stop_moved_agents(
        &self,
        solids: &Solids,
        crowd: &Crowd<'_>,
        slots: Range<usize>,
        next: MotionSlices<'_>,
    ) {
        // With non-penetration, wrapping waits until the pushes are done.
        let wraps = self.setting.scene.non_penetration == 0 && self.setting.space.is_torus();
        let work = |range: Range<usize>, next: MotionSlices<'_>| {
            let range = slots.start + range.start..slots.start + range.end;
            stop_moved(crowd, solids, range, next, wraps);
        };
        self.execution.workers.for_crowd(crowd.len()).split(slots.len(), next, &work);
    }
}

fn stop_moved(
    crowd: &Crowd<'_>,
    solids: &Solids,
    slots: Range<usize>,
    next: MotionSlices<'_>,
    wraps: bool,
) {
    let MotionSlices { x, y, vx, vy, .. } = next;
    let start = slots.start;
    stop_at_scenery(crowd, solids, slots, (x, y), |row, end| {
        if !crowd.species[crowd.species_of(start + row)].constant_speed {
            let velocity = end.velocity(Vec2::new(vx[row], vy[row]));
            (vx[row], vy[row]) = (velocity.x, velocity.y);
        }
    });
    if wraps {
        let size = crowd.space.size;
        x.iter_mut().for_each(|x| *x = space::wrapped(*x, size.x));
        y.iter_mut().for_each(|y| *y = space::wrapped(*y, size.y));
    }
}
