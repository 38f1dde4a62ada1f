//! Stops agents at solid scenery, after they have moved and after each pass of pushes.
//!
//! Few agents are near scenery, so each is handled separately,
//! after its batch of consecutive slots has looked up all scenery nearby.

use std::cell::Cell;
use std::ops::Range;

use crate::crowd::Crowd;
use crate::crowd::columns::{Attributes, Motion, MotionSlices};
use crate::math::aabb::Aabb;
use crate::math::lanes::MAX_WIDTH;
use crate::math::vec2::Vec2;
use crate::scene::species::Locomotion;
use crate::scenery::index::Near;
use crate::scenery::solid::{DiskCast, SlideResult, Solid, Solids};
use crate::simulation::Simulation;
use crate::step::batches;
use crate::world::space;

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
    let mut found = NEARBY.take().unwrap_or_default();
    let start = slots.start;
    for batch in batches(slots, MAX_WIDTH) {
        find_near(crowd, solids, batch.clone(), &mut found.near);
        if found.near.is_empty() {
            continue;
        }
        for slot in batch {
            let row = slot - start;
            let from = Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]);
            let cast = DiskCast { from, to: Vec2::new(x[row], y[row]), radius: crowd.radius(slot) };
            let NearbySolids { near, solids: list } = &mut *found;
            solids.list(near, &cast, crowd.space, list);
            if let Some(end) = cast.slide(list, crowd.space) {
                (x[row], y[row]) = (end.position.x, end.position.y);
                stopped(row, &end);
            }
        }
    }
    NEARBY.set(Some(found));
}

/// `slots` must fit into one vector. On a torus, pushes may have moved agents out of the world,
/// where nothing is indexed, so positions are wrapped first.
fn find_near(crowd: &Crowd<'_>, solids: &Solids, slots: Range<usize>, near: &mut Near) {
    let count = slots.len();
    let (mut x, mut y) = ([0.0; MAX_WIDTH], [0.0; MAX_WIDTH]);
    x[..count].copy_from_slice(&crowd.motion.x[slots.clone()]);
    y[..count].copy_from_slice(&crowd.motion.y[slots]);
    let (x, y) = (&mut x[..count], &mut y[..count]);
    if crowd.space.is_torus() {
        let size = crowd.space.size;
        let is_inside = |column: &[f32], size| column.iter().all(|at| (0.0..size).contains(at));
        if !(is_inside(x, size.x) && is_inside(y, size.y)) {
            x.iter_mut().for_each(|x| *x = space::remainder(*x, size.x));
            y.iter_mut().for_each(|y| *y = space::remainder(*y, size.y));
        }
    }
    crowd.find_near(&solids.index, (x, y), Aabb::around(x, y), near);
}

impl Simulation {
    pub(crate) fn stop_moved_agents(
        &self,
        (motion, attributes): (&Motion, &Attributes),
        slots: Range<usize>,
        next: MotionSlices<'_>,
    ) {
        let Some(solids) = &self.setting.scenery.solids else { return };
        let crowd = self.crowd(motion, attributes);
        // With non-penetration, wrapping waits until the pushes are done.
        let wraps = self.setting.scene.non_penetration == 0 && self.setting.space.is_torus();
        let work = |range: Range<usize>, next: MotionSlices<'_>| {
            let range = slots.start + range.start..slots.start + range.end;
            stop_moved(&crowd, solids, range, next, wraps);
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
        let species = &crowd.species[crowd.species_of(start + row)];
        if species.locomotion != Locomotion::ConstantSpeed {
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
