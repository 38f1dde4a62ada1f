//! Changes to a running crowd in slabs: all slabs make the same ones, in the same order.

use crate::cpu::Level;
use crate::crowd::Partition;
use crate::error::Error;
use crate::id::AgentId;
use crate::math::width::Method;
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::slab::state::Slab;
use crate::species::Species;

/// What a slab has that a removal needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The number of agents that it owns.
    pub agents: usize,
    /// Whether the agent to be removed is one of them.
    pub owns: bool,
}

impl Slab {
    /// See [`Simulation::set_species`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_species(&mut self, species: &Species) -> Result<(), Error> {
        self.edit(|crowd| crowd.set_species(species))
    }

    /// See [`Simulation::set_point`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_point(&mut self, name: &str, to: [f32; 2]) -> Result<(), Error> {
        self.edit(|crowd| crowd.set_point(name, to))
    }

    /// See [`Simulation::set_steps_per_second`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_steps_per_second(&mut self, steps_per_second: f32) -> Result<(), Error> {
        self.edit(|crowd| crowd.set_steps_per_second(steps_per_second))
    }

    /// See [`Simulation::set_non_penetration`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_non_penetration(&mut self, iterations: u32) -> Result<(), Error> {
        self.edit(|crowd| crowd.set_non_penetration(iterations))
    }

    /// See [`Simulation::set_heading_samples`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_heading_samples(&mut self, samples: Option<u32>) -> Result<(), Error> {
        self.edit(|crowd| crowd.set_heading_samples(samples))
    }

    /// See [`Simulation::set_scenery`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_scenery(&mut self, from: &Scene) -> Result<(), Error> {
        self.edit(|crowd| crowd.set_scenery(from))
    }

    /// See [`Simulation::set_own_target`].
    ///
    /// # Errors
    /// The same, in all slabs, but for agents that were removed although no other has their index.
    pub fn set_own_target(&mut self, id: AgentId, target: Option<AgentId>) -> Result<(), Error> {
        for id in [Some(id), target].into_iter().flatten() {
            if !self.held.state.ids.is_given(id) {
                return Err(Error::NoSuchAgent { id });
            }
        }
        self.edit(|crowd| {
            let slot = crowd.state.traits.index.iter().position(|&index| index == id.index);
            crowd.aim(slot, target)
        })
    }

    /// See [`Simulation::set_column`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn set_column(&mut self, name: &str, id: AgentId, value: f32) -> Result<(), Error> {
        if !self.held.state.ids.is_given(id) {
            return Err(Error::NoSuchAgent { id });
        }
        self.edit(|crowd| {
            let slot = crowd.state.traits.index.iter().position(|&index| index == id.index);
            crowd.set_in_column(name, slot, value)
        })
    }

    /// See [`Simulation::set_partition`].
    pub fn set_partition(&mut self, partition: Partition) {
        self.held.set_partition(partition);
    }

    /// See [`Simulation::set_method`].
    pub fn set_method(&mut self, method: Method) {
        self.held.set_method(method);
    }

    /// See [`Simulation::set_level`].
    ///
    /// # Errors
    /// The same.
    pub fn set_level(&mut self, level: Level) -> Result<(), Error> {
        self.held.set_level(level)
    }

    /// See [`Simulation::set_threads`]: those of this slab.
    ///
    /// # Errors
    /// The same.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        self.held.set_threads(threads)
    }

    /// See [`Simulation::spawn`].
    ///
    /// # Errors
    /// The same, in all slabs.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        let mut agent = self.held.new_agent(species, position, heading)?;
        let id = self.held.state.ids.add();
        agent.index = id.index;
        self.agents += 1;
        let last = self.number + 1 == self.slabs();
        self.edit(|crowd| {
            if last {
                crowd.push(agent);
            }
        });
        Ok(id)
    }

    /// What [`Self::remove`] has to know of every slab.
    #[must_use]
    pub fn holding(&self, id: AgentId) -> Holding {
        let owns = self.held.state.ids.is_given(id) && self.agents().index.contains(&id.index);
        Holding { agents: self.len(), owns }
    }

    /// Removes an agent, given what every slab has. The crowd's last agent takes its place: if another
    /// slab owns that one, it returns it as a message to the slab of this number, which takes it with
    /// [`Self::replace`].
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] in all slabs.
    pub fn remove(
        &mut self,
        id: AgentId,
        holdings: &[Holding],
    ) -> Result<Option<(usize, Vec<u8>)>, Error> {
        let owner = holdings.iter().position(|holding| holding.owns);
        let owner = owner.ok_or(Error::NoSuchAgent { id })?;
        let last = holdings.iter().rposition(|holding| holding.agents > 0).unwrap_or(owner);
        self.agents -= 1;
        let number = self.number;
        Ok(self.edit(|crowd| {
            let mut message = None;
            if number == owner && owner == last {
                crowd.take_out(slot_of(crowd, id));
            } else if number == last {
                let slot = crowd.len() - 1;
                let mut bytes = Vec::new();
                crowd.state.motion.write(&[slot as u32], &mut bytes);
                crowd.state.traits.write(&[slot as u32], &mut bytes);
                crowd.state.history.write(std::iter::once(slot), &mut bytes);
                crowd.take_out(slot);
                message = Some((owner, bytes));
            }
            crowd.state.ids.retire(id);
            // The one that owns it still needs its slot.
            if number != owner || owner == last {
                crowd.forget_target(id);
            }
            message
        }))
    }

    /// Puts the agent of a message into the place of a removed one.
    ///
    /// # Panics
    /// If this slab does not own that one.
    pub fn replace(&mut self, id: AgentId, mut message: &[u8]) {
        self.edit(|crowd| {
            let slot = slot_of(crowd, id);
            crowd.state.motion.read(1, &mut message);
            crowd.state.traits.read(1, &mut message);
            crowd.state.history.read(1, &mut message);
            crowd.take_out(slot);
            crowd.forget_target(id);
        });
    }

    /// Drops all copies and changes what is left.
    fn edit<R>(&mut self, change: impl FnOnce(&mut Simulation) -> R) -> R {
        self.drop_copies();
        let result = change(&mut self.held);
        self.own = 0..self.held.len();
        self.changed = true;
        self.scattered = true;
        result
    }

    /// Keeps only the agents that the slab owns.
    pub(crate) fn drop_copies(&mut self) {
        self.held.state.motion.keep(self.own.clone());
        self.held.state.traits.keep(self.own.clone());
        self.held.workspace.own_targets.clear();
        self.held.workspace.shared_targets.iter_mut().for_each(|target| target.slot = None);
        self.own = 0..self.held.len();
    }
}

fn slot_of(crowd: &Simulation, id: AgentId) -> usize {
    let slot = crowd.state.traits.index.iter().position(|&index| index == id.index);
    slot.expect("the slab owns it")
}
