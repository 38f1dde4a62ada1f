//! Obstacles and walls placed at random, so that their number can scale with the crowd.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::math::lanes::fused::mul_add;
use crate::math::random::{AgentRng, Purpose};
use crate::math::vec3::Vec3;
use crate::scenery::definition::{Obstacle, Wall};
use crate::world::point::Point;
use crate::world::space::Space;

/// Obstacles and walls to scatter over the world at random.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scatter {
    /// Circles that do not overlap each other.
    pub obstacles: Option<Scattered>,
    /// Straight two-sided walls.
    pub walls: Option<Scattered>,
}

/// Number and size of the obstacles or walls of a [`Scatter`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct Scattered {
    /// Number of obstacles or walls, from 0 to 1e6.
    pub count: u32,
    /// Additional obstacles or walls per thousand agents at the start of the scene, from 0 to 1e4.
    /// The total is at most 1e6.
    pub per_thousand_agents: f32,
    /// `[from, to]` range of obstacle radii or wall lengths, in world units from 0 to 1e5.
    /// Each obstacle or wall draws its own value.
    pub size: [f32; 2],
    /// Minimum gap between bounding circles, in world units, from 0 to 1e5.
    pub gap: f32,
}

impl Default for Scattered {
    fn default() -> Self {
        Self { count: 0, per_thousand_agents: 0.0, size: [10.0, 30.0], gap: 10.0 }
    }
}

impl Scattered {
    /// Scatters `count` obstacles or walls; `count` is from 0 to 1e6.
    pub fn new(count: u32) -> Self {
        Self { count, ..Self::default() }
    }

    /// Scatters obstacles or walls in proportion to the number of agents at the start of the scene:
    /// from 0 to 1e4 per thousand agents.
    pub fn per_thousand_agents(per_thousand_agents: f32) -> Self {
        Self { per_thousand_agents, ..Self::default() }
    }

    setters! {
        /// Sets the `[from, to]` range of obstacle radii or wall lengths, in world units
        /// from 0 to 1e5.
        size(size: [f32; 2]) = size;
        /// Sets the minimum gap between bounding circles, in world units, from 0 to 1e5.
        gap(gap: f32) = gap;
    }

    fn wanted(&self, agents: usize) -> usize {
        let additional = f64::from(self.per_thousand_agents) * agents as f64 / 1.0e3;
        (self.count as usize).saturating_add(additional.round() as usize)
    }
}

impl Scatter {
    pub(crate) fn wanted(&self, agents: usize) -> usize {
        let lists = [&self.obstacles, &self.walls].into_iter().flatten();
        lists.map(|list| list.wanted(agents)).fold(0, usize::saturating_add)
    }

    pub(crate) fn check(&self, agents: usize) -> Result<(), Error> {
        let lists = [("scatter.obstacles", &self.obstacles), ("scatter.walls", &self.walls)];
        for (path, list) in lists {
            let Some(list) = list else { continue };
            within(&format!("{path}.count"), list.count as f32, 0.0, 1.0e6, "")?;
            let field = format!("{path}.per_thousand_agents");
            within(&field, list.per_thousand_agents, 0.0, 1.0e4, "")?;
            within(&format!("{path}.size[0]"), list.size[0], 0.0, 1.0e5, "world units")?;
            within(&format!("{path}.size[1]"), list.size[1], list.size[0], 1.0e5, "world units")?;
            within(&format!("{path}.gap"), list.gap, 0.0, 1.0e5, "world units")?;
            let wanted = list.wanted(agents);
            if wanted > MAX_SCATTERED {
                let Scattered { count, per_thousand_agents, .. } = list;
                let allowed = format!(
                    "at most {MAX_SCATTERED} in all; count = {count} and per_thousand_agents = \
                     {per_thousand_agents} make {wanted} for {agents} agents"
                );
                return Err(Error::refused(field, per_thousand_agents, allowed));
            }
        }
        Ok(())
    }

    /// Places all obstacles and walls. The same seed gives the same scenery.
    ///
    /// # Errors
    /// If there is no room for all obstacles and walls.
    pub(super) fn place(
        &self,
        (seed, agents): (u64, usize),
        space: &Space,
    ) -> Result<(Vec<Obstacle>, Vec<Wall>), Error> {
        let spread = |list: &Option<Scattered>, name, purpose, scale, space: &Space| {
            let list = list.clone().unwrap_or_default();
            spread(&list, (name, purpose, seed), (scale, list.wanted(agents)), space)
        };
        let ground = Space::new(space.topology, space.size.x, space.size.y);
        let obstacle = |(Circle { center, radius }, _)| {
            Obstacle::new(Point::new(center, space.axes()), radius)
        };
        let wall = |(Circle { center, radius }, direction)| {
            let ends = [center - direction * radius, center + direction * radius];
            Wall::new(ends.map(|end| Point::new(end, 2))).two_sided()
        };
        let obstacles = spread(&self.obstacles, "obstacles", Purpose::Obstacles, 1.0, space)?;
        let walls = spread(&self.walls, "walls", Purpose::Walls, 0.5, &ground)?;
        Ok((obstacles.into_iter().map(obstacle).collect(), walls.into_iter().map(wall).collect()))
    }
}

