//! The static world: obstacles, walls, paths, flow fields and routes.
//!
//! Kernels read [`Scenery`], which holds flat lists plus spatial indexes of obstacles and walls.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::world::point::Point;
use crate::world::space::Space;

pub(crate) mod definition;
pub(crate) mod field;
pub(crate) mod index;
pub(crate) mod polygon;
pub(crate) mod route;
pub(crate) mod scatter;
pub(crate) mod solid;
pub(crate) mod waypoints;

use definition::{FlowField, MAX_COUNT, Obstacle, Wall, WaypointPath, check_chain, segments};
use field::Field;
use index::{Index, Item};
use polygon::Triangle;
use route::SolvedRoute;
use route::task::Task;
use scatter::Scatter;
use solid::{Solid, Solids};
use waypoints::Waypoints;

pub(crate) struct Definition<'a> {
    pub(crate) seed: u64,
    pub(crate) agents: usize,
    /// Number of the world's axes.
    pub(crate) axes: usize,
    pub(crate) obstacles: &'a [Obstacle],
    pub(crate) walls: &'a [Wall],
    pub(crate) paths: &'a [WaypointPath],
    pub(crate) flows: Vec<(Option<&'a str>, &'a Arc<FlowField>)>,
    pub(crate) scatter: Option<&'a Scatter>,
}

impl Definition<'_> {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let at = |list: &str, k: usize| format!("{list}[{k}]");
        let mut obstacles = self.obstacles.iter().enumerate();
        obstacles.try_for_each(|(k, obstacle)| obstacle.check(&at("obstacles", k), self.axes))?;
        for (k, wall) in self.walls.iter().enumerate() {
            let path = at("walls", k);
            if self.axes == 3 && polygon::is_polygon(wall) {
                check_chain(&path, (&wall.points, 3), true)?;
                polygon::check(&path, wall)?;
            } else {
                check_chain(&path, (&wall.points, 2), wall.closed)?;
            }
        }
        let mut names = HashSet::new();
        for (k, WaypointPath { name, points, closed }) in self.paths.iter().enumerate() {
            check_chain(&at("paths", k), (points, self.axes), *closed)?;
            if points.len() > MAX_COUNT {
                let value = format!("{} points", points.len());
                let allowed = format!("at most {MAX_COUNT} points");
                return Err(Error::refused(format!("paths[{k}].points"), value, allowed));
            }
            if !names.insert(name) {
                let field = format!("paths[{k}].name");
                return Err(Error::refused(field, name, "unique among path names"));
            }
        }
        self.flows.iter().try_for_each(check_flow)?;
        self.scatter.map_or(Ok(()), |scatter| scatter.check(self.agents))
    }

    /// Checks the flow fields that the scenery does not have yet.
    pub(crate) fn check_new_flows(&self, scenery: &Scenery) -> Result<(), Error> {
        let mut new = self.flows.iter().filter(|(_, flow)| scenery.drawn(flow).is_none());
        new.try_for_each(check_flow)
    }
}

fn check_flow((name, flow): &(Option<&str>, &Arc<FlowField>)) -> Result<(), Error> {
    match name {
        None => flow.check("flow"),
        Some(name) => flow.check(&format!("flows.{name}")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IndexRanges {
    pub(crate) obstacle_range: f32,
    pub(crate) wall_range: f32,
    pub(crate) solid: bool,
    pub(crate) row: f32,
}

#[derive(Clone, Debug)]
pub(crate) struct Scenery {
    pub(crate) readers: Option<IndexRanges>,
    /// On a torus, all centers are wrapped into the world.
    pub(crate) obstacles: Vec<Obstacle>,
    pub(crate) walls: Vec<Segment>,
    /// Walls that are polygons, cut into triangles. In the index, they follow the other walls.
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) paths: Vec<Waypoints>,
    flows: Vec<Flow>,
    pub(crate) obstacle_index: Index,
    pub(crate) wall_index: Index,
    shapes: OnceLock<Arc<Solids>>,
    pub(crate) routes: Vec<Arc<SolvedRoute>>,
}

#[derive(Clone, Debug)]
struct Flow {
    /// `None` for [`Scene::flow`](crate::Scene::flow).
    name: Option<String>,
    definition: Arc<FlowField>,
    field: Arc<Field>,
}

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) from: Vec3<f32>,
    pub(crate) to: Vec3<f32>,
    /// Unit normal on the front side.
    pub(crate) normal: Vec3<f32>,
    /// Sign of the normal for agents behind the wall: −1 if the wall is two-sided, else 1.
    pub(crate) behind: f32,
}

