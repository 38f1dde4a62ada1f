use std::collections::HashSet;
use std::ops::Range;

use crate::crowd::limits::Limit;
use crate::crowd::stored_target::NO_TARGET;
use crate::error::{Error, check_count};
use crate::id::AgentId;
use crate::math::vec3::Vec3;
use crate::scene::draws;
use crate::simulation::first_values;
use crate::simulation::property::ResolvedProperty;
use crate::simulation::spawn::{self, NewAgent};
use crate::simulation::write::{Row, unit_heading};
use crate::simulation::{Setting, Simulation, State};
use crate::world::point::Point;

/// Agents to add with [`Simulation::spawn_many`], one per position. Vectors have `D` components:
/// two in a flat world, three in a world with depth.
///
/// Omitted attributes are drawn as [`Scene::build`](crate::Scene::build) would draw them for the
/// new ids. Limits are always drawn from the ranges of the species, and state that behaviors keep
/// between steps has its initial value. New agents have no target of their own.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Spawn<'a, const D: usize = 2> {
    /// Positions in world units. All must be inside the world.
    pub positions: &'a [[f32; D]],
    /// Directions, as vectors of length 1e-15 to 1e15. The default is the species' start heading,
    /// or a random direction for each agent if the species has none.
    pub headings: Option<&'a [[f32; D]]>,
    /// Velocities, in units/s, within the limits of [`Vector::Velocity`](crate::Vector::Velocity).
    /// Moving agents face the direction of their velocity.
    /// By default, agents move along their heading at the start speed of the species.
    pub velocities: Option<&'a [[f32; D]]>,
    /// Names of the columns to set, each with one value per agent.
    /// Omitted columns get the species' initial values.
    pub columns: Vec<(&'a str, &'a [f32])>,
}

impl<'a, const D: usize> Spawn<'a, D> {
    /// Adds one agent at each position, in world units.
    pub fn at(positions: &'a [[f32; D]]) -> Self {
        Self { positions, ..Self::default() }
    }

    /// Sets a column by name, with one value per agent.
    pub fn column(mut self, name: &'a str, values: &'a [f32]) -> Self {
        self.columns.push((name, values));
        self
    }

