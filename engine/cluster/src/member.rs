//! One rank of a crowd: its slab, stepped together with all others.

use std::path::Path;
use std::time::{Duration, Instant};

use flockwork::slab::{Edit, Refusal, Slab};
use flockwork::{AgentId, Property, Scene, Simulation, Spawn, Target};

use crate::agree::agree;
use crate::checkpoint::{self, Checkpoint};
use crate::failure::Failure;
use crate::post::Post;
use crate::transport::Transport;

/// What a rank says that takes the step but wants to stop: more than any reason to refuse it.
const STOP: u64 = u64::MAX - 1;

/// The time that a rank's steps took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// In total.
    pub total: Duration,
    /// Waiting for other ranks.
    pub waiting: Duration,
    /// Passing messages on, without waiting.
    pub exchanging: Duration,
}

/// One rank of a crowd. All ranks call the same functions in the same order.
#[derive(Debug)]
pub struct Member<'t, T> {
    slab: Slab,
    post: Post<'t, T>,
    times: Times,
    /// Whether this rank wants to stop, and whether some rank wanted to before the latest step.
    stop: (bool, bool),
    /// Working memory.
    costs: Vec<u64>,
}

impl<'t, T: Transport> Member<'t, T> {
    /// This rank's part of a scene's crowd at its start.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks, for those of [`Scene::build`].
    pub fn new(scene: &Scene, transport: &'t mut T) -> Result<Self, Failure> {
        let slab = Slab::new(scene, transport.rank(), transport.ranks());
        let slab = agree(slab, transport)??;
        Ok(Self::from_slab(slab, transport))
    }

    /// This rank's part of a crowd that was saved by any number of ranks.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks, if a part that one of them needs cannot be read, or if the
    /// parts are not of the state that the manifest names.
    pub fn resume(checkpoint: &Checkpoint, transport: &'t mut T) -> Result<Self, Failure> {
        let slab = checkpoint.slab(transport.rank(), transport.ranks());
        let slab = agree(slab, transport)??;
        let mut member = Self::from_slab(slab, transport);
        // No rank has read all parts: only together they can tell.
        let hash = member.state_hash()?;
        agree(checkpoint.check_state(hash), member.transport())??;
        Ok(member)
    }

    /// The rank that steps this slab.
    pub fn from_slab(slab: Slab, transport: &'t mut T) -> Self {
        let post = Post::new(transport);
        Self { slab, post, times: Times::default(), stop: (false, false), costs: Vec::new() }
    }

    /// Its slab.
    #[must_use]
    pub fn slab(&self) -> &Slab {
        &self.slab
    }

    /// Its transport.
    pub fn transport(&mut self) -> &mut T {
        self.post.transport
    }

    /// The time that its steps took so far.
    #[must_use]
    pub fn times(&self) -> Times {
        self.times
    }

    /// Lets all ranks know, with the next step, that this one wants to stop.
    pub fn ask_to_stop(&mut self) {
        self.stop.0 = true;
    }

    /// Whether some rank asked to stop before the latest step: the same on all ranks.
    #[must_use]
    pub fn asked_to_stop(&self) -> bool {
        self.stop.1
    }

    /// Takes one step.
    ///
    /// # Errors
    /// [`Failure::Refused`] where a crowd on one host refuses it, [`Failure::Lost`] if a rank is gone.
    pub fn step(&mut self) -> Result<(), Failure> {
        self.step_with(|_| None)
    }

    /// Takes one step, with the borders that `borders` gives for the number of rows, if any: see
    /// [`Slab::set_borders`]. They do not change the result.
    ///
    /// # Errors
    /// As [`Self::step`]; and if they are not borders.
    pub fn step_with(
        &mut self,
        borders: impl FnOnce(u32) -> Option<Vec<u32>>,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let (waited, exchanged) = (self.post.transport.waited(), self.post.spent);
        self.draw_borders(borders)?;
        self.migrate()?;
        self.find_own_targets()?;
        let refusal = self.steer()?;
        self.settle(refusal)?;
        self.push_apart()?;
        let waiting = self.post.transport.waited() - waited;
        let exchanging = (self.post.spent - exchanged).saturating_sub(waiting);
        let spent = start.elapsed();
        self.slab.finish(spent.saturating_sub(waiting + exchanging));
        self.times.total += start.elapsed();
        self.times.waiting += waiting;
        self.times.exchanging += exchanging;
        Ok(())
    }

