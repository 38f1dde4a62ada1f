//! One rank of a crowd: steps its slab together with all other ranks.

use std::path::Path;
use std::time::{Duration, Instant};

use flockwork::slab::{Slab, agree};
use flockwork::{AgentId, Execution, Property, Scene, Simulation, Spawn, Target};

use crate::checkpoint::{self, Checkpoint};
use crate::failure::Failure;
use crate::transport::Transport;

/// Wall-clock times, summed over all steps of a rank.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Total time, including exchanging messages and waiting.
    pub total: Duration,
    /// Time spent waiting for other ranks.
    pub waiting: Duration,
    /// Time spent exchanging messages, excluding waiting.
    pub exchanging: Duration,
}

/// Steps one slab of a crowd in lockstep with the other ranks. All ranks must call the same
/// functions in the same order.
#[derive(Debug)]
pub struct Rank<'t, T> {
    slab: Slab,
    transport: &'t mut T,
    times: Times,
}

impl<'t, T: Transport> Rank<'t, T> {
    /// Creates this rank's share of a scene's initial crowd.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks, with the error from [`Scene::build`].
    pub fn new(scene: &Scene, transport: &'t mut T) -> Result<Self, Failure> {
        let slab = Slab::new(scene, transport.rank(), transport.ranks());
        let slab = agree(slab, transport)??;
        Ok(Self::from_slab(slab, transport))
    }

    /// Resumes this rank's share of a saved crowd. Any number of ranks may have saved the crowd.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks, if a rank cannot read a part that it needs,
    /// or if the state hash differs from the manifest's.
    pub fn resume(checkpoint: &Checkpoint, transport: &'t mut T) -> Result<Self, Failure> {
        let slab = checkpoint.slab(transport.rank(), transport.ranks());
        let slab = agree(slab, transport)??;
        let mut rank = Self::from_slab(slab, transport);
        // No rank has read all parts, so only the combined hash of all ranks can be checked.
        let hash = rank.state_hash()?;
        agree(checkpoint.check_state(hash), rank.transport())??;
        Ok(rank)
    }

    /// Creates a rank from its slab. Unlike [`Self::new`], sends no messages.
    pub fn from_slab(slab: Slab, transport: &'t mut T) -> Self {
        Self { slab, transport, times: Times::default() }
    }

    /// Read-only access to the agents that this rank steps.
    #[must_use]
    pub fn slab(&self) -> &Slab {
        &self.slab
    }

    /// Connection to the other ranks. Between steps, it can carry the caller's own messages.
    pub fn transport(&mut self) -> &mut T {
        self.transport
    }

    /// Total, waiting and exchange times, summed over all steps so far.
    #[must_use]
    pub fn times(&self) -> Times {
        self.times
    }

    /// Asks all ranks to stop: after the next step, [`Self::asked_to_stop`] is true on all ranks.
    pub fn ask_to_stop(&mut self) {
        self.slab.ask_to_stop();
    }

    /// True if any rank requested a stop before the latest step. All ranks get the same result.
    #[must_use]
    pub fn asked_to_stop(&self) -> bool {
        self.slab.asked_to_stop()
    }

    /// Takes one step.
    ///
    /// # Errors
    /// [`Failure::Refused`] if the step would also fail on one host,
    /// [`Failure::Lost`] if a rank is no longer running.
    pub fn step(&mut self) -> Result<(), Failure> {
        self.step_with(|_| None)
    }

    /// Takes one step, optionally with new borders between slabs: see [`Slab::step_with`].
    ///
    /// # Errors
    /// The same errors as [`Self::step`]; [`Failure::Refused`] if the borders are unsound.
    pub fn step_with(
        &mut self,
        borders: impl FnOnce(u32) -> Option<Vec<u32>>,
    ) -> Result<(), Failure> {
        let (start, waited) = (Instant::now(), self.transport.waited());
        self.slab.step_with(self.transport, borders)??;
        let waiting = self.transport.waited() - waited;
        self.times.total += start.elapsed();
        self.times.waiting += waiting;
        self.times.exchanging += self.slab.communicating().saturating_sub(waiting);
        Ok(())
    }

    /// The state hash of the whole crowd, equal to the hash on one host.
    ///
    /// # Errors
    /// [`Failure::Lost`] if a rank is no longer running.
    pub fn state_hash(&mut self) -> Result<u64, Failure> {
        Ok(self.slab.state_hash(self.transport)?)
    }

