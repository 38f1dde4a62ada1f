//! The public face of a running crowd.

use std::sync::Arc;

use crate::columns::{Motion, NO_TARGET, Traits};
use crate::crowd::{Crowd, Partition};
use crate::error::{Error, Place};
use crate::fields::Parameters;
use crate::grid::Grid;
use crate::hash;
use crate::history::History;
use crate::method::Method;
use crate::parallel::Workers;
use crate::roster::{AgentId, Roster};
use crate::scene::{Scene, check_heading_samples, check_non_penetration, check_steps_per_second};
use crate::scenery::Scenery;
use crate::sort::Sorter;
use crate::spawn;
use crate::species::{Kind, Species};
use crate::step::StageTimes;
use crate::tail::Tail;
use crate::target::{self, Anchor, Pose};
use crate::velocity;
use crate::world::{Space, Topology};

/// A crowd in its world.
#[derive(Debug)]
pub struct Simulation {
    pub(crate) scene: Scene,
    pub(crate) space: Space,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) grid: Grid,
    pub(crate) motion: Motion,
    /// Where the sort and the step write to.
    pub(crate) motion_next: Motion,
    pub(crate) traits: Traits,
    pub(crate) traits_next: Traits,
    /// The end of the columns that a step reads.
    pub(crate) tail: Tail,
    pub(crate) roster: Roster,
    pub(crate) sorter: Sorter,
    /// Whether `motion_next` and `traits_next` hold the present crowd in cell order.
    pub(crate) sorted: bool,
    pub(crate) workers: Workers,
    pub(crate) method: Method,
    partition: Partition,
    /// The static world; shared with snapshots.
    pub(crate) scenery: Arc<Scenery>,
    /// The targets that whole species share.
    pub(crate) anchors: Vec<Anchor>,
    /// Slot of each roster index in the sorted copy; only if agents have targets of their own.
    pub(crate) slots: Vec<u32>,
    pub(crate) history: History,
    pub(crate) tick: u64,
    pub(crate) stage_times: StageTimes,
}

/// The state of all agents, as columns of equal length: entry k of each is the same agent.
///
/// The order is that of the grid and changes from step to step; ids do not.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    /// Positions, world units.
    pub x: &'a [f32],
    /// Positions, world units.
    pub y: &'a [f32],
    /// Headings: unit vectors.
    pub hx: &'a [f32],
    /// Headings: unit vectors.
    pub hy: &'a [f32],
    /// The index part of each agent's id; [`Simulation::id_at`] gives the whole.
    pub index: &'a [u32],
    /// Smoothed headings: means of unit vectors. Empty unless the scene has
    /// [`heading_samples`](Scene::heading_samples).
    pub smooth_x: &'a [f32],
    /// Smoothed headings: means of unit vectors. Empty unless the scene has
    /// [`heading_samples`](Scene::heading_samples).
    pub smooth_y: &'a [f32],
    /// Index of each agent's species; empty if the scene has only one.
    pub species: &'a [u8],
}

/// One agent's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    /// World units.
    pub position: [f32; 2],
    /// Units/s.
    pub velocity: [f32; 2],
    /// Unit vector.
    pub heading: [f32; 2],
    /// Index into the scene's species.
    pub species: usize,
}

impl Simulation {
    pub(crate) fn new(scene: &Scene) -> Result<Self, Error> {
        scene.check()?;
        let space = scene.world.resolve(scene.agent_count(), scene.view_distance())?;
        let mut simulation = Self {
            scene: scene.clone(),
            space,
            kinds: Vec::new(),
            grid: Grid::new(&space),
            motion: Motion::default(),
            motion_next: Motion::default(),
            traits: Traits::default(),
            traits_next: Traits::default(),
            tail: Tail::default(),
            roster: Roster::default(),
            sorter: Sorter::default(),
            sorted: false,
            workers: Workers::default(),
            method: Method::default(),
            partition: Partition::default(),
            scenery: Arc::new(Scenery::new(&scene.scenery(), &space)?),
            anchors: Vec::new(),
            slots: Vec::new(),
            history: History::default(),
            tick: 0,
            stage_times: StageTimes::default(),
        };
        spawn::populate(scene, &space, &mut simulation.motion, &mut simulation.traits);
        simulation.motion.shrink_to_fit();
        simulation.traits.shrink_to_fit();
        for _ in 0..simulation.len() {
            simulation.roster.add();
        }
        simulation.derive();
        simulation.history.reset(scene.heading_samples, &simulation.motion);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        simulation.set_threads(threads)?;
        Ok(simulation)
    }

