//! The static world: obstacles, walls, paths and a flow field.
//!
//! [`Scenery`] is what the kernels read: flat columns, and an index that tells which
//! obstacles and walls are near a place. Scenes write the definitions at the top.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Place, within};
use crate::scatter::{self, Scatter};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::target::check_point;
use crate::vec2::Vec2;
use crate::world::Space;

pub(crate) mod index;

use index::Index;

/// A circle to be avoided, or hidden behind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// In world units.
    pub center: [f32; 2],
    /// In world units, from 0 to 1e6.
    pub radius: f32,
}

/// A chain of straight walls. Each has its front on the left of the way from one point to
/// the next: points in counterclockwise order enclose a room, clockwise a block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wall {
    /// At least two different points, in world units. Walls stand as drawn: they do not
    /// reach across the seam of a torus.
    pub points: Vec<[f32; 2]>,
    /// Whether the last point is joined to the first. Default false.
    pub closed: bool,
    /// Whether agents behind a wall are kept behind it, instead of being pushed through to its
    /// front as the book has it. Default false.
    pub two_sided: bool,
}

/// A straight piece of a [`Wall`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightWall {
    /// Its front is on the left of the way from the first end to the second.
    pub ends: [[f32; 2]; 2],
    /// Whether agents behind it are kept there.
    pub two_sided: bool,
}

/// Waypoints to follow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Path {
    /// The name that behaviors use.
    pub name: String,
    /// At least two waypoints, each different from the one before, in world units.
    pub points: Vec<[f32; 2]>,
    /// Whether the first waypoint follows the last. Default false.
    pub closed: bool,
}

/// A grid of directions over the world, for
/// [`FlowFollowing`](crate::FlowFollowing).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowField {
    /// How many directions there are along x, from 1 to 4096.
    pub columns: u32,
    /// The directions in degrees, counterclockwise from the right, row by row from the bottom.
    /// Each stands in the middle of its cell.
    pub degrees: Vec<f32>,
}

impl Obstacle {
    fn check(&self, path: &str) -> Result<(), Error> {
        check_point(&format!("{path}.center"), self.center)?;
        within(&format!("{path}.radius"), self.radius, 0.0, 1.0e6, "world units")
    }
}

impl Wall {
    fn check(&self, path: &str) -> Result<(), Error> {
        check_chain(path, &self.points, self.closed)
    }
}

impl Path {
    fn check(&self, path: &str) -> Result<(), Error> {
        check_chain(path, &self.points, self.closed)
    }
}

impl FlowField {
    fn check(&self) -> Result<(), Error> {
        within("flow.columns", self.columns as f32, 1.0, 4096.0, "")?;
        if self.degrees.is_empty() || !self.degrees.len().is_multiple_of(self.columns as usize) {
            return Err(Error::OutOfRange {
                at: Place::default(),
                field: "flow.degrees".into(),
                value: format!("{} directions", self.degrees.len()),
                allowed: format!("as many as fill whole rows of {}", self.columns),
            });
        }
        self.degrees.iter().enumerate().try_for_each(|(k, &degrees)| {
            within(&format!("flow.degrees[{k}]"), degrees, -360.0, 360.0, "degrees")
        })
    }
}

fn check_chain(path: &str, points: &[[f32; 2]], closed: bool) -> Result<(), Error> {
    let refuse = |field: String, value: String, allowed: &str| {
        Err(Error::OutOfRange { at: Place::default(), field, value, allowed: allowed.into() })
    };
    if points.len() < 2 {
        let value = format!("{} points", points.len());
        return refuse(format!("{path}.points"), value, "at least 2 points");
    }
    for (k, &point) in points.iter().enumerate() {
        check_point(&format!("{path}.points[{k}]"), point)?;
    }
    for (k, [from, to]) in segments(points, closed).enumerate() {
        let way = Vec2::from(to) - Vec2::from(from);
        if way.length() < 1.0e-3 {
            let value = format!("{to:?}");
            let next = (k + 1) % points.len();
            let allowed = "at least 1e-3 world units from the point before";
            return refuse(format!("{path}.points[{next}]"), value, allowed);
        }
    }
    Ok(())
}

/// The pieces from each point to the next.
pub(crate) fn segments(
    points: &[[f32; 2]],
    closed: bool,
) -> impl Iterator<Item = [[f32; 2]; 2]> + '_ {
    let last = match (closed, points) {
        (true, [first, .., last]) => Some([*last, *first]),
        _ => None,
    };
    points.windows(2).map(|pair| [pair[0], pair[1]]).chain(last)
}