    /// Saves a checkpoint in a subfolder of `directory`.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks if a rank cannot write its part: see [`checkpoint::save`].
    pub fn save(&mut self, directory: &Path) -> Result<(), Failure> {
        let hash = self.state_hash()?;
        checkpoint::save(directory, &self.slab, hash, self.transport)
    }

    /// The agents that this rank owns, for queries: see [`Slab::crowd`].
    pub fn crowd(&mut self) -> &Simulation {
        self.slab.crowd()
    }

    /// Adds an agent: see [`Slab::spawn_many`].
    ///
    /// # Errors
    /// The same errors as [`Slab::spawn_many`], on all ranks.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Failure> {
        Ok(self.spawn_many(species, &Spawn::at(&[position]).headings(&[heading]))?[0])
    }

    /// Adds agents: see [`Slab::spawn_many`].
    ///
    /// # Errors
    /// The same errors as [`Slab::spawn_many`], on all ranks.
    pub fn spawn_many(
        &mut self,
        species: &str,
        spawn: &Spawn<'_>,
    ) -> Result<Vec<AgentId>, Failure> {
        Ok(self.slab.spawn_many(species, spawn)?)
    }

    /// Removes an agent, whichever rank owns it.
    ///
    /// # Errors
    /// On all ranks: [`NoSuchAgent`](flockwork::ErrorKind::NoSuchAgent) if the agent is gone.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Failure> {
        self.remove_many(&[id])
    }

    /// Removes agents, whichever ranks own them. Takes two exchanges for any number of agents.
    ///
    /// # Errors
    /// On all ranks: [`NoSuchAgent`](flockwork::ErrorKind::NoSuchAgent) if an agent was
    /// already removed, [`OutOfRange`](flockwork::ErrorKind::OutOfRange) if an id appears
    /// twice. In either case, nothing changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Failure> {
        Ok(self.slab.remove_many(self.transport, ids)??)
    }

    /// Sets the velocity of an agent, whichever rank owns it: see [`Slab::set_velocity`].
    ///
    /// # Errors
    /// The same errors as [`Slab::set_velocity`], on all ranks.
    pub fn set_velocity(&mut self, id: AgentId, velocity: [f32; 2]) -> Result<(), Failure> {
        Ok(self.slab.set_velocity(self.transport, id, velocity)??)
    }

    /// Sets a property of an agent: see [`Slab::set`].
    ///
    /// # Errors
    /// The same errors as [`Slab::set`], on all ranks.
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Failure> {
        self.set_many(property, &[id], &[value])
    }

    /// Sets one property of many agents: see [`Slab::set_many`].
    ///
    /// # Errors
    /// The same errors as [`Slab::set_many`], on all ranks.
    pub fn set_many<P: Property>(
        &mut self,
        property: P,
        ids: &[AgentId],
        values: &[P::Value],
    ) -> Result<(), Failure> {
        Ok(self.slab.set_many(property, ids, values)?)
    }

    /// Sets or clears an agent's own target: see [`Slab::set_own_target`].
    ///
    /// # Errors
    /// The same errors as [`Slab::set_own_target`], on all ranks.
    pub fn set_own_target(
        &mut self,
        id: AgentId,
        target: impl Into<Target>,
    ) -> Result<(), Failure> {
        Ok(self.slab.set_own_target(id, target)?)
    }

    /// Changes the species of agents: see [`Slab::change_species`].
    ///
    /// # Errors
    /// The same errors as [`Slab::change_species`], on all ranks.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Failure> {
        Ok(self.slab.change_species(ids, species)?)
    }

    /// Changes the scene: see [`Slab::edit`]. All ranks must make the same changes.
    ///
    /// # Errors
    /// The same errors as [`Slab::edit`], on all ranks.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Scene)) -> Result<(), Failure> {
        Ok(self.slab.edit(edit)?)
    }

    /// Moves a named point: see [`Slab::set_point`]. All ranks must make the same changes.
    ///
    /// # Errors
    /// The same errors as [`Slab::set_point`], on all ranks.
    pub fn set_point(&mut self, name: &str, to: [f32; 2]) -> Result<(), Failure> {
        Ok(self.slab.set_point(name, to)?)
    }

    /// How this rank's steps are computed.
    pub fn execution(&self) -> Execution {
        self.slab.execution()
    }

    /// Sets how this rank's steps are computed. All ranks must call it, but each with its own
    /// settings.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks, if the threads of a rank cannot be started
    /// or its processor does not support the level.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Failure> {
        let set = self.slab.set_execution(execution);
        Ok(agree(set, self.transport)??)
    }
}