    setters! {
        /// Sets each agent's heading, as a vector of length 1e-15 to 1e15.
        headings(headings: &'a [[f32; D]]) = Some(headings);
        /// Sets the velocity of each agent, in units/s.
        velocities(velocities: &'a [[f32; D]]) = Some(velocities);
    }

    fn check_lists(&self) -> Result<(), Error> {
        let mut names = HashSet::new();
        if let Some((name, _)) = self.columns.iter().find(|(name, _)| !names.insert(name)) {
            return Err(Error::refused(format!("columns.{name}"), "two lists", "one list"));
        }
        let check = |list: &str, count: usize| {
            check_count(list, count, self.positions.len(), "one for each position")
        };
        self.headings.map_or(Ok(()), |headings| check("headings", headings.len()))?;
        self.velocities.map_or(Ok(()), |velocities| check("velocities", velocities.len()))?;
        self.columns.iter().try_for_each(|(name, values)| {
            check(&format!("values of columns.{name}"), values.len())
        })
    }
}

pub(crate) struct Newcomers<'a> {
    agents: Vec<NewAgent>,
    joined: Range<u64>,
    velocities: Vec<Vec3<f32>>,
    columns: Vec<(usize, &'a [f32])>,
}

impl Simulation {
    /// Adds an agent with the given heading, at the start speed of its species
    /// (by default, the agent's maximum speed). [`Spawn`] describes the other attributes.
    ///
    /// # Errors
    /// An unknown species, a position outside the world,
    /// or a heading whose length is outside 1e-15 to 1e15.
    pub fn spawn(
        &mut self,
        species: &str,
        position: impl Into<Point>,
        heading: impl Into<Point>,
    ) -> Result<AgentId, Error> {
        let axes = self.setting.space.axes();
        let position = position.into().in_world("position", axes)?;
        let heading = heading.into().in_world("heading", axes)?;
        let ids = if axes == 2 {
            let (position, heading) = ([position.into()], [heading.into()]);
            self.spawn_many::<2>(species, &Spawn::at(&position).headings(&heading))
        } else {
            let (position, heading) = ([position.into()], [heading.into()]);
            self.spawn_many::<3>(species, &Spawn::at(&position).headings(&heading))
        };
        Ok(ids?[0])
    }

    /// Adds agents, as repeated calls to [`Self::spawn`] would.
    /// Returns their ids, in the order of the positions.
    ///
    /// ```
    /// use flockwork::{Scene, Spawn, Species, World};
    ///
    /// let fish = Species::new("fish", 100).column("hunger", [0.0, 1.0]);
    /// let mut crowd = Scene::new(World::torus(400.0, 300.0)).species(fish).build()?;
    /// let positions = [[10.0, 10.0], [20.0, 10.0]];
    /// // Random headings and maximum speed, but no hunger.
    /// let born = crowd.spawn_many("fish", &Spawn::at(&positions).column("hunger", &[0.0; 2]))?;
    /// assert_eq!(crowd.agent(born[1])?.position[..2], positions[1]);
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`Self::spawn`]; a velocity out of range; an unknown column; a column
    /// value that is not finite; a column given twice; or a list whose length differs from the
    /// number of positions. The error names the entry, such as `positions[2].x`.
    /// On error, nothing changes.
    pub fn spawn_many<const D: usize>(
        &mut self,
        species: &str,
        spawn: &Spawn<'_, D>,
    ) -> Result<Vec<AgentId>, Error> {
        let (newcomers, ids) = self.newcomers(species, spawn)?;
        self.push(&newcomers);
        self.plan_anew();
        Ok(ids)
    }

    pub(crate) fn newcomers<'a, const D: usize>(
        &mut self,
        species: &str,
        spawn: &Spawn<'a, D>,
    ) -> Result<(Newcomers<'a>, Vec<AgentId>), Error> {
        spawn.check_lists()?;
        self.setting.space.check_coordinates(D)?;
        let vector = |components: &[f32; D]| {
            Vec3::by_axis(|axis| components.get(axis).copied().unwrap_or_default())
        };
        let species = self.setting.scene.species_index(species)?;
        let columns = spawn.columns.iter().map(|&(name, values)| {
            let (column, field) = (self.column_index(name)?, format!("columns.{name}"));
            for (k, &value) in values.iter().enumerate() {
                let checked =
                    self.checked(ResolvedProperty::Column(column), None, Vec3::flat(value, 0.0));
                _ = checked.map_err(|error| error.of_entry(&field, &field, k, values.len()))?;
            }
            Ok((column, values))
        });
        let columns = columns.collect::<Result<_, Error>>()?;
        let (mut agents, mut velocities) = (Vec::with_capacity(spawn.positions.len()), Vec::new());
        let (Setting { scene, space, .. }, count) = (&self.setting, spawn.positions.len());
        for ((k, &position), index) in
            spawn.positions.iter().enumerate().zip(self.state.ids.next_indices())
        {
            let position = vector(&position);
            let wrong = |one, list| move |error: Error| error.of_entry(one, list, k, count);
            space.check_position("position", position).map_err(wrong("position", "positions"))?;
            let mut heading = match spawn.headings {
                Some(headings) => {
                    unit_heading(vector(&headings[k])).map_err(wrong("heading", "headings"))?
                }
                None => {
                    let drawn = draws::drawn(scene, space, species, index, |_| true);
                    drawn.expect("every place is free").1
                }
            };
            if let Some(given) = spawn.velocities {
                let most = draws::limit_of_species(scene, species, index, Limit::MaxSpeed);
                let velocity = self
                    .possible_velocity(species, most, vector(&given[k]))
                    .map_err(wrong("velocity", "velocities"))?;
                heading = unit_heading(velocity).unwrap_or(heading);
                velocities.push(velocity);
            }
            agents.push(NewAgent { species, index, position, heading });
        }
        let joined = self.join(agents.len());
        let slots = self.len()..;
        let ids: Vec<AgentId> =
            slots.zip(&agents).map(|(slot, _)| self.state.ids.add(slot)).collect();
        debug_assert!(agents.iter().zip(&ids).all(|(agent, id)| agent.index == id.index));
        self.setting.populations[species] += agents.len();
        Ok((Newcomers { agents, joined, velocities, columns }, ids))
    }

    /// Records that `count` agents join a species. Returns their values for the column `joined`.
    pub(crate) fn join(&mut self, count: usize) -> Range<u64> {
        self.workspace.population_changed();
        let State { overrides, ids, .. } = &mut self.state;
        let first = overrides.joined.max(ids.indices() as u64);
        let end = first + count as u64;
        if self.setting.required.joined && count > 0 {
            overrides.joined = end;
        }
        first..end
    }