    /// Shared targets, and the borders of the step.
    fn draw_borders(
        &mut self,
        borders: impl FnOnce(u32) -> Option<Vec<u32>>,
    ) -> Result<(), Failure> {
        if self.slab.has_targets() {
            let Post { transport, inbox, .. } = &mut self.post;
            transport.all_gather(self.slab.target_poses(), inbox)?;
            self.slab.set_target_poses(inbox);
        }
        if self.slab.begin() {
            self.slab.row_costs(&mut self.costs);
            self.post.transport.sum(&mut self.costs)?;
            self.slab.balance(&self.costs);
        }
        if let Some(borders) = borders(self.slab.all_rows()) {
            self.slab.set_borders(&borders)?;
        }
        Ok(())
    }

    /// Agents that change ranks, and then the number of copies that each rank lends to others.
    fn migrate(&mut self) -> Result<(), Failure> {
        let Self { slab, post, .. } = self;
        let mut out = post.outbox();
        slab.leavers(&mut out)?;
        post.expect(out.messages().map(|message| message.to));
        post.pass_on(out)?;

        slab.arrive(post.received());

        post.expect(slab.lenders().iter().copied());
        let mut out = post.outbox();
        slab.count_lent(&mut out);
        post.pass_on(out)?;
        slab.make_room(post.received());
        Ok(())
    }

    fn find_own_targets(&mut self) -> Result<(), Failure> {
        let Self { slab, post, .. } = self;
        if !slab.has_own_targets() {
            return Ok(());
        }
        let number = slab.number();
        post.expect((0..slab.slabs()).filter(|&rank| rank != number));
        let mut out = post.outbox();
        slab.ask_directory(&mut out);
        post.pass_on(out)?;
        let mut out = post.outbox();
        slab.ask_owners(post.received(), &mut out);
        post.pass_on(out)?;
        let mut out = post.outbox();
        slab.answer(post.received(), &mut out);
        post.pass_on(out)?;
        slab.take_answers(post.received());
        Ok(())
    }

    /// Copies travel while inner rows are steered. Returns why this rank refuses the step.
    fn steer(&mut self) -> Result<Option<Refusal>, Failure> {
        let Self { slab, post, .. } = self;
        post.expect_pieces(slab.lenders().iter().map(|&from| (from, slab.pieces_from(from)[0])));
        let mut out = post.outbox();
        let mut steering = slab.steer(&mut out);
        post.pass_on_while(out, &mut || steering.stretch())?;
        let steered = steering.finish();
        Ok(slab.steer_outer(steered, post.received()))
    }

    /// All ranks take the step, or none does.
    fn settle(&mut self, refusal: Option<Refusal>) -> Result<(), Failure> {
        let accepted = if self.stop.0 { STOP } else { u64::MAX };
        let key = refusal.as_ref().map_or(accepted, |refusal| refusal.key);
        let least = self.post.transport.least(key)?;
        self.slab.settle(least < STOP);
        if least >= STOP {
            self.stop.1 = least == STOP;
            return Ok(());
        }
        let here = refusal.filter(|refusal| refusal.key == least);
        let settled = here.map_or(Ok(()), |refusal| Err(refusal.error));
        Ok(agree(settled, self.post.transport)??)
    }

    fn push_apart(&mut self) -> Result<(), Failure> {
        let Self { slab, post, .. } = self;
        for iteration in 0..slab.pushes() {
            let lenders = slab.lenders().iter();
            post.expect_pieces(lenders.map(|&from| (from, slab.pieces_from(from)[1])));
            let mut out = post.outbox();
            slab.positions(&mut out);
            post.pass_on(out)?;
            slab.push_apart(iteration, post.received());
        }
        Ok(())
    }