    /// Works out what follows from the parameters.
    pub(crate) fn derive(&mut self) {
        let radius_column = spawn::each_has_a_radius(&self.scene);
        let kinds = 0..self.scene.species.len();
        self.kinds = kinds.map(|kind| Kind::new(&self.scene, kind, radius_column)).collect();
        let furthest = |reach: fn(&dyn Parameters) -> f32| {
            let behaviors = self.scene.species.iter().flat_map(|species| &species.behaviors);
            behaviors.map(|behavior| reach(behavior.parameters())).fold(0.0, f32::max)
        };
        let reach = [furthest(|p| p.obstacle_reach()), furthest(|p| p.wall_reach())];
        if self.scenery.reach != reach {
            let scenery = Scenery::clone(&self.scenery);
            self.scenery = Arc::new(scenery.with_reach(&self.space, reach));
        }
        self.anchors = target::anchors(&self.scene);
        self.sorted = false;
    }

    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.motion.x.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The definition, with parameter changes since the start.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Width and height of the world in world units.
    #[must_use]
    pub fn world_size(&self) -> [f32; 2] {
        [self.space.size.x, self.space.size.y]
    }

    /// What happens at the edge of the world.
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.space.topology
    }

    /// Steps taken.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Simulated seconds since the start; all steps count as long as they are at present.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.tick as f64 * f64::from(self.scene.dt())
    }

    /// The state of all agents.
    #[must_use]
    pub fn agents(&self) -> Agents<'_> {
        let Motion { x, y, hx, hy, .. } = &self.motion;
        Agents {
            x,
            y,
            hx,
            hy,
            index: &self.traits.index,
            smooth_x: &self.history.x,
            smooth_y: &self.history.y,
            species: &self.traits.species,
        }
    }

    /// The id of the agent at `slot` of [`Self::agents`].
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn id_at(&self, slot: usize) -> AgentId {
        self.roster.id(self.traits.index[slot])
    }

    /// The velocity, in units/s, of the agent at `slot` of [`Self::agents`].
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn velocity_at(&self, slot: usize) -> [f32; 2] {
        let velocity = velocity::of(&self.motion, &self.traits, &self.kinds, slot);
        [velocity.x, velocity.y]
    }

    /// Where in [`Self::agents`] an agent is now.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was removed.
    pub fn slot_of(&self, id: AgentId) -> Result<usize, Error> {
        self.roster.slot(id, &self.traits.index)
    }

    /// The state of one agent.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was removed.
    pub fn agent(&self, id: AgentId) -> Result<AgentState, Error> {
        let slot = self.slot_of(id)?;
        let Pose { position, velocity, heading } =
            velocity::pose(&self.motion, &self.traits, &self.kinds, slot);
        Ok(AgentState {
            position: [position.x, position.y],
            velocity: [velocity.x, velocity.y],
            heading: [heading.x, heading.y],
            species: self.traits.kind(slot),
        })
    }

    /// Adds an agent with the given heading, moving at its maximum speed.
    ///
    /// A species with per-agent ranges gives it the values that its index draws.
    ///
    /// # Errors
    /// An unknown species, a position outside the world, a heading without direction.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        let kind = self.scene.species_index(species)?;
        self.space.check_position("position", position)?;
        let heading = spawn::unit_heading(heading)?;
        let id = self.roster.add();
        spawn::push(
            &self.scene,
            &self.space,
            &spawn::Needs::of(&self.scene),
            (&mut self.motion, &mut self.traits),
            spawn::Newcomer { kind, index: id.index, position, heading, speed: 1.0 },
        );
        self.history.push([heading.x, heading.y]);
        self.sorted = false;
        Ok(id)
    }

    /// Removes an agent. Its id stays invalid for good.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was removed before.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        self.motion.swap_remove(slot);
        self.traits.swap_remove(slot);
        self.history.swap_remove(slot);
        self.roster.remove(id, slot, self.traits.index.get(slot).copied());
        // Whoever steered by it has lost its target; its index may go to another agent.
        for target in self.traits.target.iter_mut().filter(|target| **target == id.index) {
            *target = NO_TARGET;
        }
        self.anchors.iter_mut().for_each(|anchor| anchor.slot = None);
        self.sorted = false;
        Ok(())
    }

    /// Replaces the parameters and behaviors of the species of the same name, for the agents
    /// that are there and those to come. What an agent drew from a per-agent range stays its
    /// draw when the range changes. The world keeps its size, and the species its number of
    /// agents.
    ///
    /// # Errors
    /// An unknown name or a value out of range; nothing is changed then.
    pub fn set_species(&mut self, species: &Species) -> Result<(), Error> {
        let kind = self.scene.species_index(&species.name)?;
        let agents = self.scene.species[kind].agents;
        let species = Species { agents, ..species.clone() };
        species.check(&format!("species[{kind}]"))?;
        self.scene.check_speed(&self.space, kind, &species)?;
        let before = std::mem::replace(&mut self.scene.species[kind], species);
        if let Err(error) = self.scene.check_references(kind) {
            self.scene.species[kind] = before;
            return Err(error);
        }
        spawn::reshape(&self.scene, &mut self.motion, &mut self.traits);
        self.derive();
        Ok(())
    }

    /// Sets how many steps make a simulated second. The state stays as it is.
    ///
    /// # Errors
    /// A number outside 1 to 1e5, or one so small that agents would move further than across
    /// the torus in a step; nothing is changed then.
    pub fn set_steps_per_second(&mut self, steps_per_second: f32) -> Result<(), Error> {
        check_steps_per_second(steps_per_second)?;
        let before = std::mem::replace(&mut self.scene.steps_per_second, steps_per_second);
        if self.scene.check_speeds(&self.space).is_err() {
            self.scene.steps_per_second = before;
            let least = self.scene.largest_speed() / self.space.smaller_side();
            let least = (least * 1.0e3).ceil() / 1.0e3;
            return Err(Error::OutOfRange {
                at: Place::default(),
                field: "steps_per_second".into(),
                value: steps_per_second.to_string(),
                allowed: format!(
                    "at least {least} 1/s: no further than across the torus in a step"
                ),
            });
        }
        self.derive();
        Ok(())
    }

    /// Sets how often per step overlapping agents are pushed apart.
    ///
    /// # Errors
    /// A number above 64.
    pub fn set_non_penetration(&mut self, iterations: u32) -> Result<(), Error> {
        check_non_penetration(iterations)?;
        self.scene.non_penetration = iterations;
        spawn::reshape(&self.scene, &mut self.motion, &mut self.traits);
        self.derive();
        Ok(())
    }

    /// Sets how many headings a smoothed heading is the mean of, or that there are none. All
    /// smoothing starts anew.
    ///
    /// # Errors
    /// A number outside 1 to 100.
    pub fn set_heading_samples(&mut self, samples: Option<u32>) -> Result<(), Error> {
        check_heading_samples(samples)?;
        self.scene.heading_samples = samples;
        self.history.reset(samples, &self.motion);
        Ok(())
    }

    /// Chooses how candidates for neighbors are found; the result is the same.
    pub fn set_partition(&mut self, partition: Partition) {
        self.partition = partition;
    }

    /// How candidates for neighbors are found.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// Chooses what computes the steps; the result is the same.
    pub fn set_method(&mut self, method: Method) {
        self.method = method;
    }

    /// What computes the steps.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Chooses how many threads share a step, 1 for none but the caller's; the result is the
    /// same. Small crowds stay on the caller's thread anyway.
    ///
    /// # Errors
    /// A number outside 1 to 1024, or if the threads cannot be started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        if !(1..=1024).contains(&threads) {
            return Err(Error::OutOfRange {
                at: Place::default(),
                field: "threads".into(),
                value: threads.to_string(),
                allowed: "from 1 to 1024".into(),
            });
        }
        if threads != self.workers.threads() {
            self.workers = Workers::new(threads)?;
        }
        Ok(())
    }

    /// How many threads share a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// How many threads do share a step: one for a crowd too small for more to pay.
    #[must_use]
    pub fn threads_in_use(&self) -> usize {
        self.workers.for_crowd(self.len()).threads()
    }

    /// A 64-bit hash of the state: ids, positions, velocities, headings, wander targets and
    /// the step. It does not depend on threads, lane width, method, partition or build.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        hash::state(self.tick, &self.motion, &self.traits, &self.kinds, &self.roster)
    }

    /// How long the stages of the last step took.
    #[must_use]
    pub fn stage_times(&self) -> StageTimes {
        self.stage_times
    }

    /// Bytes of memory held for the agents, working memory included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.motion.bytes()
            + self.motion_next.bytes()
            + self.traits.bytes()
            + self.traits_next.bytes()
            + self.roster.bytes()
            + self.sorter.bytes()
            + self.history.bytes()
            + self.slots.capacity() * size_of::<u32>()
            + self.grid.starts.capacity() * size_of::<u32>()
    }

    /// The crowd in cell order; only after [`Self::sort`].
    pub(crate) fn sorted_crowd(&self) -> Crowd<'_> {
        debug_assert!(self.sorted);
        self.crowd(&self.motion_next, &self.traits_next)
    }

    /// The crowd, from the given copy of its columns.
    pub(crate) fn crowd<'a>(&'a self, motion: &'a Motion, traits: &'a Traits) -> Crowd<'a> {
        Crowd {
            space: &self.space,
            grid: &self.grid,
            motion,
            traits,
            tail: &self.tail,
            kinds: &self.kinds,
            scenery: &self.scenery,
            anchors: &self.anchors,
            slots: &self.slots,
            partition: self.partition,
            largest_radius: self.scene.largest_radius(),
            wraps_later: self.scene.non_penetration > 0 && self.space.is_torus(),
            dt: self.scene.dt(),
            seed: self.scene.seed,
            tick: self.tick,
        }
    }
}
