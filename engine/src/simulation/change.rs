//! Changes to a running crowd: its agents, its parameters, and how it is computed.

use std::collections::HashSet;
use std::sync::Arc;

use crate::cpu::{Instructions, Level};
use crate::crowd::Partition;
use crate::crowd::columns::NO_TARGET;
use crate::error::Error;
use crate::id::AgentId;
use crate::math::width::{LaneWidth, Method};
use crate::parallel::{MAX_THREADS, Workers};
use crate::scene::Scene;
use crate::scene::check::{
    check_cell_size, check_heading_samples, check_non_penetration, check_steps_per_second,
};
use crate::scene::species::Species;
use crate::scenery::Scenery;
use crate::scenery::definition::{Obstacle, StraightWall};
use crate::simulation::Simulation;
use crate::simulation::needs::Needs;
use crate::simulation::spawn::{self, NewAgent};

impl Simulation {
    /// Adds an agent with the given heading, moving at its maximum speed.
    ///
    /// Values from per-agent ranges are drawn by its index.
    ///
    /// # Errors
    /// An unknown species, a position outside the world, a heading without direction.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        let mut agent = self.new_agent(species, position, heading)?;
        let id = self.state.ids.add();
        agent.index = id.index;
        self.push(agent);
        Ok(id)
    }

    /// Adds an agent at each position, like repeated calls of [`Self::spawn`]. Returns their ids.
    ///
    /// # Errors
    /// Those of [`Self::spawn`], and if there are not as many headings as positions; then nothing
    /// changes.
    pub fn spawn_many(
        &mut self,
        species: &str,
        positions: &[[f32; 2]],
        headings: &[[f32; 2]],
    ) -> Result<Vec<AgentId>, Error> {
        if positions.len() != headings.len() {
            let allowed = format!("{}, one for each position", positions.len());
            return Err(Error::refused("number of headings", headings.len(), allowed));
        }
        let places = positions.iter().zip(headings);
        let agents: Vec<NewAgent> = places
            .map(|(&at, &heading)| self.new_agent(species, at, heading))
            .collect::<Result<_, _>>()?;
        let needs = Needs::new(&self.setting.scene, &self.state.written);
        Ok(agents
            .into_iter()
            .map(|mut agent| {
                let id = self.state.ids.add();
                agent.index = id.index;
                self.push_with(&needs, agent);
                id
            })
            .collect())
    }

    /// An agent of index 0 to add.
    pub(crate) fn new_agent(
        &self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<NewAgent, Error> {
        let number = self.setting.scene.species_index(species)?;
        self.setting.space.check_position("position", position)?;
        let heading = spawn::unit_heading(heading)?;
        Ok(NewAgent { number, index: 0, position, heading, speed: 1.0 })
    }

    /// Appends an agent, whose id has been given out.
    pub(crate) fn push(&mut self, agent: NewAgent) {
        self.push_with(&Needs::new(&self.setting.scene, &self.state.written), agent);
    }

    fn push_with(&mut self, needs: &Needs, agent: NewAgent) {
        let heading = agent.heading;
        let columns = (&mut self.state.motion, &mut self.state.traits);
        spawn::push(&self.setting.scene, &self.setting.space, needs, columns, agent);
        self.state.history.push([heading.x, heading.y]);
        self.workspace.grown();
    }

    /// Removes an agent. Its id never becomes valid again.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was already removed.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        self.remove_many(&[id])
    }

    /// Removes several agents, like repeated calls of [`Self::remove`].
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if one was already removed or appears twice; then nothing changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for &id in ids {
            self.slot_of(id)?;
            if !seen.insert(id.index) {
                return Err(Error::NoSuchAgent { id });
            }
        }
        for &id in ids {
            let slot = self.slot_of(id)?;
            self.take_out(slot);
            self.state.ids.remove(id, slot, self.state.traits.index.get(slot).copied());
        }
        self.forget_targets(|index| seen.contains(&index));
        Ok(())
    }

    /// Takes the agent in `slot` out of all columns; the last one takes its slot.
    pub(crate) fn take_out(&mut self, slot: usize) {
        self.state.motion.swap_remove(slot);
        self.state.traits.swap_remove(slot);
        self.state.history.swap_remove(slot);
        self.workspace.moved();
    }

    /// Makes sure that removed agents, whose indices may be reused, stay nobody's targets.
    pub(crate) fn forget_targets(&mut self, is_removed: impl Fn(u32) -> bool) {
        for target in self.state.traits.target.iter_mut().filter(|target| is_removed(**target)) {
            *target = NO_TARGET;
        }
        self.workspace.shared_targets.iter_mut().for_each(|target| target.slot = None);
    }

    /// Replaces the parameters and behaviors of the species of the same name, for existing and
    /// future agents. If a per-agent range changes, each agent keeps its relative position in it.
    /// The world keeps its size, and the species its number of agents.
    ///
    /// # Errors
    /// An unknown name or a value out of range; then nothing changes.
    pub fn set_species(&mut self, species: &Species) -> Result<(), Error> {
        let number = self.setting.scene.species_index(&species.name)?;
        let agents = self.setting.scene.species[number].agents;
        let species = Species { agents, ..species.clone() };
        species.check(&format!("species[{number}]"))?;
        let previous = std::mem::replace(&mut self.setting.scene.species[number], species);
        let scene = &self.setting.scene;
        let references = scene.check_references(number);
        let checked = references
            .and_then(|()| scene.check_columns())
            .and_then(|()| scene.check_fit(&self.setting.space));
        if let Err(error) = checked {
            self.setting.scene.species[number] = previous;
            return Err(error);
        }
        self.refit_columns();
        self.derive();
        Ok(())
    }

    /// Adapts the columns of all agents to changed parameters.
    pub(crate) fn refit_columns(&mut self) {
        spawn::refit_columns(&self.setting.scene, &self.setting.columns, &mut self.state);
    }

    /// Sets the number of steps per simulated second. The state does not change.
    ///
    /// # Errors
    /// A number outside 1 to 1e5, or one so small that agents could move farther than the shorter
    /// side of the torus in a step; then nothing changes.
    pub fn set_steps_per_second(&mut self, steps_per_second: f32) -> Result<(), Error> {
        check_steps_per_second(steps_per_second)?;
        let previous =
            std::mem::replace(&mut self.setting.scene.steps_per_second, steps_per_second);
        if self.setting.scene.check_speeds(&self.setting.space).is_err() {
            self.setting.scene.steps_per_second = previous;
            let least = self.setting.scene.largest_speed() / self.setting.space.smaller_side();
            let least = (least * 1.0e3).ceil() / 1.0e3;
            let allowed =
                format!("at least {least} 1/s, so that no agent crosses the torus in a step");
            return Err(Error::refused("steps_per_second", steps_per_second, allowed));
        }
        self.derive();
        Ok(())
    }

    /// Sets how many times per step overlapping agents are pushed apart.
    ///
    /// # Errors
    /// A number above 64.
    pub fn set_non_penetration(&mut self, iterations: u32) -> Result<(), Error> {
        check_non_penetration(iterations)?;
        self.setting.scene.non_penetration = iterations;
        self.refit_columns();
        self.derive();
        Ok(())
    }

    /// Sets how many headings each smoothed heading averages; `None` turns smoothing off. Smoothing
    /// restarts from the current headings.
    ///
    /// # Errors
    /// A number outside 1 to 100.
    pub fn set_heading_samples(&mut self, samples: Option<u32>) -> Result<(), Error> {
        check_heading_samples(samples)?;
        self.setting.scene.heading_samples = samples;
        self.state.history.reset(samples, &self.state.motion);
        Ok(())
    }

    /// Sets the height of the grid's cells in view distances; `None` is the engine's choice. As in
    /// [`Scene::cell_size`](crate::Scene::cell_size), the order in which neighbors are added, and so
    /// the last bits of the result, depend on it.
    ///
    /// # Errors
    /// A number outside 0.25 to 16.
    pub fn set_cell_size(&mut self, cell_size: Option<f32>) -> Result<(), Error> {
        check_cell_size(cell_size)?;
        self.setting.scene.cell_size = cell_size;
        self.derive();
        Ok(())
    }

    /// Chooses how neighbor candidates are found; the result is the same.
    pub fn set_partition(&mut self, partition: Partition) {
        self.execution.partition = partition;
    }

    /// Chooses what computes the steps; the result is the same.
    pub fn set_method(&mut self, method: Method) {
        self.execution.method = method;
    }

    /// Sets the instructions that the kernels and the sort use. Kernels change to the lane width of
    /// the level; [`Self::set_method`] sets another. The results do not change.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if this processor lacks the level; nothing changes then.
    pub fn set_level(&mut self, level: Level) -> Result<(), Error> {
        self.execution.instructions = Instructions::new(level)?;
        if self.execution.method != Method::Scalar {
            self.execution.method = Method::Kernels(LaneWidth::of(level));
        }
        Ok(())
    }

    /// Chooses how many threads share a step; 1 means the caller's thread alone. The result is the
    /// same. Small crowds always stay on the caller's thread.
    ///
    /// # Errors
    /// A number outside 1 to 1024, or if the threads cannot be started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(Error::refused("threads", threads, format!("from 1 to {MAX_THREADS}")));
        }
        if threads != self.execution.workers.threads() {
            self.execution.workers = Workers::new(threads)?;
        }
        Ok(())
    }
}