/// What a scene says about its static world.
pub(crate) struct Definition<'a> {
    pub(crate) seed: u64,
    pub(crate) agents: usize,
    pub(crate) obstacles: &'a [Obstacle],
    pub(crate) walls: &'a [Wall],
    pub(crate) paths: &'a [Path],
    pub(crate) flow: Option<&'a FlowField>,
    pub(crate) scatter: Option<&'a Scatter>,
}

impl Definition<'_> {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let at = |list: &str, k: usize| format!("{list}[{k}]");
        let mut obstacles = self.obstacles.iter().enumerate();
        obstacles.try_for_each(|(k, obstacle)| obstacle.check(&at("obstacles", k)))?;
        let mut walls = self.walls.iter().enumerate();
        walls.try_for_each(|(k, wall)| wall.check(&at("walls", k)))?;
        for (k, path) in self.paths.iter().enumerate() {
            path.check(&at("paths", k))?;
            if self.paths[..k].iter().any(|other| other.name == path.name) {
                return Err(Error::OutOfRange {
                    at: Place::default(),
                    field: format!("paths[{k}].name"),
                    value: path.name.clone(),
                    allowed: "a name that no other path has".into(),
                });
            }
        }
        self.flow.map_or(Ok(()), FlowField::check)?;
        self.scatter.map_or(Ok(()), Scatter::check)
    }
}

/// The static world as the kernels read it.
#[derive(Clone, Debug)]
pub(crate) struct Scenery {
    /// How far agents look for obstacles and for walls, as far as the indices know.
    pub(crate) reach: [f32; 2],
    pub(crate) obstacles: Obstacles,
    pub(crate) walls: Walls,
    pub(crate) paths: Vec<Route>,
    pub(crate) flow: Option<Flow>,
    pub(crate) obstacle_index: Index,
    pub(crate) wall_index: Index,
}

/// All circles, as columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Obstacles {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) radius: Vec<f32>,
}

/// All straight walls, as columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walls {
    pub(crate) from: Vec<Vec2<f32>>,
    pub(crate) to: Vec<Vec2<f32>>,
    /// The unit normal of the front.
    pub(crate) normal: Vec<Vec2<f32>>,
    /// What an agent behind the wall makes of the normal: −1 if the wall is two-sided, else 1.
    pub(crate) behind: Vec<f32>,
}

/// A path, with the lengths along it.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) name: String,
    pub(crate) points: Vec<Vec2<f32>>,
    pub(crate) closed: bool,
    /// Its straight pieces.
    pub(crate) legs: Vec<Leg>,
    pub(crate) length: f32,
}

/// A straight piece of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Vec2<f32>,
    /// Unit vector.
    pub(crate) direction: Vec2<f32>,
    pub(crate) length: f32,
    /// How far along the path it starts.
    pub(crate) start: f32,
}

/// The flow field, ready for bilinear lookup.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Cells per world unit.
    pub(crate) inverse_cell: Vec2<f32>,
    /// How many columns and rows of cells there are.
    pub(crate) count: Vec2<f32>,
    /// For every place between the middles of four cells, row by row from below the first: their
    /// directions (x and y at the lower left, lower right, upper left, upper right).
    quads: Vec<[f32; 8]>,
}

impl Scenery {
    /// # Errors
    /// If there is no room for all that is to be scattered.
    pub(crate) fn new(definition: &Definition<'_>, space: &Space) -> Result<Self, Error> {
        let scattered = scatter::place(definition, space)?;
        let mut obstacles = Obstacles::default();
        for circle in definition.obstacles.iter().chain(&scattered.obstacles) {
            obstacles.x.push(circle.center[0]);
            obstacles.y.push(circle.center[1]);
            obstacles.radius.push(circle.radius);
        }
        let mut walls = Walls::default();
        for chain in definition.walls.iter().chain(&scattered.walls) {
            for [from, to] in segments(&chain.points, chain.closed) {
                let (from, to) = (Vec2::from(from), Vec2::from(to));
                walls.from.push(from);
                walls.to.push(to);
                walls.normal.push((to - from).normalized().perp());
                walls.behind.push(if chain.two_sided { -1.0 } else { 1.0 });
            }
        }
        Ok(Self {
            // No reach at all, not even zero: not indexed yet.
            reach: [f32::NAN; 2],
            obstacle_index: Index::new(space, false, &[]),
            wall_index: Index::new(space, false, &[]),
            obstacles,
            walls,
            paths: definition.paths.iter().map(Route::new).collect(),
            flow: definition.flow.map(|field| Flow::new(field, space)),
        })
    }

