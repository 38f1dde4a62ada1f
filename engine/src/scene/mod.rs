use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::behaviors::outside::Outside;
use crate::behaviors::steer::Steer;
use crate::behaviors::{Behavior, FieldValue};
use crate::crowd::limits::Limit;
use crate::crowd::target::Target;
use crate::error::Error;
use crate::scene::species::{MAX_AGENTS, Species};
use crate::scenery::definition::{FlowField, Obstacle, Wall, WaypointPath};
use crate::scenery::route::Route;
use crate::scenery::scatter::{Scatter, Scattered};
use crate::scenery::{Definition, Scenery};
use crate::world::World;
use crate::world::point::Point;
use crate::world::space::Space;

pub(crate) mod check;
pub(crate) mod draws;
mod params_ini;
mod routes;
pub(crate) mod species;
pub(crate) mod start;
pub(crate) mod text;
pub(crate) mod value;

/// The definition of a simulation: a world, its species, and a seed.
///
/// ```
/// use flockwork::behaviors::{Alignment, Cohesion, Separation};
/// use flockwork::{Scene, Species, World};
///
/// let fish = Species::new("fish", 1_000)
///     .view_distance(50.0)
///     .behavior(Separation::default())
///     .behavior(Alignment::default())
///     .behavior(Cohesion::default());
/// let mut shoal = Scene::new(World::torus(1_600.0, 900.0)).species(fish).seed(7).build()?;
/// shoal.run(60)?;
/// println!("{:016x}", shoal.state_hash());
/// # Ok::<(), flockwork::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct Scene {
    /// The scene's name, as used on command lines.
    pub name: String,
    /// One sentence that describes the scene.
    pub about: String,
    /// Seed for all random numbers. Default 1.
    pub seed: u64,
    /// Seed for everything drawn at the start: positions, headings, values from ranges,
    /// scattered scenery. If set, runs that differ only in `seed` start alike, then diverge.
    /// By default, [`seed`](Self::seed) is used.
    pub start_seed: Option<u64>,
    /// Number of steps per simulated second, from 1 to 1e5. Default 60: a step lasts 1/60 s.
    pub steps_per_second: f32,
    /// The world's size, and whether its edges wrap, stop agents, or are open.
    pub world: World,
    /// Number of passes per step that push overlapping agents apart, from 0 to 64. A single pass
    /// separates isolated pairs; dense groups need more passes. Default 0: agents may overlap.
    pub non_penetration: u32,
    /// Number of these passes per simulated second, as an alternative to `non_penetration`. A crowd
    /// then moves alike at all step rates. The number per step is rounded and must be from 1 to 64.
    /// Default none.
    pub non_penetration_per_second: Option<f32>,
    /// True if walls and obstacles stop agents: an agent cannot pass through them or come closer
    /// than its own radius. If false, agents avoid them only by steering. Default false.
    pub solid: bool,
    /// Number of recent headings averaged into an agent's smoothed heading, from 1 to 100; the book
    /// uses 10. By default, headings are not smoothed.
    pub heading_samples: Option<u32>,
    /// Height of the grid's cells, in units of the largest view distance, from 0.25 to 16,
    /// for experiments. If set, the grid may have up to four cells per agent instead of two.
    /// The height affects the speed of a step. Because it changes the order in which neighbors are
    /// summed, it also affects the last bits of the result. If unset, the height is the larger of
    /// the view distance and the mean spacing of agents spread over the world.
    pub cell_size: Option<f32>,
    /// Named points that behaviors can target. Coordinates are in world units, within ±1e7.
    /// Points can be moved during a run.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, Point>,
    /// Circles to avoid or hide behind. Like all scenery, they are shared by copies of the scene:
    /// [`Arc::make_mut`] gives write access.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Arc<Vec<Obstacle>>,
    /// Chains of straight walls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub walls: Arc<Vec<Wall>>,
    /// Chains of waypoints to follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Arc<Vec<WaypointPath>>,
    /// The flow field that agents can follow; none by default.
    pub flow: Option<Arc<FlowField>>,
    /// More flow fields, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub flows: BTreeMap<String, Arc<FlowField>>,
    /// Routes to goals, around obstacles and walls; only in flat worlds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub routes: Arc<Vec<Route>>,
    /// Obstacles and walls placed at random; none by default.
    pub scatter: Option<Scatter>,
    /// Total number of agents at the start; the first species is resized to reach the total.
    /// Default none: each species keeps its own number.
    pub agents: Option<usize>,
    /// The species, at most 255. Ids are assigned to agents in the order of their species.
    pub species: Vec<Species>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: "untitled".into(),
            about: String::new(),
            seed: 1,
            start_seed: None,
            steps_per_second: 60.0,
            world: World::default(),
            non_penetration: 0,
            non_penetration_per_second: None,
            solid: false,
            heading_samples: None,
            cell_size: None,
            agents: None,
            points: BTreeMap::new(),
            obstacles: Arc::default(),
            walls: Arc::default(),
            paths: Arc::default(),
            flow: None,
            flows: BTreeMap::new(),
            routes: Arc::default(),
            scatter: None,
            species: Vec::new(),
        }
    }
}

