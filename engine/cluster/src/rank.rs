//! One rank of a crowd: steps its slab together with all other ranks.

use std::path::Path;
use std::time::{Duration, Instant};

use flockwork::slab::{Slab, agree};
use flockwork::{AgentId, Execution, Point, Scene};

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

    /// Access to this rank's slab: for changes that need no messages, such as [`Slab::spawn_many`]
    /// and [`Slab::edit`], and for queries about this rank's agents. All ranks must make the same
    /// changes.
    pub fn slab_mut(&mut self) -> &mut Slab {
        &mut self.slab
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
    /// The same errors as [`Self::step`]; [`Failure::Refused`] if the borders are invalid.
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
    pub fn set_velocity(&mut self, id: AgentId, velocity: impl Into<Point>) -> Result<(), Failure> {
        Ok(self.slab.set_velocity(self.transport, id, velocity)??)
    }

    /// Sets how this rank's steps are computed. All ranks must call this function, but may pass
    /// different settings.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks, if the threads of a rank cannot be started
    /// or its processor does not support the level.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Failure> {
        let set = self.slab.set_execution(execution);
        Ok(agree(set, self.transport)??)
    }
}