const MAX_SCATTERED: usize = 1_000_000;

#[derive(Clone, Copy)]
struct Circle {
    center: Vec3<f32>,
    radius: f32,
}

struct SpatialHash<'a> {
    space: &'a Space,
    /// Side of a cell. Circles that are too close always lie in the same or adjacent cells.
    cell: f64,
    circles: HashMap<[i64; 3], Vec<Circle>>,
}

const MAX_CELLS: f64 = 65_536.0;

impl<'a> SpatialHash<'a> {
    fn new(space: &'a Space, smallest_cell: f32) -> Self {
        // A position is divided by the cell size: 0 would put all circles into a single cell.
        let longer = f64::from(space.size.x).max(space.size.y.into());
        let cell = f64::from(smallest_cell).max(longer / MAX_CELLS);
        Self { space, cell, circles: HashMap::new() }
    }

    fn take(&mut self, at: Vec3<f32>, radius: f32, gap: f32) -> bool {
        let size = self.space.size;
        // Each circle stays half a gap from the edges, which leaves a full gap across the seam.
        let margin = radius + gap / 2.0;
        let is_inside = |x: f32, size: f32| margin <= x && x <= size - margin;
        let is_in_depth = self.space.is_flat() || is_inside(at.z, size.z);
        if !(is_inside(at.x, size.x) && is_inside(at.y, size.y) && is_in_depth) {
            return false;
        }
        let own = <[f32; 3]>::from(at).map(|x| (f64::from(x) / self.cell).floor() as i64);
        let beside = |x: i64| x - 1..=x + 1;
        let layers = if self.space.is_flat() { 0..=0 } else { beside(own[2]) };
        let cells = layers
            .flat_map(|z| beside(own[1]).flat_map(move |y| beside(own[0]).map(move |x| [x, y, z])));
        let mut near = cells.filter_map(|cell| self.circles.get(&cell)).flatten();
        if near.any(|other| (other.center - at).length() < other.radius + radius + gap) {
            return false;
        }
        self.circles.entry(own).or_default().push(Circle { center: at, radius });
        true
    }
}

const ATTEMPTS: usize = 200;

/// Returns random circles, each with a direction for walls. Radii are `list.size` times `scale`.
fn spread(
    list: &Scattered,
    (name, purpose, seed): (&str, Purpose, u64),
    (scale, wanted): (f32, usize),
    space: &Space,
) -> Result<Vec<(Circle, Vec3<f32>)>, Error> {
    let smallest_cell = 2.0 * (list.size[1] * scale) + list.gap;
    let mut room = SpatialHash::new(space, smallest_cell);
    let mut circles = Vec::with_capacity(wanted.min(1 << 20));
    for k in 0..wanted {
        let mut draws = AgentRng::new(seed, k as u32, purpose);
        let drawn = (0..ATTEMPTS).find_map(|_| {
            let radius = mul_add(draws.unit(), list.size[1] - list.size[0], list.size[0]) * scale;
            let center = draws.point(space.size);
            let free = room.take(center, radius, list.gap);
            free.then(|| (Circle { center, radius }, draws.direction(true)))
        });
        let Some(circle) = drawn else {
            let allowed = format!("fewer or smaller: only {k} fit in this world");
            return Err(Error::refused(format!("scatter.{name}"), wanted, allowed));
        };
        circles.push(circle);
    }
    // Sorting by cell makes neighbors in the world neighbors in memory.
    let side = smallest_cell.max(1.0e-3);
    let cell = |x: f32| (x / side).floor() as i64;
    circles.sort_by_key(|(circle, _)| (cell(circle.center.y), cell(circle.center.x)));
    Ok(circles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Topology;

    #[test]
    fn a_circle_is_compared_with_few_others_however_small_the_world_and_the_circles() {
        // Regression: circles of size 0 in a small world shared a few cells, so this took minutes.
        // Regression: circles above each other in a high, narrow world shared a cell.
        for (width, height, depth, smallest_cell) in [
            (1.0e-2, 1.0e-2, 0.0, 0.0),
            (1.0, 1.0e-2, 0.0, 0.0),
            (1.0e7, 1.0e7, 0.0, 0.0),
            (4.0, 4.0, 1.0e7, 2.0),
        ] {
            let size = Vec3 { x: width, y: height, z: depth };
            let space = Space::sized(Topology::Bounded, size);
            let mut room = SpatialHash::new(&space, smallest_cell);
            let mut draws = AgentRng::new(1, 0, Purpose::Obstacles);
            for _ in 0..50_000 {
                assert!(room.take(draws.point(size), 0.0, 0.0));
            }
            let most = room.circles.values().map(Vec::len).max();
            assert!(most < Some(20), "{most:?} circles in a cell of {size:?}");
        }
    }
}