    /// The state hash of the whole crowd: that of one host.
    ///
    /// # Errors
    /// [`Failure::Lost`] if a rank is gone.
    pub fn state_hash(&mut self) -> Result<u64, Failure> {
        let mut sum = [self.slab.hash_share()];
        self.post.transport.sum(&mut sum)?;
        Ok(self.slab.state_hash(sum[0]))
    }

    /// Saves a checkpoint in a folder of this directory.
    ///
    /// # Errors
    /// [`Failure::Refused`] on all ranks if one cannot write its part: see [`checkpoint::save`].
    pub fn save(&mut self, directory: &Path) -> Result<(), Failure> {
        let hash = self.state_hash()?;
        checkpoint::save(directory, &self.slab, hash, self.post.transport)
    }

    /// The agents that this rank owns, to be asked: see [`Slab::crowd`].
    pub fn crowd(&mut self) -> &Simulation {
        self.slab.crowd()
    }

    /// Adds an agent: see [`Slab::spawn_many`].
    ///
    /// # Errors
    /// Those of [`Slab::spawn_many`], on all ranks.
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
    /// Those of [`Slab::spawn_many`], on all ranks.
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
    /// [`NoSuchAgent`](flockwork::ErrorKind::NoSuchAgent) on all ranks.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Failure> {
        self.remove_many(&[id])
    }

    /// Removes several agents, whichever ranks own them, with two exchanges in all.
    ///
    /// # Errors
    /// [`NoSuchAgent`](flockwork::ErrorKind::NoSuchAgent) if one was already removed,
    /// [`OutOfRange`](flockwork::ErrorKind::OutOfRange) if one is given twice, on all ranks; then
    /// nothing changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Failure> {
        let Self { slab, post, .. } = self;
        post.transport.all_gather(slab.holding(ids), &mut post.inbox)?;
        let removal = slab.removal(ids, &post.inbox)?;
        let number = slab.number();
        post.expect((0..slab.slabs()).filter(|&rank| rank != number));
        let mut out = post.outbox();
        slab.movers(&removal, &mut out);
        post.pass_on(out)?;
        slab.remove(removal, post.received());
        Ok(())
    }

    /// Sets an agent's velocity, whichever rank owns it: see [`Slab::set_velocity`].
    ///
    /// # Errors
    /// Those of [`Slab::set_velocity`], on all ranks.
    pub fn set_velocity(&mut self, id: AgentId, velocity: [f32; 2]) -> Result<(), Failure> {
        let set = self.slab.set_velocity(id, velocity);
        Ok(agree(set, self.post.transport)??)
    }

    /// Writes a property of an agent: see [`Slab::set`].
    ///
    /// # Errors
    /// Those of [`Slab::set`], on all ranks.
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Failure> {
        self.set_many(property, &[id], &[value])
    }

    /// Writes a property of several agents: see [`Slab::set_many`].
    ///
    /// # Errors
    /// Those of [`Slab::set_many`], on all ranks.
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
    /// Those of [`Slab::set_own_target`], on all ranks.
    pub fn set_own_target(
        &mut self,
        id: AgentId,
        target: impl Into<Target>,
    ) -> Result<(), Failure> {
        Ok(self.slab.set_own_target(id, target)?)
    }

    /// Makes agents members of another species: see [`Slab::change_species`].
    ///
    /// # Errors
    /// Those of [`Slab::change_species`], on all ranks.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Failure> {
        Ok(self.slab.change_species(ids, species)?)
    }

    /// Changes the crowd, the same on all ranks, or how this rank computes, which changes nothing in
    /// the result.
    ///
    /// # Errors
    /// Those of [`Slab::edit`], on all ranks: [`Failure::Refused`] if the threads of one cannot be
    /// started, or if its processor lacks the level.
    pub fn edit(&mut self, edit: Edit<'_>) -> Result<(), Failure> {
        let edited = self.slab.edit(edit);
        match edit {
            Edit::Threads(_) | Edit::Level(_) => Ok(agree(edited, self.post.transport)??),
            _ => Ok(edited?),
        }
    }
}
