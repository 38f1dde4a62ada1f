//! Path following: seek one waypoint after another; arrive at the last of an open path.
//!
//! Each agent remembers the number of its current waypoint.

use crate::batch::Batch;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::path_following::PathFollowing;
use crate::kernels::{arrive, seek};
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::math::vec2::Vec2;
use crate::scenery::route::Route;

#[inline(always)]
pub(crate) fn force<L: Lanes>(following: &PathFollowing, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let Some(route) = batch.crowd.scenery.path(&following.path) else { return Vec2::zero() };
    let last = L::splat((route.points.len() - 1) as f32);
    let present = batch.scratch.memory.waypoint;
    let present = present.lt(last).select(present, last);
    let way = points(route, present) - batch.position();

    let near = L::splat(following.waypoint_distance * following.waypoint_distance);
    let next = present + L::splat(1.0);
    let after_last = if route.closed { L::zero() } else { last };
    let next = next.gt(last).select(after_last, next);
    let waypoint = way.dot(way).lt(near).select(next, present);
    batch.scratch.memory.waypoint = batch.live.select(waypoint, batch.scratch.memory.waypoint);

    let way = points(route, waypoint) - batch.position();
    let onwards = seek::along(batch, way);
    if route.closed {
        return onwards;
    }
    let stop = arrive::along(batch, way, Deceleration::Normal);
    Vec2::select(waypoint.ge(last), stop, onwards)
}

/// The waypoint of each lane's number.
#[inline(always)]
fn points<L: Lanes>(route: &Route, numbers: L) -> Vec2<L> {
    let mut lanes = [0.0; MAX_WIDTH];
    numbers.store(&mut lanes[..L::WIDTH]);
    // Nearby agents mostly have the same waypoint.
    let first = L::splat(lanes[0]);
    if (numbers.le(first) & numbers.ge(first)).every() {
        return Vec2::splat(route.points[lanes[0] as usize]);
    }
    let point = |lane: usize| route.points[lanes[lane] as usize];
    Vec2::new(L::from_fn(|lane| point(lane).x), L::from_fn(|lane| point(lane).y))
}