impl Scene {
    /// A scene without agents, with 60 steps per second and seed 1.
    pub fn new(world: World) -> Self {
        Self { world, ..Self::default() }
    }

    /// Adds a species. Its agents' ids follow those of earlier species.
    pub fn species(mut self, species: Species) -> Self {
        self.species.push(species);
        self
    }

    setters! {
        /// Sets the seed for all random numbers.
        seed(seed: u64) = seed;
        /// Sets a separate seed for everything drawn at the start.
        start_seed(seed: u64) = Some(seed);
        /// Sets the number of steps per simulated second, from 1 to 1e5.
        steps_per_second(steps_per_second: f32) = steps_per_second;
        /// Sets the name, as used on command lines.
        name(name: impl Into<String>) = name.into();
        /// Sets the one-sentence description of the scene.
        about(about: impl Into<String>) = about.into();
        /// Sets the number of passes per step that push overlapping agents apart, from 0 to 64.
        non_penetration(iterations: u32) = iterations;
        /// Sets how many passes per simulated second push overlapping agents apart.
        non_penetration_per_second(passes: f32) = Some(passes);
        /// Sets whether walls and obstacles stop agents.
        solid(solid: bool) = solid;
        /// Sets the number of recent headings averaged into an agent's smoothed heading,
        /// from 1 to 100.
        heading_samples(samples: u32) = Some(samples);
        /// Sets the height of the grid's cells, in units of the largest view distance,
        /// from 0.25 to 16.
        cell_size(cell_size: f32) = Some(cell_size);
        /// Sets the total number of agents at the start; the first species is resized to
        /// reach the total.
        agents(agents: usize) = Some(agents);
        /// Sets the flow field for the flow-following behavior.
        flow(flow: FlowField) = Some(Arc::new(flow));
    }

    /// Adds a named point or moves an existing one. Coordinates are in world units, within ±1e7.
    pub fn point(mut self, name: impl Into<String>, at: impl Into<Point>) -> Self {
        self.points.insert(name.into(), at.into());
        self
    }

