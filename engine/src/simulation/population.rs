//! Agents that come and go while a crowd runs.

use std::collections::HashSet;

use crate::crowd::aim::NO_TARGET;
use crate::crowd::limits::Limit;
use crate::error::Error;
use crate::id::AgentId;
use crate::simulation::property::Field;
use crate::simulation::spawn::{self, NewAgent};
use crate::simulation::{Setting, Simulation, start};

/// Agents to add with [`Simulation::spawn_many`], one at each position.
///
/// What is left out is drawn as [`Scene::build`](crate::Scene::build) would draw it for agents of these
/// ids. They also get from their species what cannot be given here: limits, drawn from ranges, and
/// what behaviors remember. They have no own target.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Spawn<'a> {
    /// In world units, inside the world.
    pub positions: &'a [[f32; 2]],
    /// Directions: vectors of length 1e-15 to 1e15. Left out, the heading of the species' start, or a
    /// random one.
    pub headings: Option<&'a [[f32; 2]]>,
    /// In units/s, as [`Vector::Velocity`](crate::Vector::Velocity) allows; agents that move face the way
    /// they move. Left out, along the heading, at the speed of the species' start.
    pub velocities: Option<&'a [[f32; 2]]>,
    /// Columns by name, each with a number for each agent. Those left out hold what the species says
    /// they do at the start.
    pub columns: Vec<(&'a str, &'a [f32])>,
}

impl<'a> Spawn<'a> {
    /// An agent at each of these positions, in world units.
    pub fn at(positions: &'a [[f32; 2]]) -> Self {
        Self { positions, ..Self::default() }
    }

    /// Gives the agents the numbers of a column.
    pub fn column(mut self, name: &'a str, values: &'a [f32]) -> Self {
        self.columns.push((name, values));
        self
    }

