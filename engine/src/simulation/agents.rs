//! The state of a crowd's agents, as columns and one at a time.

use std::ops::Range;

use crate::crowd::columns::Motion;
use crate::crowd::target::Pose;
use crate::crowd::velocity;
use crate::error::Error;
use crate::id::AgentId;
use crate::math::axes::Axes;
use crate::simulation::{Simulation, State};

/// State of all agents as columns of equal length. Entry k of every column belongs to the same
/// agent; k is the agent's *slot*.
///
/// Slots are in the order of grid cells, so each step assigns new ones. Ids do not change.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    /// X coordinates, in world units.
    pub x: &'a [f32],
    /// Y coordinates, in world units.
    pub y: &'a [f32],
    /// Z coordinates, in world units; empty in flat worlds.
    pub z: &'a [f32],
    /// X components of headings, which are unit vectors.
    pub hx: &'a [f32],
    /// Y components of headings, which are unit vectors.
    pub hy: &'a [f32],
    /// Z components of headings; empty in flat worlds.
    pub hz: &'a [f32],
    /// The index part of each agent's id. [`Self::id`] returns the whole id.
    pub index: &'a [u32],
    /// Species of each agent, as an index into the scene's species.
    pub species: &'a [u8],
    simulation: &'a Simulation,
    /// Slot of the first entry in the crowd; not 0 if ghosts come before these agents.
    first: usize,
}

/// The state of one agent, copied from the crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AgentState {
    /// Position, in world units. In flat worlds, the third component of each vector is 0.
    pub position: [f32; 3],
    /// Velocity, in units/s.
    pub velocity: [f32; 3],
    /// Heading, as a unit vector.
    pub heading: [f32; 3],
    /// Index into the scene's species.
    pub species: usize,
}

impl Simulation {
    /// The state of all agents, as columns.
    #[must_use]
    pub fn agents(&self) -> Agents<'_> {
        self.agents_in(0..self.len())
    }

    pub(crate) fn agents_in<'a>(&'a self, slots: Range<usize>) -> Agents<'a> {
        let State { motion: Motion { position, heading, .. }, attributes, .. } = &self.state;
        let (Axes([x, y, z]), Axes([hx, hy, hz])) = (position, heading);
        let species = match &attributes.species[..] {
            [] => &self.workspace.zero_species.get_or_init(|| vec![0; x.len()])[..x.len()],
            several => several,
        };
        let part = |column: &'a [f32]| column.get(slots.clone()).unwrap_or_default();
        Agents {
            x: part(x),
            y: part(y),
            z: part(z),
            hx: part(hx),
            hy: part(hy),
            hz: part(hz),
            index: &attributes.index[slots.clone()],
            species: &species[slots.clone()],
            simulation: self,
            first: slots.start,
        }
    }

    /// Reads the state of one agent.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed.
    #[inline]
    pub fn agent(&self, id: AgentId) -> Result<AgentState, Error> {
        let slot = self.slot_of(id)?;
        let Pose { position, velocity, heading } =
            velocity::pose(&self.state.motion, &self.state.attributes, &self.setting.species, slot);
        Ok(AgentState {
            position: position.into(),
            velocity: velocity.into(),
            heading: heading.into(),
            species: self.state.attributes.species_of(slot),
        })
    }

    pub(crate) fn id_at(&self, slot: usize) -> AgentId {
        self.state.ids.id(self.state.attributes.index[slot])
    }

    pub(super) fn velocity_at(&self, slot: usize) -> [f32; 3] {
        velocity::at(&self.state.motion, &self.state.attributes, &self.setting.species, slot).into()
    }

    pub(super) fn column_names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.setting.required.columns.iter().map(String::as_str)
    }
}

impl<'a> Agents<'a> {
    /// The agents' ids, in slot order.
    #[must_use]
    pub fn ids(self) -> impl ExactSizeIterator<Item = AgentId> + 'a {
        (0..self.index.len()).map(move |slot| self.id(slot))
    }

    /// The id of the agent in a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn id(self, slot: usize) -> AgentId {
        self.simulation.state.ids.id(self.index[slot])
    }

    /// The agents' velocities, in units/s and in slot order.
    #[must_use]
    pub fn velocities(self) -> impl ExactSizeIterator<Item = [f32; 3]> + 'a {
        (0..self.index.len()).map(move |slot| self.velocity(slot))
    }

    /// The velocity, in units/s, of the agent in a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn velocity(self, slot: usize) -> [f32; 3] {
        // A slab's crowd continues with ghosts, which are not part of its agents.
        assert!(slot < self.index.len(), "slot {slot} of {} agents", self.index.len());
        self.simulation.velocity_at(self.first + slot)
    }

    /// The smoothed heading of the agent in a slot: the mean of its latest headings, a vector of
    /// length at most 1. `None` if the slot does not exist or the scene has no
    /// [`heading_samples`](crate::Scene::heading_samples).
    ///
    /// Source: Buckland 2004, "Smoothing".
    #[must_use]
    pub fn smoothed_heading(self, slot: usize) -> Option<[f32; 3]> {
        self.index.get(slot)?;
        // Ghosts have no history, so the first row belongs to the first own agent.
        self.simulation.state.history.mean_at(slot)
    }

    /// Names of all custom columns, sorted.
    #[must_use]
    pub fn column_names(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.simulation.column_names()
    }

    /// Values of a custom column.
    ///
    /// # Errors
    /// If neither a species nor a behavior defines a column with this name.
    pub fn column(self, name: &str) -> Result<&'a [f32], Error> {
        let column = &self.simulation.state.motion.custom[self.simulation.column_index(name)?];
        Ok(&column[self.first..][..self.index.len()])
    }
}
