//! Changes to a running crowd: its agents, its parameters, and how it is computed.

use std::collections::HashSet;
use std::sync::Arc;

use crate::behaviors::outside;
use crate::cpu::{Instructions, Level};
use crate::crowd::Partition;
use crate::crowd::columns::NO_TARGET;
use crate::error::{Error, ErrorKind};
use crate::id::AgentId;
use crate::math::lanes::dispatch::Method;
use crate::parallel::{MAX_THREADS, Workers};
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scenery::Scenery;
use crate::scenery::definition::{Obstacle, StraightWall};
use crate::simulation::spawn::{self, NewAgent};
use crate::simulation::{Setting, Simulation};

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
        Ok(self.spawn_many(species, &[position], &[heading])?[0])
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
        let (agents, ids) = self.new_agents(species, positions, headings)?;
        self.push(&agents);
        Ok(ids)
    }

    /// Agents to add, with the ids that they have been given.
    pub(crate) fn new_agents(
        &mut self,
        species: &str,
        positions: &[[f32; 2]],
        headings: &[[f32; 2]],
    ) -> Result<(Vec<NewAgent>, Vec<AgentId>), Error> {
        if positions.len() != headings.len() {
            let allowed = format!("{}, one for each position", positions.len());
            return Err(Error::refused("number of headings", headings.len(), allowed));
        }
        let number = self.setting.scene.species_index(species)?;
        let checked = positions.iter().zip(headings).map(|(&position, &heading)| {
            self.setting.space.check_position("position", position)?;
            let heading = spawn::unit_heading(heading)?;
            Ok(NewAgent { number, index: 0, position, heading })
        });
        let mut agents = checked.collect::<Result<Vec<_>, Error>>()?;
        let given = agents.iter_mut().map(|agent| {
            let id = self.state.ids.add();
            agent.index = id.index;
            id
        });
        let ids = given.collect();
        Ok((agents, ids))
    }

    /// Appends agents, whose ids have been given out.
    pub(crate) fn push(&mut self, agents: &[NewAgent]) {
        let Setting { scene, space, needs, .. } = &self.setting;
        let first = self.state.motion.x.len();
        for agent in agents {
            spawn::push(space, needs, &mut self.state, agent);
            self.state.history.push([agent.heading.x, agent.heading.y]);
        }
        spawn::fit_columns(scene, needs, &needs.columns, &mut self.state, first, |_| 1.0);
        self.workspace.grown();
    }

    /// Removes an agent. Its id never becomes valid again.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchAgent`] if it was already removed.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        self.remove_many(&[id])
    }

    /// Removes several agents, like repeated calls of [`Self::remove`].
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchAgent`] if one was already removed or appears twice; then nothing
    /// changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for &id in ids {
            self.slot_of(id)?;
            if !seen.insert(id.index) {
                return Err(Error::new(ErrorKind::NoSuchAgent { id }));
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
        self.change(|scene| scene.species[number] = species)
    }

    /// The scene with a change, if the crowd can go on with it.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut Scene)) -> Result<Scene, Error> {
        let mut scene = self.setting.scene.clone();
        change(&mut scene);
        scene.check_parameters()?;
        scene.check_fit(&self.setting.space, &self.state.written)?;
        Ok(scene)
    }

    /// Goes on with a changed scene.
    fn change(&mut self, change: impl FnOnce(&mut Scene)) -> Result<(), Error> {
        let scene = self.changed(change)?;
        outside::claim(scene.outside())?;
        self.setting.scene = scene;
        self.refit();
        Ok(())
    }

    /// Adapts the columns of all agents, and what else follows from the parameters.
    pub(crate) fn refit(&mut self) {
        let known = std::mem::take(&mut self.setting.needs.columns);
        self.derive();
        let Setting { scene, needs, .. } = &self.setting;
        spawn::fit_columns(scene, needs, &known, &mut self.state, 0, |_| 1.0);
    }

    /// Sets the number of steps per simulated second. The state does not change.
    ///
    /// # Errors
    /// A number outside 1 to 1e5, or one so small that agents could move farther than the shorter
    /// side of the torus in a step; then nothing changes.
    pub fn set_steps_per_second(&mut self, steps_per_second: f32) -> Result<(), Error> {
        let changed = self.change(|scene| scene.steps_per_second = steps_per_second);
        changed.map_err(|error| match error.kind() {
            ErrorKind::OutOfRange { field, .. } if field != "steps_per_second" => {
                let (fastest, side) = (self.largest_speed(), self.setting.space.smaller_side());
                let mut least = (fastest / side * 1.0e3).ceil() / 1.0e3;
                while least * side < fastest {
                    least = least.next_up();
                }
                let source = if fastest > self.setting.scene.largest_speed() {
                    format!("; the largest written max_speed is {fastest} units/s")
                } else {
                    String::new()
                };
                let allowed = format!(
                    "at least {least} 1/s, so that no agent crosses the torus in a step{source}"
                );
                Error::refused("steps_per_second", steps_per_second, allowed)
            }
            _ => error,
        })
    }

    /// Sets how many times per step overlapping agents are pushed apart.
    ///
    /// # Errors
    /// A number above 64.
    pub fn set_non_penetration(&mut self, iterations: u32) -> Result<(), Error> {
        self.change(|scene| scene.non_penetration = iterations)
    }

    /// Sets how many headings each smoothed heading averages; `None` turns smoothing off. Smoothing
    /// restarts from the current headings.
    ///
    /// # Errors
    /// A number outside 1 to 100.
    pub fn set_heading_samples(&mut self, samples: Option<u32>) -> Result<(), Error> {
        self.change(|scene| scene.heading_samples = samples)?;
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
        self.change(|scene| scene.cell_size = cell_size)
    }

    /// Chooses how neighbor candidates are found; the result is the same.
    pub fn set_partition(&mut self, partition: Partition) {
        self.execution.partition = partition;
    }

    /// Chooses what computes the steps; the result is the same.
    pub fn set_method(&mut self, method: Method) {
        self.execution.method = method;
    }

    /// Sets the instructions, and with them the vectors, that the kernels and the sort use. The
    /// results do not change.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if this processor lacks the level; nothing changes then.
    pub fn set_level(&mut self, level: Level) -> Result<(), Error> {
        self.execution.instructions = Instructions::new(level)?;
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
        let scene = self.changed(|scene| {
            scene.obstacles.clone_from(&from.obstacles);
            scene.walls.clone_from(&from.walls);
            scene.scatter.clone_from(&from.scatter);
        })?;
        self.setting.scenery = Arc::new(Scenery::new(&scene.scenery(), &self.setting.space)?);
        self.setting.scene = scene;
        self.refit();
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
        self.setting.needs.columns.iter().map(String::as_str)
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