    pub(crate) fn push(&mut self, newcomers: &Newcomers<'_>) {
        let Newcomers { agents, joined, velocities, columns } = newcomers;
        let Setting { scene, space, required, .. } = &self.setting;
        let first = self.state.motion.position.len();
        for (agent, joined) in agents.iter().zip(joined.clone()) {
            spawn::push(space, required, &mut self.state, agent, joined);
            self.state.history.push(agent.heading);
        }
        let (names, state) = (&required.columns, &mut self.state);
        first_values::fit_columns(scene, required, names, state, first, spawn::start_speed);
        let motion = &mut self.state.motion;
        if !motion.velocity.is_empty() {
            (first..)
                .zip(velocities)
                .for_each(|(slot, &velocity)| motion.velocity.set(slot, velocity));
        }
        for &(column, values) in columns {
            motion.custom[column][first..].copy_from_slice(values);
        }
        self.workspace.agents_added();
    }

    /// Removes an agent. Its id never becomes valid again. If behaviors read own targets, each call
    /// looks through the targets of all agents, so remove many agents with [`Self::remove_many`].
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was already removed.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        self.remove_many(&[id])
    }

    /// Removes several agents, as repeated calls to [`Self::remove`] would.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if an agent was already removed, or
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if an id appears twice.
    /// On error, nothing changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for &id in ids {
            self.slot_of(id)?;
            if !seen.insert(id.index) {
                return Err(Error::duplicate_id(id));
            }
        }
        for &id in ids {
            let slot = self.slot_of(id)?;
            self.setting.populations[self.state.attributes.species_of(slot)] -= 1;
            self.take_out(slot);
            self.state.ids.remove(id, slot, self.state.attributes.index.get(slot).copied());
        }
        let mut removed: Vec<u32> = seen.into_iter().collect();
        removed.sort_unstable();
        self.forget_targets(|index| removed.binary_search(&index).is_ok());
        self.workspace.population_changed();
        self.plan_anew();
        Ok(())
    }

    /// Removes the agent at `slot` and moves the last agent into the vacated slot.
    pub(crate) fn take_out(&mut self, slot: usize) {
        self.state.motion.swap_remove(slot);
        self.state.attributes.swap_remove(slot);
        self.state.history.swap_remove(slot);
        self.workspace.agents_moved();
    }

    /// Clears own targets that refer to removed agents, because indices may be reused.
    pub(crate) fn forget_targets(&mut self, is_removed: impl Fn(u32) -> bool) {
        let targets = self.state.attributes.target.iter_mut();
        targets.filter(|target| is_removed(**target)).for_each(|target| *target = NO_TARGET);
    }

    /// Changes the species of agents. Each agent keeps its id, position, heading,
    /// velocity, columns, own target, and any limits that were set for it individually.
    /// Other limits are drawn from the ranges of the new species,
    /// and state that behaviors keep between steps (wander target, waypoint, alert) is reset.
    /// Agents with constant-speed locomotion get their new speed at once. Other agents that are too
    /// fast slow down in the next step. Agents that already belong to the species keep their state,
    /// but the [state hash](Self::state_hash) includes species from the first call on.
    ///
    /// Agents join a [formation](crate::behaviors::OffsetPursuit::abreast) at its end, in the order
    /// of `ids`. A [`Target::Member`](crate::Target::Member) still refers to the same agent, and
    /// the number of agents in each species' definition does not change.
    ///
    /// # Errors
    /// An unknown species, or [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if an agent
    /// was removed. On error, nothing changes.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Error> {
        let species = self.setting.scene.species_index(species)?;
        let slots: Vec<usize> = ids.iter().map(|&id| self.slot_of(id)).collect::<Result<_, _>>()?;
        if !slots.is_empty() {
            let joined = self.join(slots.len());
            // In reverse, so that an agent listed twice joins at its last mention.
            self.convert(slots.into_iter().rev().zip(joined.rev()), species);
            self.plan_anew();
        }
        Ok(())
    }

    /// Converts the agents in the given slots, each with its value for the column `joined`.
    /// In a slab that owns none of the agents, there are no slots,
    /// but the call still records that agents have changed species.
    pub(crate) fn convert(&mut self, joining: impl Iterator<Item = (usize, u64)>, species: usize) {
        let Self { setting, state, workspace, .. } = self;
        state.overrides.species = true;
        for (slot, joined) in joining {
            let before = state.attributes.species_of(slot);
            if before == species {
                continue;
            }
            // Before the next step's recount, a slab may own agents that are not yet counted.
            setting.populations[before] = setting.populations[before].saturating_sub(1);
            setting.populations[species] += 1;
            state.attributes.species[slot] = species as u8;
            if let Some(entry) = state.attributes.joined.get_mut(slot) {
                *entry = joined;
            }
            first_values::fit_to_species(&setting.scene, state, slot);
            let heading = state.motion.heading.at(slot);
            let (motion, attributes) = (&mut state.motion, &mut state.attributes);
            Row { motion, attributes, species: &setting.scene.species, slot }.turn(heading);
        }
        workspace.agents_moved();
    }
}
