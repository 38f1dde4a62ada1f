//! Changes to a running crowd in slabs: all slabs make the same ones, in the same order.

use crate::cpu::Level;
use crate::crowd::Partition;
use crate::error::Error;
use crate::id::AgentId;
use crate::math::width::Method;
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::simulation::Simulation;
use crate::simulation::property::Property;
use crate::slab::state::Slab;

/// A change that every slab can make on its own.
#[derive(Clone, Copy, Debug)]
pub enum Edit<'a> {
    /// See [`Simulation::set_species`].
    Species(&'a Species),
    /// See [`Simulation::set_point`].
    Point(&'a str, [f32; 2]),
    /// See [`Simulation::set_steps_per_second`].
    StepsPerSecond(f32),
    /// See [`Simulation::set_non_penetration`].
    NonPenetration(u32),
    /// See [`Simulation::set_heading_samples`].
    HeadingSamples(Option<u32>),
    /// See [`Simulation::set_scenery`].
    Scenery(&'a Scene),
    /// See [`Simulation::set_partition`]. This and those below may differ from slab to slab.
    Partition(Partition),
    /// See [`Simulation::set_method`].
    Method(Method),
    /// See [`Simulation::set_level`].
    Level(Level),
    /// See [`Simulation::set_threads`].
    Threads(usize),
}

/// How many agents a slab owns, and whether the one to be removed is among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The number of agents that it owns.
    pub agents: usize,
    /// Whether the agent to be removed is one of them.
    pub owns: bool,
}

impl Slab {
    /// Makes a change to this slab. Those of the crowd are made by all slabs alike.
    ///
    /// # Errors
    /// Those of the function that [`Edit`] names; then nothing changes.
    pub fn edit(&mut self, edit: Edit<'_>) -> Result<(), Error> {
        match edit {
            Edit::Species(species) => self.change(|crowd| crowd.set_species(species)),
            Edit::Point(name, to) => self.change(|crowd| crowd.set_point(name, to)),
            Edit::StepsPerSecond(steps) => self.change(|crowd| crowd.set_steps_per_second(steps)),
            Edit::NonPenetration(count) => self.change(|crowd| crowd.set_non_penetration(count)),
            Edit::HeadingSamples(count) => self.change(|crowd| crowd.set_heading_samples(count)),
            Edit::Scenery(from) => self.change(|crowd| crowd.set_scenery(from)),
            Edit::Level(level) => self.local.set_level(level),
            Edit::Threads(threads) => self.local.set_threads(threads),
            Edit::Partition(partition) => {
                self.local.set_partition(partition);
                Ok(())
            }
            Edit::Method(method) => {
                self.local.set_method(method);
                Ok(())
            }
        }
    }

    /// See [`Simulation::set_own_target`].
    ///
    /// # Errors
    /// Those of [`Simulation::set_own_target`], in all slabs, except that a removed agent is refused
    /// only once another one has its index.
    pub fn set_own_target(&mut self, id: AgentId, target: Option<AgentId>) -> Result<(), Error> {
        target.map_or(Ok(()), |target| self.check_given(target))?;
        self.change_agent(id, |crowd, slot| crowd.aim(slot, target))
    }

    /// See [`Simulation::set`].
    ///
    /// # Errors
    /// Those of [`Simulation::set`], in all slabs; and for velocities, which depend on what only one
    /// slab knows.
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Error> {
        self.change_agent(id, |crowd, slot| {
            let field = property.of(crowd)?;
            let value = crowd.checked(field, None, P::pack(value))?;
            crowd.make_room(field, &[value])?;
            slot.into_iter().for_each(|slot| crowd.write(field, &[slot], &[value]));
            Ok(())
        })
    }

    /// Changes the agent in a slot, if this slab owns it.
    fn change_agent(
        &mut self,
        id: AgentId,
        change: impl FnOnce(&mut Simulation, Option<usize>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.check_given(id)?;
        self.change(|crowd| change(crowd, slot_of(crowd, id)))
    }

    fn check_given(&self, id: AgentId) -> Result<(), Error> {
        if self.local.state.ids.is_given(id) { Ok(()) } else { Err(Error::NoSuchAgent { id }) }
    }

    /// See [`Simulation::spawn`].
    ///
    /// # Errors
    /// Those of [`Simulation::spawn`], in all slabs.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        let mut agent = self.local.new_agent(species, position, heading)?;
        let id = self.local.state.ids.add();
        agent.index = id.index;
        self.agents += 1;
        let last = self.number + 1 == self.slabs();
        self.change(|crowd| {
            if last {
                crowd.push(&[agent]);
            }
        });
        Ok(id)
    }

    /// What [`Self::remove`] needs to know of every slab.
    #[must_use]
    pub fn holding(&self, id: AgentId) -> Holding {
        let owns = self.local.state.ids.is_given(id) && self.agents().index.contains(&id.index);
        Holding { agents: self.len(), owns }
    }

    /// Removes an agent, given the [`Self::holding`] of every slab. The crowd's last agent takes its place. If
    /// another slab owns that agent, the call there returns it as a message, with the number of the slab that
    /// takes it by [`Self::replace`].
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
        Ok(self.change(|crowd| {
            let mut message = None;
            if number == owner && owner == last {
                crowd.take_out(owned_slot(crowd, id));
            } else if number == last {
                let slot = crowd.len() - 1;
                let mut bytes = Vec::new();
                crowd.state.write(&[slot as u32], 0, &mut bytes);
                crowd.take_out(slot);
                message = Some((owner, bytes));
            }
            crowd.state.ids.retire(id);
            // Its owner forgets it in `replace`, which still has to find it.
            if number != owner || owner == last {
                crowd.forget_targets(|index| index == id.index);
            }
            message
        }))
    }

    /// Puts the agent of a message into the place of a removed one.
    ///
    /// # Panics
    /// If this slab does not own the removed agent.
    pub fn replace(&mut self, id: AgentId, mut message: &[u8]) {
        self.change(|crowd| {
            let slot = owned_slot(crowd, id);
            crowd.state.read(1, &mut message);
            crowd.take_out(slot);
            crowd.forget_targets(|index| index == id.index);
        });
    }

    /// Drops all copies and changes what is left: the agents that the slab owns.
    fn change<R>(&mut self, change: impl FnOnce(&mut Simulation) -> R) -> R {
        let local = &mut self.local;
        local.state.motion.keep(self.own.clone());
        local.state.traits.keep(self.own.clone());
        local.workspace.own_targets.clear();
        local.workspace.shared_targets.iter_mut().for_each(|target| target.slot = None);
        let result = change(local);
        self.own = 0..local.len();
        self.changed = true;
        self.scattered = true;
        result
    }
}

/// Where an agent is, if the slab owns it.
fn slot_of(crowd: &Simulation, id: AgentId) -> Option<usize> {
    crowd.state.traits.index.iter().position(|&index| index == id.index)
}

fn owned_slot(crowd: &Simulation, id: AgentId) -> usize {
    slot_of(crowd, id).expect("the slab owns it")
}
