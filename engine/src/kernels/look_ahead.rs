//! Obstacle avoidance with a look-ahead line: push the line's end away from the center of
//! the nearest obstacle that contains the agent, the line's midpoint or its end.
//!
//! Cost per obstacle and batch: about 25 operations, no division.

use crate::batch::Batch;
use crate::behaviors::look_ahead::LookAhead;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(look: &LookAhead, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let obstacles = &batch.crowd.scenery.obstacles;
    let length = batch.speed_share() * L::splat(look.max_see_ahead);
    let ahead = batch.velocity().normalized() * length;
    let halfway = ahead * L::splat(0.5);
    let position = batch.position();

    let mut nearest = L::splat(f32::INFINITY);
    let mut way_hit = Vec2::zero();
    batch.obstacles().for_each(
        batch.crowd.scenery.obstacle_index.items(),
        #[inline(always)]
        |k| {
            let radius = L::splat(obstacles.radius[k]);
            let center = Vec2::splat(obstacles.center(k));
            let way = batch.crowd.space.displacement(position, center);
            let (from_end, from_middle) = (way - ahead, way - halfway);
            let radius_sq = radius * radius;
            let distance_sq = way.dot(way);
            let hit = distance_sq.le(radius_sq)
                | from_middle.dot(from_middle).le(radius_sq)
                | from_end.dot(from_end).le(radius_sq);
            let nearer = hit & distance_sq.lt(nearest);
            nearest = nearer.select(distance_sq, nearest);
            way_hit = Vec2::select(nearer, way, way_hit);
        },
    );
    let push = (ahead - way_hit).normalized() * L::splat(look.max_avoid_force);
    push.keep(nearest.lt(L::splat(f32::INFINITY)))
}
