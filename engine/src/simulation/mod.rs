//! A running crowd's data, and the functions that only read it.
//!
//! Submodules such as [`population`], [`parameters`] and [`write`] change the crowd. The modules
//! [`step`](crate::step), [`inspect`](crate::inspect) and [`snapshot`](crate::snapshot) build on
//! this one.

use std::sync::{Arc, OnceLock};

use crate::behaviors::wander;
use crate::cpu::Instructions;
use crate::crowd::columns::{Attributes, Motion};
use crate::crowd::limits::Limit;
use crate::crowd::lookup::SpatialLookup;
use crate::crowd::params::SpeciesParams;
use crate::crowd::sorted_copy::{SortedCopy, Surroundings};
use crate::crowd::{SortedCrowd, formation};
use crate::error::Error;
use crate::grid::groups::Plan;
use crate::id::AgentId;
use crate::math::lanes::dispatch::Method;
use crate::math::vec3::Vec3;
use crate::on_demand::OnDemand;
use crate::parallel::{MAX_THREADS, Workers};
use crate::scene::Scene;
use crate::scene::check::MAX_OFFSET_IN_SIDES;
use crate::scenery::Scenery;
use crate::scenery::route::SolvedRoute;
use crate::world::point::Point;
use crate::world::space::Space;
use crate::world::wrap::WrapsAfter;
use crate::world::{COORDINATE_LIMIT, World};

pub(crate) mod agents;
pub(crate) mod build;
pub(crate) mod detach;
mod estimated_bytes;
pub(crate) mod execution;
pub(crate) mod first_values;
mod parameters;
mod plan;
pub(crate) mod population;
pub(crate) mod property;
pub(crate) mod query;
mod read;
pub(crate) mod required_columns;
pub(crate) mod sight;
pub(crate) mod sorted;
pub(crate) mod spawn;
mod state;
pub(crate) mod targets;
mod views;
mod write;

use execution::{Execution, StageTimes};
use required_columns::RequiredColumns;
pub(crate) use state::State;

/// A running simulation: a crowd and its world, made by [`Scene::build`].
///
/// - Steps: [`run`](Self::run), [`step`](Self::step).
/// - Agents: [`agents`](Self::agents) for all, [`agent`](Self::agent) for one; [`get`](Self::get),
///   [`set`](Self::set); [`spawn`](Self::spawn), [`remove`](Self::remove).
/// - The scene: [`scene`](Self::scene), [`edit`](Self::edit), [`set_point`](Self::set_point).
/// - Queries: [`agents_within`](Self::agents_within), [`nearest_agents`](Self::nearest_agents), and
///   the queries in [`inspect`](crate::inspect).
/// - Saving: [`snapshot`](Self::snapshot), [`restore`](Self::restore).
/// - Threads and instruction set: [`set_execution`](Self::set_execution).
#[derive(Debug)]
pub struct Simulation {
    pub(crate) setting: Setting,
    pub(crate) state: State,
    pub(crate) workspace: Workspace,
    pub(crate) execution: Executor,
}

#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) scene: Scene,
    pub(crate) space: Space,
    pub(crate) species: Vec<SpeciesParams>,
    /// Each species' kind: the index of the first species whose agents are steered together with
    /// this species' agents.
    pub(crate) kinds: Vec<u8>,
    /// Number of agents of each species, in all slabs. Slabs recount their agents in the next step.
    pub(crate) populations: Vec<usize>,
    pub(crate) plan: Arc<Plan>,
    pub(crate) scenery: Arc<Scenery>,
    pub(crate) required: RequiredColumns,
}