    setters! {
        /// Sets where the agents face.
        headings(headings: &'a [[f32; 2]]) = Some(headings);
        /// Sets how the agents move, in units/s.
        velocities(velocities: &'a [[f32; 2]]) = Some(velocities);
    }

    /// Checks that there is one of everything for each position.
    fn check_lengths(&self) -> Result<(), Error> {
        let vectors = [("headings", self.headings), ("velocities", self.velocities)];
        let vectors =
            vectors.into_iter().filter_map(|(name, all)| Some((name.to_owned(), all?.len())));
        let columns = self.columns.iter();
        let columns =
            columns.map(|(name, values)| (format!("values of columns.{name}"), values.len()));
        let expected = self.positions.len();
        match vectors.chain(columns).find(|(_, length)| *length != expected) {
            None => Ok(()),
            Some((name, length)) => {
                let allowed = format!("{expected}, one for each position");
                Err(Error::refused(format!("number of {name}"), length, allowed))
            }
        }
    }
}

/// Agents to add, once they are checked and their ids given out.
pub(crate) struct Newcomers<'a> {
    agents: Vec<NewAgent>,
    /// Empty if velocities follow from headings.
    velocities: Vec<[f32; 2]>,
    /// Each with its number.
    columns: Vec<(usize, &'a [f32])>,
}

impl Simulation {
    /// Adds an agent with the given heading, at the speed of its species' start: the maximum speed, by
    /// default. [`Spawn`] says what else it gets.
    ///
    /// # Errors
    /// An unknown species, a position outside the world, a heading without direction.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        Ok(self.spawn_many(species, &Spawn::at(&[position]).headings(&[heading]))?[0])
    }

    /// Adds agents, like repeated calls of [`Self::spawn`]. Returns their ids, in the order of the
    /// positions.
    ///
    /// ```
    /// use flockwork::{Scene, Spawn, Species, World};
    ///
    /// let fish = Species::new("fish", 100).column("hunger", [0.0, 1.0]);
    /// let mut crowd = Scene::new(World::torus(400.0, 300.0)).species(fish).build()?;
    /// let places = [[10.0, 10.0], [20.0, 10.0]];
    /// // Facing anywhere, at maximum speed, but not hungry.
    /// let born = crowd.spawn_many("fish", &Spawn::at(&places).column("hunger", &[0.0; 2]))?;
    /// assert_eq!(crowd.agent(born[1])?.position, places[1]);
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Self::spawn`]; a velocity that the agent cannot have; an unknown column, or a number
    /// in one that is not finite; and if there is not one of everything for each position. Then nothing
    /// changes.
    pub fn spawn_many(&mut self, species: &str, spawn: &Spawn<'_>) -> Result<Vec<AgentId>, Error> {
        let (newcomers, ids) = self.newcomers(species, spawn)?;
        self.push(&newcomers);
        Ok(ids)
    }

    /// Agents to add, with the ids that they have been given.
    pub(crate) fn newcomers<'a>(
        &mut self,
        species: &str,
        spawn: &Spawn<'a>,
    ) -> Result<(Newcomers<'a>, Vec<AgentId>), Error> {
        spawn.check_lengths()?;
        let number = self.setting.scene.species_index(species)?;
        let columns = spawn.columns.iter().map(|&(name, values)| {
            let column = self.column_number(name)?;
            for &value in values {
                self.checked(Field::Column(column), None, [value, 0.0])?;
            }
            Ok((column, values))
        });
        let columns = columns.collect::<Result<_, Error>>()?;
        let (mut agents, mut velocities) = (Vec::with_capacity(spawn.positions.len()), Vec::new());
        let Setting { scene, space, .. } = &self.setting;
        for ((k, &position), index) in
            spawn.positions.iter().enumerate().zip(self.state.ids.next_indices())
        {
            space.check_position("position", position)?;
            let mut heading = match spawn.headings {
                Some(headings) => spawn::unit_heading(headings[k])?,
                None => {
                    let drawn = start::drawn(scene, space, number, index, |_| true);
                    drawn.expect("every place is free").1
                }
            };
            if let Some(given) = spawn.velocities {
                let most = spawn::limit_of_species(scene, number, index, Limit::MaxSpeed);
                let velocity = self.possible_velocity(number, most, given[k])?;
                heading = spawn::unit_heading(velocity).unwrap_or(heading);
                velocities.push(velocity);
            }
            agents.push(NewAgent { number, index, position, heading });
        }
        let ids: Vec<AgentId> = agents.iter().map(|_| self.state.ids.add()).collect();
        debug_assert!(agents.iter().zip(&ids).all(|(agent, id)| agent.index == id.index));
        Ok((Newcomers { agents, velocities, columns }, ids))
    }

    /// Appends agents, whose ids have been given out.
    pub(crate) fn push(&mut self, newcomers: &Newcomers<'_>) {
        let Newcomers { agents, velocities, columns } = newcomers;
        let Setting { scene, space, needs, .. } = &self.setting;
        let first = self.state.motion.x.len();
        for agent in agents {
            spawn::push(space, needs, &mut self.state, agent);
            self.state.history.push([agent.heading.x, agent.heading.y]);
        }
        let (known, state) = (&needs.columns, &mut self.state);
        spawn::fit_columns(scene, needs, known, state, first, spawn::start_speed);
        let motion = &mut self.state.motion;
        for (column, axis) in [&mut motion.vx, &mut motion.vy].into_iter().zip(0..) {
            let entries = column.iter_mut().skip(first);
            entries.zip(velocities).for_each(|(entry, velocity)| *entry = velocity[axis]);
        }
        for &(column, values) in columns {
            motion.own.0[column][first..].copy_from_slice(values);
        }
        self.workspace.grown();
    }

    /// Removes an agent. Its id never becomes valid again.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if it was already removed.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        self.remove_many(&[id])
    }

    /// Removes several agents, like repeated calls of [`Self::remove`].
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if one was already removed,
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if one is given twice; then nothing changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for &id in ids {
            self.slot_of(id)?;
            if !seen.insert(id.index) {
                return Err(Error::given_twice(id));
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

    /// Removes the agent in `slot` from all columns. The last agent moves into the slot.
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
}
