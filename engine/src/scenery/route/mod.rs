//! Routes: the shortest way to a goal around walls and obstacles, for all agents up to a given
//! radius.
//!
//! A route is solved once for all agents: [`floor`] finds where an agent can stand and pass, and
//! [`march`] computes each cell's distance to the goal and the direction in which that distance
//! falls. Agents follow these directions like a painted [`Field`]. A solved route depends only on
//! the scenery, the radius, the cell size and the goals, so it is not part of a crowd's state.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::memory;
use crate::scenery::field::Field;
use crate::scenery::solid::Solids;
use crate::world::point::Point;
use crate::world::space::Space;

mod floor;
mod march;
pub(crate) mod task;

use floor::{BYTES_PER_CELL, BYTES_PER_WAY, Floor};
use march::{check_goals, solve};
use task::Task;

/// Bytes per cell of a solved route.
const BYTES_PER_FIELD_CELL: u64 = 16;

/// A way to a goal around all obstacles and walls, for
/// [`FlowFollowing`](crate::behaviors::FlowFollowing).
///
/// ```
/// use flockwork::behaviors::FlowFollowing;
/// use flockwork::{Route, Scene, Species, Wall, World};
///
/// let people = Species::new("person", 100)
///     .radius(2.5)
///     .behavior(FlowFollowing { route: Some("out".into()), ..FlowFollowing::default() });
/// let mut crowd = Scene::new(World::bounded(200.0, 100.0))
///     .wall(Wall::new([[100.0, 0.0], [100.0, 80.0]]).two_sided())
///     .route(Route::new("out", [180.0, 20.0]))
///     .species(people)
///     .build()?;
/// crowd.run(600)?;
/// // Over the top of the wall, not through it.
/// assert!(crowd.route_distance("out", [90.0, 20.0])? > 120.0);
/// # Ok::<(), flockwork::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct Route {
    /// Name by which behaviors refer to the route.
    pub name: String,
    /// Where the route leads.
    pub goal: Goal,
    /// Maximum radius of the agents that the route has room for, in world units, above 0 and at
    /// most 1e4. By default, the largest radius of the species that follow the route. Radii set for
    /// single agents do not count.
    pub radius: Option<f32>,
    /// Size of the cells in which the route is solved, in world units. The default, which is also
    /// the maximum, is 0.7 times the smallest radius of the species that follow the route.
    pub cell: Option<f32>,
}

/// Where a [`Route`] leads. Coordinates are in world units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a point [x, y], the name of a point, { line = { a, b } }, \
                 { box = { low, high } } or a list of these"
)]
pub enum Goal {
    /// A fixed point, on which agents come to rest.
    Point(Point),
    /// One of the scene's named points, to within an eighth of a cell along each axis. If the point
    /// moves, the route follows it.
    Named(String),
    /// A straight line, on which agents come to rest.
    Line {
        /// Ends of the line.
        line: Line,
    },
    /// A rectangle. Agents enter it at full speed and come to rest in its middle.
    Box {
        /// Corners of the rectangle.
        #[serde(rename = "box")]
        area: Area,
    },
    /// The nearest of several goals.
    AnyOf(Vec<Goal>),
}

/// Ends of a [`Goal::Line`], in world units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// One end.
    pub a: Point,
    /// The other end.
    pub b: Point,
}

/// Corners of a [`Goal::Box`], in world units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Corner with the smallest coordinates.
    pub low: Point,
    /// Corner with the largest coordinates.
    pub high: Point,
}

impl Route {
    /// A route to a goal: a point `[x, y]`, the name of a point, or a [`Goal`].
    pub fn new(name: impl Into<String>, goal: impl Into<Goal>) -> Self {
        Self { name: name.into(), goal: goal.into(), radius: None, cell: None }
    }

    setters! {
        /// Sets the maximum radius of the agents that the route has room for, in world units.
        radius(radius: f32) = Some(radius);
        /// Sets the size of the cells in which the route is solved, in world units.
        cell(cell: f32) = Some(cell);
    }
}

impl Goal {
    /// A straight line between two points, in world units.
    pub fn line(a: impl Into<Point>, b: impl Into<Point>) -> Self {
        Self::Line { line: Line { a: a.into(), b: b.into() } }
    }

    /// A rectangle, given by the corners with the smallest and largest coordinates, in world units.
    pub fn area(low: impl Into<Point>, high: impl Into<Point>) -> Self {
        Self::Box { area: Area { low: low.into(), high: high.into() } }
    }
}

impl From<[f32; 2]> for Goal {
    fn from(point: [f32; 2]) -> Self {
        Self::Point(point.into())
    }
}

impl From<&str> for Goal {
    fn from(name: &str) -> Self {
        Self::Named(name.into())
    }
}

impl From<Vec<Goal>> for Goal {
    fn from(goals: Vec<Goal>) -> Self {
        Self::AnyOf(goals)
    }
}

/// A route whose goals were checked. It is solved when it is first read.
#[derive(Debug)]
pub(crate) struct SolvedRoute {
    pub(crate) task: Task,
    floor: Arc<Floor>,
    field: OnceLock<Field>,
}

impl SolvedRoute {
    /// Returns a route for each task. Equal routes of `before`, the earlier routes of the same
    /// scenery, keep their solution, and matching floors are shared.
    pub(crate) fn all(
        tasks: Vec<Task>,
        solids: &Arc<Solids>,
        space: &Space,
        before: &[Arc<Self>],
    ) -> Result<Vec<Arc<Self>>, Error> {
        let named = before.iter().map(|route| (route.task.name.as_str(), route));
        let named: HashMap<&str, &Arc<Self>> = named.collect();
        let size_of = |task: &Task| [task.radius, task.cell].map(f32::to_bits);
        let floors = before.iter().map(|route| (size_of(&route.task), Arc::clone(&route.floor)));
        let mut floors: HashMap<[u32; 2], Arc<Floor>> = floors.collect();
        let (mut kept, mut largest, mut tests) = (0, 0, 0.0);
        let route = |task: Task| {
            if let Some(&same) = named.get(task.name.as_str()).filter(|same| same.task == task) {
                return Ok(Arc::clone(same));
            }
            let shared = floors.get(&size_of(&task)).filter(|floor| floor.is_shared());
            let floor = match shared {
                Some(floor) => Arc::clone(floor),
                None => {
                    let floor = Floor::new(&task, solids, space, &mut tests)?;
                    kept += BYTES_PER_WAY * floor.len() as u64;
                    Arc::new(floor)
                }
            };
            floors.insert(size_of(&task), Arc::clone(&floor));
            // Fields are allocated when routes are solved, one after the other.
            kept += BYTES_PER_FIELD_CELL * ((floor.columns + 2) * (floor.rows + 2)) as u64;
            largest = largest.max(floor.len() as u64);
            memory::check(kept + BYTES_PER_CELL * largest)?;
            check_goals(&floor, &task)?;
            Ok(Arc::new(Self { task, floor, field: OnceLock::new() }))
        };
        tasks.into_iter().map(route).collect()
    }

    pub(crate) fn field(&self) -> &Field {
        self.field.get_or_init(|| solve(&self.floor, &self.task.goals))
    }
}
