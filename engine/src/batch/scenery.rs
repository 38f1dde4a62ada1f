//! Obstacles and walls near a batch, visited one at a time and broadcast to all lanes.

use crate::batch::Batch;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec3::Vec3;

/// An obstacle that may be near some agents of a batch, as visited by [`Batch::for_each_obstacle`].
#[derive(Clone, Copy, Debug)]
pub struct NearObstacle<L: Lanes> {
    /// Offset from each agent to the obstacle's center, in world units;
    /// the shortest offset on a torus.
    pub offset: Vec3<L>,
    pub(crate) center: Vec3<L>,
    /// Radius of the obstacle, in world units.
    pub radius: L,
    /// Mask of the agents whose centers are within the behavior's obstacle range of this rim.
    pub near: Mask<L>,
}

/// A straight wall that may be near some agents of a batch, as visited by [`Batch::for_each_wall`].
#[derive(Clone, Copy, Debug)]
pub struct NearWall<L: Lanes> {
    /// Offset from each agent to the nearest point of the wall, in world units;
    /// never across the seam of a torus.
    pub offset: Vec3<L>,
    /// Offset from each agent to the wall's first endpoint, in world units.
    pub from: Vec3<L>,
    /// Offset from each agent to the wall's second endpoint, in world units.
    pub to: Vec3<L>,
    /// Unit normal of the wall's front; for a two-sided wall, the normal on the agent's side.
    pub normal: Vec3<L>,
    /// Mask of the agents whose centers are within the behavior's wall range of the wall.
    pub near: Mask<L>,
}

impl<L: Lanes> Batch<'_, L> {
    /// Calls `visit` with each obstacle within the behavior's obstacle range of some agent,
    /// in scene order. Only agents in [`NearObstacle::near`] may use the obstacle.
    #[inline(always)]
    pub fn for_each_obstacle(&self, mut visit: impl FnMut(&NearObstacle<L>)) {
        let obstacles = &self.crowd.scenery.obstacles;
        let range = L::splat(self.inputs().obstacle_range);
        self.obstacles().for_each(
            #[inline(always)]
            |k| {
                let radius = L::splat(obstacles[k].radius);
                let center = Vec3::splat(obstacles[k].center.into());
                let offset = self.offset_to(center);
                let near = offset.dot(offset).le((range + radius) * (range + radius));
                visit(&NearObstacle { offset, center, radius, near });
            },
        );
    }

    /// Calls `visit` with each straight wall, not polygons, within the behavior's wall range of
    /// some agent, in scene order. Only agents in [`NearWall::near`] may use the wall.
    #[inline(always)]
    pub fn for_each_wall(&self, mut visit: impl FnMut(&NearWall<L>)) {
        let walls = &self.crowd.scenery.walls;
        let (range, one) = (L::splat(self.inputs().wall_range), L::splat(1.0));
        let position = self.position();
        self.walls().for_each(
            #[inline(always)]
            |k| {
                // Polygons follow the straight walls.
                let Some(wall) = walls.get(k) else { return };
                // Straight walls are vertical, so heights are ignored.
                let (start, end) = (wall.from, wall.to);
                let from =
                    Vec3::flat(L::splat(start.x) - position.x, L::splat(start.y) - position.y);
                let to = Vec3::flat(L::splat(end.x) - position.x, L::splat(end.y) - position.y);
                let along = to - from;
                let t = (-from.dot(along) / along.dot(along)).clamp(0.0, 1.0);
                let offset = along.mul_add(t, from);
                let normal = Vec3::<L>::splat(wall.normal);
                let behind = from.dot(normal).gt(L::zero());
                let normal = normal * behind.select(L::splat(wall.behind), one);
                let near = offset.dot(offset).le(range * range);
                visit(&NearWall { offset, from, to, normal, near });
            },
        );
    }
}
