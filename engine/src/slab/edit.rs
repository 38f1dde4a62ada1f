use std::collections::BTreeMap;

use crate::crowd::target::Target;
use crate::error::{Error, ErrorKind};
use crate::id::AgentId;
use crate::scene::Scene;
use crate::simulation::execution::Execution;
use crate::simulation::population::Spawn;
use crate::simulation::property::{Property, Vector};
use crate::simulation::targets::shared_targets;
use crate::simulation::{Setting, Simulation};
use crate::slab::exchange::{Exchange, Refused, agree};
use crate::slab::state::Slab;
use crate::world::point::Point;

impl Slab {
    /// Changes the scene: see [`Simulation::edit`]. All slabs must make the same changes.
    ///
    /// # Errors
    /// The same errors as [`Simulation::edit`], returned by every slab. On error, nothing changes.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Scene)) -> Result<(), Error> {
        self.change(|simulation| simulation.edit(edit))
    }

    /// Moves a named point: see [`Simulation::set_point`]. All slabs must make the same changes.
    ///
    /// # Errors
    /// The same errors as [`Simulation::set_point`], returned by every slab.
    pub fn set_point(&mut self, name: &str, to: impl Into<Point>) -> Result<(), Error> {
        self.change(|simulation| simulation.set_point(name, to))
    }

    /// Execution settings of this slab's steps.
    pub fn execution(&self) -> Execution {
        self.local.execution()
    }

    /// Sets how this slab's steps are computed. Slabs may have different settings.
    ///
    /// # Errors
    /// The same errors as [`Simulation::set_execution`]. On error, nothing changes.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Error> {
        self.local.set_execution(execution)
    }

    /// Sets an agent's own target: see [`Simulation::set_own_target`].
    ///
    /// # Errors
    /// The same errors as [`Simulation::set_own_target`], returned by every slab.
    pub fn set_own_target(&mut self, id: AgentId, target: impl Into<Target>) -> Result<(), Error> {
        self.set_own_targets(&[id], &[target.into()])
    }

    /// Sets the own targets of many agents: see [`Simulation::set_own_targets`].
    ///
    /// # Errors
    /// The same errors as [`Simulation::set_own_targets`], returned by every slab.
    pub fn set_own_targets(&mut self, ids: &[AgentId], targets: &[Target]) -> Result<(), Error> {
        self.check_current(ids)?;
        self.change(|simulation| {
            let stored = simulation.checked_targets(ids, targets)?;
            let (slots, stored): (Vec<usize>, Vec<_>) = slots_of(simulation, ids, &stored).unzip();
            simulation.store_targets(&slots, &stored);
            Ok(())
        })
    }

    /// Writes a property of an agent: see [`Simulation::set`].
    ///
    /// # Errors
    /// The same errors as [`Simulation::set`], returned by every slab.
    /// Also an error if `property` is a velocity: use [`Self::set_velocity`].
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Error> {
        self.set_many(property, &[id], &[value])
    }

    /// Writes a property of each given agent: see [`Simulation::set_many`].
    ///
    /// # Errors
    /// The same errors as [`Simulation::set_many`], returned by every slab.
    /// Also an error if `property` is a velocity: use [`Self::set_velocity`].
    pub fn set_many<P: Property>(
        &mut self,
        property: P,
        ids: &[AgentId],
        values: &[P::Value],
    ) -> Result<(), Error> {
        self.check_current(ids)?;
        self.change(|simulation| {
            let slots = ids.iter().map(|_| None);
            let (field, pairs) = simulation.prepared(property, slots, |_, k| ids[k], values)?;
            let (slots, values): (Vec<usize>, Vec<_>) = slots_of(simulation, ids, &pairs).unzip();
            simulation.write(field, &slots, &values);
            Ok(())
        })
    }

    /// Changes the species of agents: see [`Simulation::change_species`].
    ///
    /// # Errors
    /// The same errors as [`Simulation::change_species`], returned by every slab.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Error> {
        let species_index = self.local.setting.scene.species_index(species)?;
        self.check_current(ids)?;
        self.change(|simulation| {
            if !ids.is_empty() {
                let joined: Vec<u64> = simulation.join(ids.len()).collect();
                let joining: Vec<(usize, u64)> = slots_of(simulation, ids, &joined).collect();
                simulation.convert(joining.into_iter(), species_index);
            }
        });
        Ok(())
    }

    /// Sets an agent's velocity: see [`Vector::Velocity`]. Only the slab that owns the agent knows
    /// the agent's limits, so it tells all slabs whether it rejects the velocity.
    ///
    /// # Errors
    /// If a slab is no longer running. The inner error is [`Refused`], with the message of the
    /// error that [`Simulation::set`] returns for this velocity. After an inner error, nothing
    /// changes.
    pub fn set_velocity<X: Exchange>(
        &mut self,
        exchange: &mut X,
        id: AgentId,
        velocity: impl Into<Point>,
    ) -> Result<Result<(), Refused>, X::Lost> {
        let velocity = velocity.into();
        let set = self.check_current(&[id]).and_then(|()| {
            self.change(|simulation| {
                let slot = slots_of(simulation, &[id], &[()]).next();
                slot.map_or(Ok(()), |(slot, ())| {
                    simulation.set_vector(Vector::Velocity, slot, velocity)
                })
            })
        });
        agree(set, exchange)
    }

    fn check_current(&self, ids: &[AgentId]) -> Result<(), Error> {
        match ids.iter().find(|&&id| !self.local.state.ids.is_current(id)) {
            Some(&id) => Err(Error::new(ErrorKind::NoSuchAgent { id })),
            None => Ok(()),
        }
    }

    /// Adds agents: see [`Simulation::spawn_many`].
    ///
    /// # Errors
    /// The same errors as [`Simulation::spawn_many`], returned by every slab.
    pub fn spawn_many<const D: usize>(
        &mut self,
        species: &str,
        spawn: &Spawn<'_, D>,
    ) -> Result<Vec<AgentId>, Error> {
        let (newcomers, ids) = self.local.newcomers(species, spawn)?;
        self.agents += ids.len();
        let last = self.number + 1 == self.slabs();
        self.change(|simulation| {
            if last {
                simulation.push(&newcomers);
            }
        });
        Ok(ids)
    }

    /// The simulation of the agents that this slab owns, for queries about single agents and
    /// positions. Results of [`Simulation::get`], [`Simulation::nearest_agents`] and
    /// [`Agents::ids`](crate::Agents::ids) cover only these agents, so combine the results of all
    /// slabs. [`Vector::OwnTarget`] is NaN if another slab owns the target. The state hash and the
    /// snapshot of this simulation are meaningless, as are neighbors and forces near the slab's
    /// borders and forces toward targets in other slabs. So are forces toward places in a formation
    /// before the first step, and from a change of agents or scene until the next step, because
    /// only the slab's own agents are numbered. Call this function only between steps: it discards
    /// the ghosts until the next step.
    pub fn simulation(&mut self) -> &Simulation {
        if self.own != (0..self.local.len()) {
            self.drop_ghosts();
        }
        &self.local
    }

    fn drop_ghosts(&mut self) {
        let local = &mut self.local;
        local.state.motion.keep(self.own.clone());
        local.state.attributes.keep(self.own.clone());
        local.state.ids.outdate_slots();
        local.workspace.agents_moved();
        self.own = 0..local.len();
    }

    pub(super) fn change<R>(&mut self, change: impl FnOnce(&mut Simulation) -> R) -> R {
        self.drop_ghosts();
        let local = &mut self.local;
        let result = change(local);
        local.state.ids.outdate_slots();
        self.numbered &= local.workspace.formation.current().is_some();
        let Setting { scene, space, .. } = &local.setting;
        self.sorted.surroundings.shared_targets = shared_targets(scene, space);
        self.sorted.surroundings.own_targets.clear();
        self.own = 0..local.len();
        self.changed = true;
        self.scattered = true;
        result
    }
}

/// Looks up every agent of the slab in an ordered map of `ids`. The map usually has one entry,
/// so a hash map would be slower.
fn slots_of<'a, V: Copy>(
    simulation: &'a Simulation,
    ids: &[AgentId],
    values: &[V],
) -> impl Iterator<Item = (usize, V)> + use<'a, V> {
    let named: BTreeMap<u32, V> =
        ids.iter().map(|id| id.index).zip(values.iter().copied()).collect();
    let slots = (0..).zip(&simulation.state.attributes.index);
    slots.filter_map(move |(slot, index)| Some((slot, *named.get(index)?)))
}