impl Setting {
    pub(crate) fn set_routes(&mut self, routes: Vec<Arc<SolvedRoute>>) {
        let same = |(a, b): (&Arc<SolvedRoute>, &Arc<SolvedRoute>)| Arc::ptr_eq(a, b);
        let present = &self.scenery.routes;
        if present.len() != routes.len() || !present.iter().zip(&routes).all(same) {
            Arc::make_mut(&mut self.scenery).routes = routes;
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// A step takes the sorted copy out of the workspace, and puts it back marked as outdated.
    pub(crate) sorted: OnDemand<Box<SortedCopy>>,
    /// All-zero species column for scenes with one species,
    /// at least as long as the crowd. Built on first use.
    pub(crate) zero_species: OnceLock<Vec<u8>>,
    pub(crate) lookup: OnceLock<SpatialLookup>,
    pub(crate) stage_times: StageTimes,
    /// Agents' places in formations, indexed by `AgentId::index`.
    pub(crate) formation: OnDemand<Vec<u32>>,
}

impl Workspace {
    /// Discards all data sorted by position. Call this after moving or removing agents,
    /// and after changing the cell size.
    pub(crate) fn agents_moved(&mut self) {
        self.sorted.outdate();
        self.lookup.take();
    }

    /// Call this instead of `agents_moved` if agents may have been added,
    /// because `zero_species` may then be too short.
    pub(crate) fn agents_added(&mut self) {
        self.zero_species.take();
        self.agents_moved();
    }

    /// Call this after agents have joined or left a species.
    pub(crate) fn population_changed(&mut self) {
        self.formation.outdate();
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Executor {
    pub(crate) settings: Execution,
    pub(crate) workers: Workers,
    pub(crate) instructions: Instructions,
}

impl Simulation {
    /// The number of agents in the crowd.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.motion.position.len()
    }

    /// True if the crowd has no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scene, including all parameter changes since the start.
    pub fn scene(&self) -> &Scene {
        &self.setting.scene
    }

    /// Width and height of the world, in world units.
    #[must_use]
    pub fn world_size(&self) -> [f32; 2] {
        self.setting.space.size.into()
    }

    /// The world, with its actual size: if the scene sets
    /// [`mean_neighbors`](World::mean_neighbors), the size depends on the number of agents.
    pub fn world(&self) -> World {
        let Space { topology, size, .. } = self.setting.space;
        let depth = (!self.setting.space.is_flat()).then_some(size.z);
        World { topology, width: Some(size.x), height: Some(size.y), depth, ..World::default() }
    }

    /// The number of steps taken.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.state.tick
    }

    /// Simulated seconds since the start.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time(self.setting.scene.dt())
    }

    /// The displacement from one point to another, in world units; on a torus, the shortest one.
    /// In a flat world, third coordinates are ignored.
    #[must_use]
    pub fn displacement(&self, from: impl Into<Point>, to: impl Into<Point>) -> [f32; 3] {
        let space = &self.setting.space;
        let [from, to] = [from.into(), to.into()].map(|point| space.wrap_any(point.into()));
        let offset = space.displacement(from, to);
        if space.is_flat() { Vec3 { z: 0.0, ..offset } } else { offset }.into()
    }

    /// True if the agent is in the crowd; false once it has been removed.
    #[must_use]
    pub fn contains(&self, id: AgentId) -> bool {
        self.slot_of(id).is_ok()
    }

    /// The current slot of an agent in [`Self::agents`].
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed.
    #[inline]
    pub fn slot_of(&self, id: AgentId) -> Result<usize, Error> {
        self.state.ids.slot(id, &self.state.attributes.index)
    }

    /// A 64-bit hash of the state: ids, positions, velocities, headings, behavior memory, custom
    /// columns, own targets, parameters written for single agents, and the step number. The hash
    /// does not depend on the number of threads, the instruction set, the step method, the
    /// partition or the build.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let sum = self.state.sum_of_hashes(0..self.len(), &self.setting.species);
        self.state.hash(sum, self.len())
    }

    /// Durations of the stages of the last step. [`Self::run`] times only its last step.
    /// A rejected run leaves the times unchanged.
    #[must_use]
    pub fn stage_times(&self) -> StageTimes {
        self.workspace.stage_times
    }