impl Scenery {
    pub(crate) fn new(definition: &Definition<'_>, space: &Space) -> Result<Self, Error> {
        let (seed, agents) = (definition.seed, definition.agents);
        let (scattered_obstacles, scattered_walls) = match definition.scatter {
            Some(scatter) => scatter.place((seed, agents), space)?,
            None => Default::default(),
        };
        let obstacles = definition.obstacles.iter().copied().chain(scattered_obstacles);
        let wrapped = |Obstacle { center, radius }| Obstacle {
            center: Point::new(space.wrap_any(center.into()), space.axes()),
            radius,
        };
        let (mut walls, mut triangles) = (Vec::new(), Vec::new());
        for chain in definition.walls.iter().chain(&scattered_walls) {
            if polygon::is_polygon(chain) {
                triangles.extend(polygon::triangles(chain));
                continue;
            }
            let behind = if chain.two_sided { -1.0 } else { 1.0 };
            for [from, to] in segments(&chain.points, chain.closed) {
                let (from, to) = (Vec3::from(from), Vec3::from(to));
                let normal = (to - from).normalized().quarter_turn();
                walls.push(Segment { from, to, normal, behind });
            }
        }
        Ok(Self {
            readers: None,
            obstacle_index: Index::new(space, false, &[], 0.0),
            wall_index: Index::new(space, false, &[], 0.0),
            shapes: OnceLock::new(),
            routes: Vec::new(),
            obstacles: obstacles.map(wrapped).collect(),
            walls,
            triangles,
            paths: definition.paths.iter().map(Waypoints::new).collect(),
            flows: painted(definition, space, None),
        })
    }

    pub(crate) fn index(&mut self, space: &Space, readers: IndexRanges) {
        let IndexRanges { obstacle_range, wall_range, solid, row } = readers;
        let circle = |&Obstacle { center, radius }: &Obstacle| Item {
            from: center.into(),
            to: center.into(),
            radius: radius + obstacle_range,
        };
        let line = |&Segment { from, to, .. }: &Segment| Item { from, to, radius: wall_range };
        let circles: Vec<Item> = self.obstacles.iter().map(circle).collect();
        let triangles = self.triangles.iter().map(|triangle| triangle.item(wall_range));
        let lines: Vec<Item> = self.walls.iter().map(line).chain(triangles).collect();
        self.obstacle_index = Index::new(space, space.is_torus(), &circles, row);
        self.wall_index = Index::new(space, false, &lines, row);
        if solid {
            self.shapes(space);
        }
        self.readers = Some(readers);
    }

    /// All walls and obstacles if they are solid, else `None`.
    #[inline(always)]
    pub(crate) fn solids(&self) -> Option<&Solids> {
        let is_solid = self.readers.as_ref().is_some_and(|readers| readers.solid);
        if is_solid { self.shapes.get().map(|shapes| &**shapes) } else { None }
    }

    /// All walls and obstacles, solid or not. The first call builds their index.
    pub(crate) fn shapes(&self, space: &Space) -> &Arc<Solids> {
        self.shapes.get_or_init(|| {
            let wall = |wall: &Segment| Solid::wall(wall.from, wall.to, wall.behind > 0.0);
            let walls = self.walls.iter().map(wall);
            let triangles = self.triangles.iter().map(Solid::triangle);
            let all = walls.chain(triangles).chain(self.obstacles.iter().map(Solid::obstacle));
            Arc::new(Solids::new(all.collect(), space))
        })
    }

    /// Routes for these tasks. A task that the scenery already has keeps its solution.
    pub(crate) fn solved_routes(
        &self,
        tasks: Vec<Task>,
        space: &Space,
    ) -> Result<Vec<Arc<SolvedRoute>>, Error> {
        // Without routes, the shapes may never be needed.
        if tasks.is_empty() {
            return Ok(Vec::new());
        }
        SolvedRoute::all(tasks, self.shapes(space), space, &self.routes)
    }

    /// Call this before a step, so that no thread waits for a solution in the middle of the step.
    pub(crate) fn solve_routes(&self) {
        self.routes.iter().for_each(|route| _ = route.field());
    }

    /// Replaces the paths and flow fields.
    pub(crate) fn redraw(&mut self, definition: &Definition<'_>, space: &Space) {
        self.paths = definition.paths.iter().map(Waypoints::new).collect();
        self.flows = painted(definition, space, Some(self));
    }

    /// The field of a flow that the scenery already has.
    fn drawn(&self, flow: &Arc<FlowField>) -> Option<&Arc<Field>> {
        let mut flows = self.flows.iter();
        flows.find(|drawn| Arc::ptr_eq(&drawn.definition, flow)).map(|drawn| &drawn.field)
    }

    pub(crate) fn flow(&self, name: Option<&str>) -> Option<&Field> {
        let named = self.flows.iter().find(|flow| flow.name.as_deref() == name);
        named.map(|flow| &*flow.field)
    }

    pub(crate) fn route(&self, name: &str) -> Option<&SolvedRoute> {
        self.routes.iter().map(|route| &**route).find(|route| route.task.name == name)
    }

    pub(crate) fn path(&self, name: &str) -> Option<&Waypoints> {
        self.paths.iter().find(|path| path.name == name)
    }
}

fn painted(definition: &Definition<'_>, space: &Space, before: Option<&Scenery>) -> Vec<Flow> {
    let flow = |&(name, definition): &(Option<&str>, &Arc<FlowField>)| {
        let field = match before.and_then(|scenery| scenery.drawn(definition)) {
            Some(field) => Arc::clone(field),
            None => Arc::new(Field::painted(definition, space)),
        };
        Flow { name: name.map(str::to_owned), definition: Arc::clone(definition), field }
    };
    definition.flows.iter().map(flow).collect()
}

#[cfg(test)]
mod tests;