    /// Adds a circle to avoid or hide behind.
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        Arc::make_mut(&mut self.obstacles).push(obstacle);
        self
    }

    /// Adds a chain of straight walls.
    pub fn wall(mut self, wall: Wall) -> Self {
        Arc::make_mut(&mut self.walls).push(wall);
        self
    }

    /// Adds a path that agents can follow.
    pub fn path(mut self, path: WaypointPath) -> Self {
        Arc::make_mut(&mut self.paths).push(path);
        self
    }

    /// Adds a flow field that agents can follow by its name.
    pub fn named_flow(mut self, name: impl Into<String>, flow: FlowField) -> Self {
        self.flows.insert(name.into(), Arc::new(flow));
        self
    }

    /// Adds a route that agents can follow.
    pub fn route(mut self, route: Route) -> Self {
        Arc::make_mut(&mut self.routes).push(route);
        self
    }

    /// Scatters obstacles over the world at random.
    pub fn scatter_obstacles(mut self, obstacles: Scattered) -> Self {
        self.scatter.get_or_insert_default().obstacles = Some(obstacles);
        self
    }

    /// Scatters straight two-sided walls over the world at random.
    pub fn scatter_walls(mut self, walls: Scattered) -> Self {
        self.scatter.get_or_insert_default().walls = Some(walls);
        self
    }

    /// Total number of agents at the start.
    #[must_use]
    pub fn agents_at_start(&self) -> usize {
        self.agents.unwrap_or_else(|| total(&self.species))
    }

    pub(crate) fn resolved(&self) -> Result<Self, Error> {
        let mut scene = Self { agents: None, ..self.clone() };
        let Some(agents) = self.agents else { return Ok(scene) };
        let others = total(self.species.get(1..).unwrap_or_default());
        let most = if self.species.is_empty() { 0 } else { MAX_AGENTS };
        if !(others..=most).contains(&agents) {
            let allowed = match most {
                0 => "0, because there are no species".into(),
                _ => format!("from {others} to {most}"),
            };
            return Err(Error::refused("agents", agents, allowed));
        }
        if let Some(first) = scene.species.first_mut() {
            first.agents = agents - others;
        }
        Ok(scene)
    }

    /// View distance used to size the world for `mean_neighbors`: that of the first species, or 50
    /// world units if there are no species.
    pub(crate) fn view_distance(&self) -> f32 {
        self.species.first().map_or(50.0, |species| species.view_distance)
    }

    /// Seed for everything drawn at the start, and for agents added later.
    pub(crate) fn seed_of_start(&self) -> u64 {
        self.start_seed.unwrap_or(self.seed)
    }

    /// Number of passes of non-penetration per step.
    #[must_use]
    pub fn passes(&self) -> u32 {
        let per_second = self.non_penetration_per_second;
        per_second.map_or(self.non_penetration, |rate| (rate * self.dt()).round() as u32)
    }

    pub(crate) fn dt(&self) -> f32 {
        1.0 / self.steps_per_second
    }

    pub(crate) fn new_scenery(&self, space: &Space) -> Result<Scenery, Error> {
        let mut scenery = Scenery::new(&self.scenery(), space)?;
        scenery.routes = scenery.solved_routes(self.route_tasks(space)?, space)?;
        Ok(scenery)
    }

    pub(crate) fn scenery(&self) -> Definition<'_> {
        Definition {
            seed: self.seed_of_start(),
            agents: self.agents_at_start(),
            axes: self.world.axes(),
            obstacles: &self.obstacles,
            walls: &self.walls,
            paths: &self.paths,
            flows: self.named_flows().collect(),
            scatter: self.scatter.as_ref(),
        }
    }

    /// All flow fields with their names. The field [`Self::flow`] has no name.
    pub(crate) fn named_flows(&self) -> impl Iterator<Item = (Option<&str>, &Arc<FlowField>)> {
        let named = self.flows.iter().map(|(name, flow)| (Some(name.as_str()), flow));
        self.flow.iter().map(|flow| (None, flow)).chain(named)
    }

    /// True if both scenes share their flow fields in memory. Equal copies do not count as shared.
    pub(crate) fn shares_flows(&self, other: &Self) -> bool {
        self.named_flows()
            .map(|(name, flow)| (name, Arc::as_ptr(flow)))
            .eq(other.named_flows().map(|(name, flow)| (name, Arc::as_ptr(flow))))
    }

    /// True if both scenes share their scenery in memory. Equal copies do not count as shared.
    pub(crate) fn shares_scenery(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.obstacles, &other.obstacles)
            && Arc::ptr_eq(&self.walls, &other.walls)
            && self.scatter == other.scatter
    }

    pub(crate) fn column_names(&self) -> Vec<&str> {
        let defined = self.species.iter().flat_map(|species| species.columns.keys());
        let named = self.behaviors().flat_map(|behavior| self.columns_of(behavior.as_steer()));
        defined.map(String::as_str).chain(named).collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(crate) fn columns_of<'a>(&self, behavior: &'a dyn Steer) -> Vec<&'a str> {
        if self.world.is_deep() { behavior.columns_in_space() } else { behavior.columns() }
    }

    pub(crate) fn behaviors(&self) -> impl Iterator<Item = &Behavior> {
        self.species.iter().flat_map(|species| &species.behaviors)
    }

    pub(crate) fn outside(&self) -> impl Iterator<Item = &Outside> {
        self.behaviors().filter_map(Behavior::outside)
    }

    /// One flag per species, true if one of its behaviors uses places in formations.
    pub(crate) fn forms(&self) -> Vec<bool> {
        let forms = |species: &Species| species.behaviors.iter().any(|one| one.as_steer().forms());
        self.species.iter().map(forms).collect()
    }

    pub(crate) fn targets(&self) -> impl Iterator<Item = Target> {
        self.behaviors().flat_map(Behavior::fields).filter_map(|field| match field.value {
            FieldValue::Target(target) => Some(target),
            _ => None,
        })
    }

    /// Largest number of waypoints in a path.
    pub(crate) fn longest_path(&self) -> usize {
        self.paths.iter().map(|path| path.points.len()).max().unwrap_or_default()
    }

    pub(crate) fn first_index(&self, species: usize) -> u32 {
        self.species[..species].iter().map(|species| species.agents as u32).sum()
    }

    /// The largest value of the limit that any species gives its agents.
    pub(crate) fn largest(&self, limit: Limit) -> f32 {
        self.species.iter().map(|species| species.limit(limit).max()).fold(0.0, f32::max)
    }
}

fn total(species: &[Species]) -> usize {
    species.iter().map(|species| species.agents).fold(0, usize::saturating_add)
}