    /// The same, indexed for agents that look so far for obstacles and for walls.
    pub(crate) fn with_reach(mut self, space: &Space, reach: [f32; 2]) -> Self {
        let [obstacle_reach, wall_reach] = reach;
        let (obstacles, walls) = (&self.obstacles, &self.walls);
        let circles = (0..obstacles.x.len()).map(|k| {
            let center = Vec2::new(obstacles.x[k], obstacles.y[k]);
            index::Item { from: center, to: center, radius: obstacles.radius[k] + obstacle_reach }
        });
        let lines = (0..walls.from.len()).map(|k| index::Item {
            from: walls.from[k],
            to: walls.to[k],
            radius: wall_reach,
        });
        self.obstacle_index = Index::new(space, space.is_torus(), &circles.collect::<Vec<_>>());
        self.wall_index = Index::new(space, false, &lines.collect::<Vec<_>>());
        self.reach = reach;
        self
    }

    pub(crate) fn path(&self, name: &str) -> Option<&Route> {
        self.paths.iter().find(|path| path.name == name)
    }
}

impl Route {
    fn new(path: &Path) -> Self {
        let mut length = 0.0;
        let mut legs = Vec::new();
        for [from, to] in segments(&path.points, path.closed) {
            let way = Vec2::from(to) - Vec2::from(from);
            let leg = Leg {
                from: from.into(),
                direction: way.normalized(),
                length: way.length(),
                start: length,
            };
            length += leg.length;
            legs.push(leg);
        }
        let points = path.points.iter().map(|&point| point.into()).collect();
        Self { name: path.name.clone(), points, closed: path.closed, legs, length }
    }
}

impl Flow {
    fn new(field: &FlowField, space: &Space) -> Self {
        let (columns, rows) =
            (field.columns as i32, (field.degrees.len() as u32 / field.columns) as i32);
        // A torus goes on on the other side, other worlds as at their edge.
        let inside = |cell: i32, count: i32| match space.is_torus() {
            true => cell.rem_euclid(count),
            false => cell.clamp(0, count - 1),
        };
        let direction = |column: i32, row: i32| {
            let cell = inside(row, rows) * columns + inside(column, columns);
            let (sin, cos) = crate::angle::sin_cos(field.degrees[cell as usize].to_radians());
            [cos, sin]
        };
        let quad = |column: i32, row: i32| {
            let [a, b] = [direction(column, row), direction(column + 1, row)];
            let [c, d] = [direction(column, row + 1), direction(column + 1, row + 1)];
            [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
        };
        let count = Vec2::new(columns as f32, rows as f32);
        Self {
            inverse_cell: Vec2::new(count.x / space.size.x, count.y / space.size.y),
            count,
            quads: (-1..rows)
                .flat_map(|row| (-1..columns).map(move |column| quad(column, row)))
                .collect(),
        }
    }

    /// The four directions around a place, which is that far right of and above the middle of
    /// the first cell, in cells; both from −1 to the number of cells − 1.
    pub(crate) fn quad(&self, column: f32, row: f32) -> &[f32; 8] {
        let stride = self.count.x as usize + 1;
        &self.quads[(row + 1.0) as usize * stride + (column + 1.0) as usize]
    }
}

impl Simulation {
    /// Takes the obstacles, the walls and what is to be scattered of another scene, in place
    /// of what there is.
    ///
    /// # Errors
    /// A value out of range; nothing is changed then.
    pub fn set_scenery(&mut self, from: &Scene) -> Result<(), Error> {
        let mut scene = self.scene.clone();
        scene.obstacles.clone_from(&from.obstacles);
        scene.walls.clone_from(&from.walls);
        scene.scatter.clone_from(&from.scatter);
        scene.scenery().check()?;
        self.scenery = Arc::new(Scenery::new(&scene.scenery(), &self.space)?);
        self.scene = scene;
        self.derive();
        Ok(())
    }

    /// All obstacles, scattered ones included.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = Obstacle> + '_ {
        let Obstacles { x, y, radius } = &self.scenery.obstacles;
        (0..x.len()).map(|k| Obstacle { center: [x[k], y[k]], radius: radius[k] })
    }

    /// All straight walls, scattered ones included.
    pub fn walls(&self) -> impl ExactSizeIterator<Item = StraightWall> + '_ {
        let Walls { from, to, behind, .. } = &self.scenery.walls;
        (0..from.len()).map(|k| StraightWall {
            ends: [from[k], to[k]].map(|end| [end.x, end.y]),
            two_sided: behind[k] < 0.0,
        })
    }
}
