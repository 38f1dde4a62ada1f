//! Queries about scenery: the first wall or obstacle on a ray, and agents that overlap scenery.

use crate::crowd::limits::Limit;
use crate::error::{Error, within};
use crate::id::AgentId;
use crate::math::vec3::Vec3;
use crate::scene::check::MAX_OFFSET_IN_SIDES;
use crate::scenery::polygon::is_polygon;
use crate::simulation::Simulation;
use crate::world::point::Point;

/// The first wall or obstacle on a ray, and the point where the ray meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The wall or obstacle that the ray meets.
    pub met: Met,
    /// The point where the ray meets the wall or obstacle, in world units; the third component is 0
    /// in a flat world.
    pub position: [f32; 3],
    /// Distance from the start of the ray, in world units.
    pub distance: f32,
}

/// A wall or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// A straight wall, by its index in [`Simulation::walls`].
    Wall(usize),
    /// A wall that is a polygon, by its index in [`Scene::walls`](crate::Scene::walls).
    Polygon(usize),
    /// An obstacle, by its index in [`Simulation::obstacles`].
    Obstacle(usize),
}

impl Simulation {
    /// Returns the first wall or obstacle on the straight line between two points, solid or not, or
    /// `None` if nothing is between them. Walls are met from both sides; a ray that starts inside
    /// an obstacle meets it at once, and a ray exactly along a wall does not meet that wall. On a
    /// torus, the line may leave the world: it then continues from the opposite side.
    ///
    /// # Errors
    /// A coordinate beyond ±1e7; a point whose number of coordinates differs from the world's; on a
    /// torus, a line longer than 100,000 times the world's shorter side.
    pub fn ray(
        &self,
        from: impl Into<Point>,
        to: impl Into<Point>,
    ) -> Result<Option<RayHit>, Error> {
        let space = &self.setting.space;
        let end = |field: &str, point: Point| {
            point.check(field)?;
            point.in_world(field, space.axes()).map(Vec3::<f64>::from_f32)
        };
        let start = end("from", from.into())?;
        let motion = end("to", to.into())? - start;
        if space.is_torus() {
            let (most, length) =
                (MAX_OFFSET_IN_SIDES * space.smaller_side(), motion.length() as f32);
            let unit = "world units: at most 100,000 times the shorter side of the torus";
            within("length of the ray", length, 0.0, most, unit)?;
        }
        let hit = self.setting.scenery.shapes(space).first_met(start, motion, space);
        Ok(hit.map(|(solid, t)| RayHit {
            met: self.met(solid),
            position: space.wrap_any((start + motion * t).to_f32()).into(),
            distance: (motion.length() * t) as f32,
        }))
    }

    fn met(&self, solid: usize) -> Met {
        let scenery = &self.setting.scenery;
        let (walls, triangles) = (scenery.walls.len(), scenery.triangles.len());
        let Some(mut triangle) = solid.checked_sub(walls) else { return Met::Wall(solid) };
        if triangle >= triangles {
            return Met::Obstacle(triangle - triangles);
        }
        let all = self.setting.scene.walls.iter().enumerate();
        for (wall, polygon) in all.filter(|(_, wall)| is_polygon(wall)) {
            match triangle.checked_sub(polygon.points.len() - 2) {
                Some(rest) => triangle = rest,
                None => return Met::Polygon(wall),
            }
        }
        unreachable!("each triangle is of a polygon")
    }

    /// Returns the ids of the agents that overlap a wall or an obstacle, solid or not, in ascending
    /// order of index. An agent that only touches scenery does not overlap it, and neither does an
    /// agent behind a one-sided wall.
    #[must_use]
    pub fn agents_in_scenery(&self) -> Vec<AgentId> {
        let space = &self.setting.space;
        let shapes = self.setting.scenery.shapes(space);
        let overlaps = |&slot: &usize| {
            shapes.is_inside(
                self.state.motion.position.at(slot),
                self.limit_at(Limit::Radius, slot),
                space,
            )
        };
        let mut overlapping: Vec<AgentId> =
            (0..self.len()).filter(overlaps).map(|slot| self.id_at(slot)).collect();
        overlapping.sort_unstable();
        overlapping
    }
}
