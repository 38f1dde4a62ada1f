//! The obstacles and walls near a batch, one at a time: broadcast to all lanes.

use crate::batch::Batch;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;

/// An obstacle that may be near some agents of a batch, in [`Batch::for_each_obstacle`].
#[derive(Clone, Copy, Debug)]
pub struct NearObstacle<L> {
    /// The way to its center from each agent, in world units: on a torus, the shortest.
    pub way: Vec2<L>,
    /// Its center, world units.
    pub(crate) center: Vec2<L>,
    /// Its radius, world units.
    pub radius: L,
    /// The agents whose centers are at most the behavior's obstacle range away from its rim.
    pub near: Mask<L>,
}

/// A straight wall that may be near some agents of a batch, in [`Batch::for_each_wall`].
#[derive(Clone, Copy, Debug)]
pub struct NearWall<L> {
    /// The way to its nearest point from each agent, in world units; not across the seam.
    pub way: Vec2<L>,
    /// The way to one end.
    pub from: Vec2<L>,
    /// The way to the other end.
    pub to: Vec2<L>,
    /// The unit normal of its front; of a two-sided wall, that of the agent's side.
    pub normal: Vec2<L>,
    /// The agents whose centers are at most the behavior's wall range away.
    pub near: Mask<L>,
}

impl<L: Lanes> Batch<'_, L> {
    /// Calls `visit` with each obstacle, in the order of the scene, that is within the behavior's
    /// obstacle range of some of the agents. Only agents in [`NearObstacle::near`] may use it.
    #[inline(always)]
    pub fn for_each_obstacle(&self, mut visit: impl FnMut(&NearObstacle<L>)) {
        let obstacles = &self.crowd.scenery.obstacles;
        let range = L::splat(self.needs().obstacle_range);
        self.obstacles().for_each(
            #[inline(always)]
            |k| {
                let radius = L::splat(obstacles[k].radius);
                let center = Vec2::splat(obstacles[k].center.into());
                let way = self.way_to(center);
                let near = way.dot(way).le((range + radius) * (range + radius));
                visit(&NearObstacle { way, center, radius, near });
            },
        );
    }

    /// Calls `visit` with each straight wall, in the order of the scene, that is within the
    /// behavior's wall range of some of the agents. Only agents in [`NearWall::near`] may use it.
    #[inline(always)]
    pub fn for_each_wall(&self, mut visit: impl FnMut(&NearWall<L>)) {
        let walls = &self.crowd.scenery.walls;
        let (range, one) = (L::splat(self.needs().wall_range), L::splat(1.0));
        let position = self.position();
        self.walls().for_each(
            #[inline(always)]
            |k| {
                let wall = &walls[k];
                let from = Vec2::<L>::splat(wall.from) - position;
                let to = Vec2::<L>::splat(wall.to) - position;
                let along = to - from;
                let share = (-from.dot(along) / along.dot(along)).limited(0.0, 1.0);
                let way = along.mul_add(share, from);
                let normal = Vec2::<L>::splat(wall.normal);
                let behind = from.dot(normal).gt(L::zero());
                let normal = normal * behind.select(L::splat(wall.behind), one);
                let near = way.dot(way).le(range * range);
                visit(&NearWall { way, from, to, normal, near });
            },
        );
    }
}
