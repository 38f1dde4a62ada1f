//! Staying on a path: no force inside its tube; else seek a point farther along the path.
//!
//! Every leg of the path is broadcast; each lane keeps the nearest point to its predicted
//! position, then looks up the point farther along. Cost per leg and batch: about 25
//! operations, no division.

use crate::batch::Batch;
use crate::behaviors::stay_on_path::StayOnPath;
use crate::kernels::seek;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::scenery::route::Route;

#[inline(always)]
pub(crate) fn force<L: Lanes>(stay: &StayOnPath, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let Some(route) = batch.crowd.scenery.path(&stay.path) else { return Vec2::zero() };
    let predicted = batch.velocity().mul_add(L::splat(stay.prediction), batch.position());

    let mut nearest = L::zero();
    let mut least = L::splat(f32::INFINITY);
    for leg in &route.first_legs {
        let (from, length) = (Vec2::<L>::splat(leg.from), L::splat(leg.length));
        let direction = Vec2::<L>::splat(leg.direction);
        let to = predicted - from;
        let along = to.dot(direction);
        let along = along.gt(L::zero()).keep(along);
        let along = along.lt(length).select(along, length);
        let off = to - direction * along;
        let distance_sq = off.dot(off);
        let nearer = distance_sq.lt(least);
        least = nearer.select(distance_sq, least);
        nearest = nearer.select(along + L::splat(leg.start), nearest);
    }
    let outside = least.gt(L::splat(stay.radius * stay.radius));
    let goal = point_at(route, nearest + L::splat(stay.ahead));
    seek::along(batch, goal - batch.position()).keep(outside)
}

/// The point at `distance` along the path; beyond its end, the end, or around again if closed.
#[inline(always)]
fn point_at<L: Lanes>(route: &Route, distance: L) -> Vec2<L> {
    let whole = L::splat(route.length);
    let distance = if route.closed {
        let turns = (distance / whole).floor();
        turns.mul_add(-whole, distance)
    } else {
        distance.lt(whole).select(distance, whole)
    };
    let mut point = Vec2::<L>::splat(route.legs[0].from);
    for leg in &route.legs {
        let along = distance - L::splat(leg.start);
        let here = Vec2::<L>::splat(leg.direction).mul_add(along, Vec2::splat(leg.from));
        point = Vec2::select(along.ge(L::zero()), here, point);
    }
    point
}
