//! Changes to a running crowd in slabs: all slabs make the same ones, in the same order.

use std::collections::BTreeMap;

use crate::cpu::Level;
use crate::crowd::Partition;
use crate::crowd::target::Target;
use crate::error::{Error, ErrorKind};
use crate::id::AgentId;
use crate::math::lanes::dispatch::Method;
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::simulation::Simulation;
use crate::simulation::population::Spawn;
use crate::simulation::property::{Property, Vector};
use crate::slab::state::Slab;

/// A change that every slab can make on its own.
#[derive(Clone, Copy, Debug)]
pub enum Edit<'a> {
    /// See [`Simulation::set_species`].
    Species(&'a Species),
    /// See [`Simulation::set_point`].
    Point(&'a str, [f32; 2]),
    /// See [`Simulation::set_seed`].
    Seed(u64),
    /// See [`Simulation::set_steps_per_second`].
    StepsPerSecond(f32),
    /// See [`Simulation::set_non_penetration`].
    NonPenetration(u32),
    /// See [`Simulation::set_solid`].
    Solid(bool),
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

impl Slab {
    /// Makes a change to this slab. Those of the crowd are made by all slabs alike.
    ///
    /// # Errors
    /// Those of the function that [`Edit`] names; then nothing changes.
    pub fn edit(&mut self, edit: Edit<'_>) -> Result<(), Error> {
        match edit {
            Edit::Species(species) => self.change(|crowd| crowd.set_species(species)),
            Edit::Point(name, to) => self.change(|crowd| crowd.set_point(name, to)),
            Edit::Seed(seed) => {
                self.local.set_seed(seed);
                Ok(())
            }
            Edit::StepsPerSecond(steps) => self.change(|crowd| crowd.set_steps_per_second(steps)),
            Edit::NonPenetration(count) => self.change(|crowd| crowd.set_non_penetration(count)),
            Edit::Solid(solid) => self.change(|crowd| crowd.set_solid(solid)),
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
    /// Those of [`Simulation::set_own_target`], in all slabs.
    pub fn set_own_target(&mut self, id: AgentId, target: impl Into<Target>) -> Result<(), Error> {
        self.check_given(id)?;
        let target = target.into();
        if let Target::Agent(target) = target {
            self.check_given(target)?;
        }
        self.change_agent(id, |crowd, slot| crowd.aim(slot, id, &target))
    }

    /// See [`Simulation::set`].
    ///
    /// # Errors
    /// Those of [`Simulation::set`], in all slabs; and for velocities: see [`Self::set_velocity`].
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Error> {
        self.set_many(property, &[id], &[value])
    }

    /// See [`Simulation::set_many`].
    ///
    /// # Errors
    /// Those of [`Simulation::set_many`], in all slabs; and for velocities: see
    /// [`Self::set_velocity`].
    pub fn set_many<P: Property>(
        &mut self,
        property: P,
        ids: &[AgentId],
        values: &[P::Value],
    ) -> Result<(), Error> {
        ids.iter().try_for_each(|&id| self.check_given(id))?;
        self.change(|crowd| {
            let slots = ids.iter().map(|_| None);
            let (field, pairs) = crowd.prepared(property, slots, |_, k| ids[k], values)?;
            // Of an agent that appears twice, the last value counts.
            let (slots, values): (Vec<usize>, Vec<_>) = found(crowd, ids, &pairs).unzip();
            crowd.write(field, &slots, &values);
            Ok(())
        })
    }

    /// See [`Simulation::change_species`].
    ///
    /// # Errors
    /// Those of [`Simulation::change_species`], in all slabs.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Error> {
        let number = self.local.setting.scene.species_index(species)?;
        ids.iter().try_for_each(|&id| self.check_given(id))?;
        self.change(|crowd| {
            let slots: Vec<usize> = found(crowd, ids, ids).map(|(slot, _)| slot).collect();
            if !ids.is_empty() {
                crowd.convert(&slots, number);
            }
        });
        Ok(())
    }

    /// Sets an agent's velocity: see [`Vector::Velocity`].
    ///
    /// # Errors
    /// Those of [`Simulation::set`]. Only the slab that owns the agent knows its limits and can refuse
    /// its velocity, which then nobody has set.
    pub fn set_velocity(&mut self, id: AgentId, velocity: [f32; 2]) -> Result<(), Error> {
        self.change_agent(id, |crowd, slot| match slot {
            Some(slot) => crowd.set_slots(Vector::Velocity, &[slot], &[velocity]),
            None => Ok(()),
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
        if self.local.state.ids.is_given(id) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::NoSuchAgent { id }))
        }
    }

    /// See [`Simulation::spawn_many`].
    ///
    /// # Errors
    /// Those of [`Simulation::spawn_many`], in all slabs.
    pub fn spawn_many(&mut self, species: &str, spawn: &Spawn<'_>) -> Result<Vec<AgentId>, Error> {
        let (newcomers, ids) = self.local.newcomers(species, spawn)?;
        self.agents += ids.len();
        let last = self.number + 1 == self.slabs();
        self.change(|crowd| {
            if last {
                crowd.push(&newcomers);
            }
        });
        Ok(ids)
    }

    /// The agents that it owns, as a crowd that answers any question about single agents and places:
    /// what [`Simulation::get`], [`Simulation::nearest_agents`], [`Simulation::ids`] say holds of these
    /// agents alone, so join the answers of all slabs. [`Vector::OwnTarget`] is NaN where another slab owns
    /// the target. Its state hash and snapshot mean nothing. Ask between steps: the copies of others' agents
    /// are dropped until the next one.
    pub fn crowd(&mut self) -> &Simulation {
        if self.own != (0..self.local.len()) {
            self.drop_copies();
        }
        &self.local
    }

    fn drop_copies(&mut self) {
        let local = &mut self.local;
        local.state.motion.keep(self.own.clone());
        local.state.traits.keep(self.own.clone());
        local.state.ids.moved();
        local.workspace.moved();
        self.own = 0..local.len();
    }

    /// Drops all copies and changes what is left: the agents that the slab owns.
    pub(super) fn change<R>(&mut self, change: impl FnOnce(&mut Simulation) -> R) -> R {
        self.drop_copies();
        let local = &mut self.local;
        local.workspace.own_targets.clear();
        local.workspace.shared_targets.iter_mut().for_each(|target| target.slot = None);
        let result = change(local);
        local.state.ids.moved();
        self.own = 0..local.len();
        self.changed = true;
        self.scattered = true;
        result
    }
}

/// The slots of those of these agents that the slab owns, each with its value. All of the slab's agents
/// are looked up in what is mostly a single entry, which hashing would make slow.
fn found<'a, V: Copy>(
    crowd: &'a Simulation,
    ids: &[AgentId],
    values: &[V],
) -> impl Iterator<Item = (usize, V)> + use<'a, V> {
    let named: BTreeMap<u32, V> =
        ids.iter().map(|id| id.index).zip(values.iter().copied()).collect();
    let slots = (0..).zip(&crowd.state.traits.index);
    slots.filter_map(move |(slot, index)| Some((slot, *named.get(index)?)))
}

/// Where an agent is, if the slab owns it.
fn slot_of(crowd: &Simulation, id: AgentId) -> Option<usize> {
    crowd.state.traits.index.iter().position(|&index| index == id.index)
}