    /// Bytes of memory allocated for the agents, including working memory. Queries at points take
    /// up to 25 bytes per agent more until agents move.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.state.bytes()
            + self.workspace.sorted.bytes(|sorted| sorted.bytes())
            + self.workspace.formation.bytes(|places| places.capacity() * size_of::<u32>())
    }

    /// Arguments for `with_lanes!`, which chooses the kernels' lane type.
    pub(crate) fn lane_choice(&self, method: Method) -> (Instructions, Method, bool) {
        (self.execution.instructions, method, self.setting.space.is_flat())
    }

    /// How steps are computed.
    pub fn execution(&self) -> Execution {
        self.execution.settings
    }

    /// Sets how steps are computed. Results do not change.
    ///
    /// ```
    /// use flockwork::{Partition, Scene};
    ///
    /// let mut crowd = Scene::named("flock")?.build()?;
    /// crowd.set_execution(crowd.execution().threads(2).partition(Partition::AllPairs))?;
    /// assert_eq!(crowd.execution().threads, 2);
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// A level that this processor does not support, a number of threads outside 1 to 1024,
    /// or a failure to start the threads. On error, nothing changes.
    pub fn set_execution(&mut self, settings: Execution) -> Result<(), Error> {
        let Execution { level, threads, .. } = settings;
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(Error::refused("threads", threads, format!("from 1 to {MAX_THREADS}")));
        }
        let instructions = Instructions::new(level)?;
        let mut workers = self.execution.workers.clone();
        if threads != workers.threads() {
            workers = Workers::new(threads)?;
        }
        self.execution = Executor { settings, workers, instructions };
        Ok(())
    }

    /// The number of threads that a step actually uses:
    /// 1 if the crowd is too small to benefit from more.
    #[must_use]
    pub fn threads_in_use(&self) -> usize {
        self.execution.workers.for_crowd(self.len()).threads()
    }

    fn wraps_after(&self) -> WrapsAfter {
        let Setting { scene, space, .. } = &self.setting;
        match () {
            () if !space.is_torus() => WrapsAfter::Move,
            () if scene.passes() > 0 => WrapsAfter::Pushes,
            () if scene.solid => WrapsAfter::Scenery,
            () => WrapsAfter::Move,
        }
    }

    pub(crate) fn largest_radius(&self) -> f32 {
        self.setting.scene.largest(Limit::Radius).max(self.state.overrides.radius)
    }

    /// With solid scenery on a torus, a push is at most as long as the shorter side, because only a
    /// few images of each solid are tested.
    fn max_push(&self) -> f32 {
        let Setting { scene, space, .. } = &self.setting;
        let around = if scene.solid && space.is_torus() { space.smaller_side() } else { f32::MAX };
        self.largest_radius().min(around)
    }

    pub(crate) fn largest_speed(&self) -> f32 {
        self.setting.scene.largest(Limit::MaxSpeed).max(self.state.overrides.max_speed)
    }

    /// Maximum magnitude of a coordinate after steering. If agents wrap only later in the step,
    /// they may still be far outside the torus. The limit then rejects only infinity and NaN.
    pub(crate) fn coordinate_limit(&self) -> f32 {
        if self.wraps_after() == WrapsAfter::Move { COORDINATE_LIMIT } else { f32::MAX }
    }

    /// On a torus, an agent at the largest speed moves at most [`MAX_OFFSET_IN_SIDES`] in this time.
    fn max_prediction(&self) -> f32 {
        let space = &self.setting.space;
        let farthest = MAX_OFFSET_IN_SIDES * space.smaller_side();
        if space.is_torus() { farthest / self.largest_speed() } else { f32::INFINITY }
    }

    fn formation(&self) -> &[u32] {
        if !self.setting.required.joined {
            return &[];
        }
        let State { attributes, ids, .. } = &self.state;
        let joined = || attributes.joined(0..self.len(), &self.setting.scene.forms()).collect();
        self.workspace.formation.get(|_| formation::places(joined(), ids.indices()))
    }

    pub(crate) fn sorted_crowd_in<'a>(
        &'a self,
        surroundings: &'a Surroundings,
        (motion, attributes): (&'a Motion, &'a Attributes),
    ) -> SortedCrowd<'a> {
        let Surroundings { grid, tail, sought, shared_targets, slots, own_targets, .. } =
            surroundings;
        self.setting.scenery.solve_routes();
        let agents = attributes.index.len();
        debug_assert!(motion.position.len() == agents && motion.has_rows(agents));
        debug_assert!(attributes.has_rows(agents));
        SortedCrowd {
            space: &self.setting.space,
            grid,
            motion,
            attributes,
            tail,
            sought,
            species: &self.setting.species,
            kinds: &self.setting.kinds,
            scenery: &self.setting.scenery,
            shared_targets,
            slots,
            own_targets,
            formation: self.formation(),
            partition: self.execution.settings.partition,
            max_push: self.max_push(),
            wraps_after: self.wraps_after(),
            remembers: self.setting.required.memory.contains(&true),
            column_count: self.setting.required.columns.len(),
            has_outside: self.setting.required.outside || !self.setting.required.columns.is_empty(),
            coordinate_limit: self.coordinate_limit(),
            max_prediction: self.max_prediction(),
            dt: self.setting.scene.dt(),
            seed: self.setting.scene.seed,
            tick: self.state.tick,
            time: self.time(),
            wander_displacements: wander::displacements(self.time(), self.setting.scene.dt()),
        }
    }
}