impl Simulation {
    /// Replaces the obstacles and walls, scattered ones included, with those of another scene.
    ///
    /// # Errors
    /// A value out of range, or too little room to scatter; then nothing changes.
    pub fn set_scenery(&mut self, from: &Scene) -> Result<(), Error> {
        let mut scene = self.setting.scene.clone();
        scene.obstacles.clone_from(&from.obstacles);
        scene.walls.clone_from(&from.walls);
        scene.scatter.clone_from(&from.scatter);
        scene.scenery().check()?;
        scene.check_fit(&self.setting.space)?;
        self.setting.scenery = Arc::new(Scenery::new(&scene.scenery(), &self.setting.space)?);
        self.setting.scene = scene;
        self.derive();
        Ok(())
    }

    /// All obstacles, scattered ones included. On a torus their centers are inside the world.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = Obstacle> + '_ {
        self.setting.scenery.obstacles.iter().copied()
    }

    /// All straight walls, scattered ones included.
    pub fn walls(&self) -> impl ExactSizeIterator<Item = StraightWall> + '_ {
        self.setting.scenery.walls.iter().map(|wall| StraightWall {
            ends: [wall.from.into(), wall.to.into()],
            two_sided: wall.behind < 0.0,
        })
    }
}

impl Simulation {
    /// The names of the columns that the species of the scene define, ascending.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.setting.columns.iter().map(String::as_str)
    }

    /// Each agent's value in a column, in the order of [`Self::agents`].
    ///
    /// # Errors
    /// If no species defines a column of this name.
    pub fn column(&self, name: &str) -> Result<&[f32], Error> {
        Ok(&self.state.motion.own.0[self.column_number(name)?])
    }

    pub(crate) fn column_number(&self, name: &str) -> Result<usize, Error> {
        let number = self.columns().position(|column| column == name);
        number.ok_or_else(|| Error::unknown("column", name, self.columns()))
    }
}
