//! Builds a simulation from a scene, and derives what follows from its parameters.

use std::ops::Range;
use std::sync::Arc;

use crate::behaviors::parameters::Parameters;
use crate::cpu::Instructions;
use crate::crowd::Partition;
use crate::crowd::columns::{Motion, Traits};
use crate::crowd::history::History;
use crate::crowd::id_pool::IdPool;
use crate::crowd::kind::{Common, Kind};
use crate::crowd::tail::Tail;
use crate::error::Error;
use crate::grid::Grid;
use crate::memory;
use crate::parallel::{Workers, default_threads};
use crate::scene::Scene;
use crate::scenery::{Readers, Scenery};
use crate::simulation::Simulation;
use crate::simulation::method::Method;
use crate::simulation::needs::Needs;
use crate::simulation::spawn;
use crate::simulation::stage_times::StageTimes;
use crate::simulation::targets::shared_targets;
use crate::sort::Sorter;

impl Scene {
    /// Checks the scene and builds its simulation, with all agents at their start.
    ///
    /// # Errors
    /// Names the first field that is out of range, its value and its allowed range. Refuses a crowd
    /// that needs more memory than there is.
    pub fn build(&self) -> Result<Simulation, Error> {
        Simulation::new(self)
    }
}

impl Simulation {
    fn new(scene: &Scene) -> Result<Self, Error> {
        Self::part(scene, 0, 1)
    }

    /// One of several equal parts of the crowd that a scene starts with, by index.
    pub(crate) fn part(scene: &Scene, number: usize, parts: usize) -> Result<Self, Error> {
        scene.check()?;
        let agents = scene.agent_count();
        let range = share(agents, number, parts);
        let needed = scene.estimated_bytes() / parts as u64;
        memory::check(needed)?;
        let instructions = Instructions::used()?;
        let space = scene.world.resolve(agents, scene.view_distance())?;
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
            ids: IdPool::default(),
            sorter: Sorter::default(),
            sorted: false,
            workers: Workers::default(),
            method: Method::default(),
            instructions,
            partition: Partition::default(),
            scenery: Arc::new(Scenery::new(&scene.scenery(), &space)?),
            shared_targets: Vec::new(),
            columns: Vec::new(),
            slots: Vec::new(),
            own_targets: Vec::new(),
            history: History::default(),
            tick: 0,
            stage_times: StageTimes::default(),
        };
        let no_memory = |_| Error::Memory { needed, available: None };
        let columns = (&mut simulation.motion, &mut simulation.traits);
        spawn::reserve(scene, range.len(), columns.0, columns.1).map_err(no_memory)?;
        let range = range.start as u32..range.end as u32;
        spawn::populate(scene, &space, range, columns);
        simulation.ids = IdPool::full(agents);
        simulation.derive();
        simulation.history.reset(scene.heading_samples, &simulation.motion);
        simulation.set_threads(default_threads()?)?;
        Ok(simulation)
    }

    /// Derives what follows from the parameters.
    pub(crate) fn derive(&mut self) {
        let scene = &self.scene;
        let needs = Needs::of(scene);
        let common = Common {
            dt: scene.dt(),
            largest_radius: scene.largest_radius(),
            radius_column: needs.radius,
            columns: &needs.columns,
        };
        let kinds = scene.species.iter().enumerate();
        self.kinds = kinds
            .map(|(number, species)| Kind::new(species, scene.first_index(number), common))
            .collect();
        let largest = |range: fn(&dyn Parameters) -> f32| {
            let behaviors = scene.species.iter().flat_map(|species| &species.behaviors);
            behaviors.map(|behavior| range(behavior.parameters())).fold(0.0, f32::max)
        };
        let (obstacle_range, wall_range) =
            (largest(|p| p.obstacle_range()), largest(|p| p.wall_range()));
        let agents = scene.species.iter().map(|species| species.agents).sum();
        let view = self.search_distance();
        let row = Grid::cell_height(&self.space, agents, view, scene.cell_size) as f32;
        let readers = Readers { obstacle_range, wall_range, row };
        if self.scenery.readers != Some(readers) {
            let scenery = Scenery::clone(&self.scenery);
            self.scenery = Arc::new(scenery.indexed(&self.space, readers));
        }
        self.shared_targets = shared_targets(scene);
        self.columns = needs.columns;
        self.sorted = false;
    }
}

/// Which of `agents` agents belong to the part of this number, if all parts are equal.
pub(crate) fn share(agents: usize, number: usize, parts: usize) -> Range<usize> {
    let at = |number: usize| (agents as u128 * number as u128 / parts as u128) as usize;
    at(number)..at(number + 1)
}
