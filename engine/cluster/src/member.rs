//! One rank of a crowd: its slab, stepped together with all others.

use std::path::Path;
use std::time::{Duration, Instant};

use flockwork::cpu::Level;
use flockwork::slab::{Holding, Message, Received, Slab};
use flockwork::{AgentId, Error, Method, Partition, Scene, Species};

use crate::checkpoint::{self, Checkpoint, CheckpointError};
use crate::transport::{Incoming, Lost, Outgoing, Transport};

/// Why a crowd cannot do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine refuses it, on all ranks alike.
    #[error(transparent)]
    Engine(#[from] Error),
    /// A step is refused for what happens on some rank. The state stays as it was, on all ranks.
    #[error("rank {rank}: {message}")]
    Refused {
        /// The rank that owns the agent.
        rank: usize,
        /// The error of a crowd on one host.
        message: String,
    },
    /// A rank is gone.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// A checkpoint is not written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// What steps of a rank took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// In all.
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
    transport: &'t mut T,
    /// The latest message from each rank.
    inbox: Vec<Vec<u8>>,
    times: Times,
    /// Time spent in exchanges, computing in them not counted.
    exchanged: Duration,
}

impl<'t, T: Transport> Member<'t, T> {
    /// This rank's part of a scene's crowd at its start.
    ///
    /// # Errors
    /// Those of [`Scene::build`].
    pub fn new(scene: &Scene, transport: &'t mut T) -> Result<Self, Failure> {
        let slab = Slab::new(scene, transport.rank(), transport.ranks())?;
        Ok(Self::of(slab, transport))
    }

    /// This rank's part of a crowd that was saved by any number of ranks.
    ///
    /// # Errors
    /// If a part that it needs cannot be read.
    pub fn resume(checkpoint: &Checkpoint, transport: &'t mut T) -> Result<Self, Failure> {
        let slab = checkpoint.slab(transport.rank(), transport.ranks())?;
        Ok(Self::of(slab, transport))
    }

    /// The rank that steps this slab.
    pub fn of(slab: Slab, transport: &'t mut T) -> Self {
        let inbox = vec![Vec::new(); transport.ranks()];
        let (times, exchanged) = (Times::default(), Duration::ZERO);
        Self { slab, transport, inbox, times, exchanged }
    }

    /// Its slab.
    #[must_use]
    pub fn slab(&self) -> &Slab {
        &self.slab
    }

    /// What moves its bytes.
    pub fn transport(&mut self) -> &mut T {
        self.transport
    }

    /// What its steps took so far.
    #[must_use]
    pub fn times(&self) -> Times {
        self.times
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
        let (waited, exchanged) = (self.transport.waited(), self.exchanged);
        self.draw_borders(borders)?;
        self.migrate()?;
        self.make_room()?;
        self.find_own_targets()?;
        let refusal = self.steer()?;
        self.settle(refusal)?;
        self.push_apart()?;
        let waiting = self.transport.waited() - waited;
        let exchanging = (self.exchanged - exchanged).saturating_sub(waiting);
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
            let mut poses = std::mem::take(&mut self.inbox);
            self.transport.all_gather(self.slab.target_poses(), &mut poses)?;
            self.slab.set_target_poses(&poses);
            self.inbox = poses;
        }
        if self.slab.begin() {
            let mut costs = self.slab.row_costs();
            self.transport.sum(&mut costs)?;
            self.slab.balance(&costs);
        }
        if let Some(borders) = borders(self.slab.all_rows()) {
            self.slab.set_borders(&borders)?;
        }
        Ok(())
    }

    /// Agents that change ranks.
    fn migrate(&mut self) -> Result<(), Failure> {
        let Self { slab, transport, inbox, exchanged, .. } = self;
        let leavers = slab.leavers()?;
        let from: Vec<usize> = leavers.iter().map(|message| message.to).collect();
        pass_on(*transport, &leavers, &from, |_| 1, inbox, exchanged, &mut || false)?;
        let lenders = slab.lenders();
        let counts = slab.arrive(&received(&from, inbox));
        pass_on(*transport, &counts, &lenders, |_| 1, inbox, exchanged, &mut || false)?;
        Ok(())
    }

    fn make_room(&mut self) -> Result<(), Failure> {
        let lenders = self.slab.lenders();
        self.slab.make_room(&received(&lenders, &self.inbox));
        Ok(())
    }

    fn find_own_targets(&mut self) -> Result<(), Failure> {
        let Self { slab, transport, inbox, exchanged, .. } = self;
        if !slab.has_own_targets() {
            return Ok(());
        }
        let number = slab.number();
        let others: Vec<usize> = (0..slab.slabs()).filter(|&rank| rank != number).collect();
        let stages: [Stage; 3] = [
            |slab, _| slab.ask_homes(),
            |slab, received| slab.ask_owners(received),
            |slab, received| slab.answer(received),
        ];
        for stage in stages {
            let messages = stage(slab, &received(&others, inbox));
            pass_on(*transport, &messages, &others, |_| 1, inbox, exchanged, &mut || false)?;
        }
        slab.take_answers(&received(&others, inbox));
        Ok(())
    }

    /// Copies travel while inner rows are steered. Returns why this rank refuses the step.
    fn steer(&mut self) -> Result<Option<flockwork::slab::Refusal>, Failure> {
        let Self { slab, transport, inbox, exchanged, .. } = self;
        let lenders = slab.lenders();
        let pieces: Vec<usize> = lenders.iter().map(|&from| slab.pieces_from(from)[0]).collect();
        let pieces = |from| pieces[lenders.iter().position(|&other| other == from).unwrap_or(0)];
        let (copies, mut steering) = slab.steer();
        let mut stretch = || steering.stretch();
        pass_on(*transport, &copies, &lenders, pieces, inbox, exchanged, &mut stretch)?;
        let steered = steering.finish();
        Ok(slab.steer_outer(steered, &received(&lenders, inbox)))
    }

    /// All ranks take the step, or none does.
    fn settle(&mut self, refusal: Option<flockwork::slab::Refusal>) -> Result<(), Failure> {
        let key = refusal.as_ref().map_or(u64::MAX, |refusal| refusal.key);
        let least = self.transport.least(key)?;
        self.slab.settle(least < u64::MAX);
        if least == u64::MAX {
            return Ok(());
        }
        let here = refusal.filter(|refusal| refusal.key == least);
        let message = here.map_or(String::new(), |refusal| refusal.error.to_string());
        self.transport.all_gather(message.as_bytes(), &mut self.inbox)?;
        let mut messages = self.inbox.iter().enumerate();
        let (rank, message) =
            messages.find(|(_, message)| !message.is_empty()).expect("one rank has the least key");
        let message = String::from_utf8_lossy(message).into_owned();
        Err(Failure::Refused { rank, message })
    }

    fn push_apart(&mut self) -> Result<(), Failure> {
        let Self { slab, transport, inbox, exchanged, .. } = self;
        for iteration in 0..slab.pushes() {
            let lenders = slab.lenders();
            let pieces = |from| slab.pieces_from(from)[1];
            let positions = slab.positions();
            pass_on(*transport, &positions, &lenders, pieces, inbox, exchanged, &mut || false)?;
            slab.push_apart(iteration, &received(&lenders, inbox));
        }
        Ok(())
    }

    /// The state hash of the whole crowd: that of one host.
    ///
    /// # Errors
    /// [`Failure::Lost`] if a rank is gone.
    pub fn state_hash(&mut self) -> Result<u64, Failure> {
        let mut sum = [self.slab.hash_share()];
        self.transport.sum(&mut sum)?;
        Ok(self.slab.state_hash(sum[0]))
    }

    /// Saves a checkpoint in a folder of this directory.
    ///
    /// # Errors
    /// [`Failure::Checkpoint`] on all ranks if one cannot write its part.
    pub fn save(&mut self, directory: &Path) -> Result<(), Failure> {
        let hash = self.state_hash()?;
        Ok(checkpoint::save(directory, &self.slab, hash, self.transport)?)
    }

    /// Adds an agent: see [`Slab::spawn`].
    ///
    /// # Errors
    /// The same on all ranks.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Failure> {
        Ok(self.slab.spawn(species, position, heading)?)
    }

    /// Removes an agent, whichever rank owns it.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] on all ranks.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Failure> {
        let Holding { agents, owns } = self.slab.holding(id);
        let holding = [(agents as u64).to_le_bytes(), u64::from(owns).to_le_bytes()].concat();
        self.transport.all_gather(&holding, &mut self.inbox)?;
        let holdings: Vec<Holding> = self
            .inbox
            .iter()
            .map(|bytes| {
                let numbers = bytes.as_chunks().0;
                let [agents, owns] = [0, 1].map(|k| u64::from_le_bytes(numbers[k]));
                Holding { agents: agents as usize, owns: owns != 0 }
            })
            .collect();
        let moved = self.slab.remove(id, &holdings)?;
        // The crowd's last agent takes the place of the removed one.
        let last = holdings.iter().rposition(|holding| holding.agents > 0);
        let owner = holdings.iter().position(|holding| holding.owns);
        if let (Some(last), Some(owner)) = (last, owner)
            && last != owner
        {
            let Self { slab, transport, inbox, exchanged, .. } = self;
            let from = if slab.number() == owner { vec![last] } else { Vec::new() };
            let messages: Vec<Message<'_>> = moved
                .iter()
                .map(|(to, bytes)| Message { to: *to, pieces: vec![&bytes[..]] })
                .collect();
            pass_on(*transport, &messages, &from, |_| 1, inbox, exchanged, &mut || false)?;
            if slab.number() == owner {
                slab.replace(id, &inbox[last]);
            }
        }
        Ok(())
    }

    /// Changes the crowd, the same on all ranks: `change` is one of the functions of [`Slab`] that do.
    ///
    /// # Errors
    /// Those of `change`, on all ranks.
    pub fn change(
        &mut self,
        change: impl FnOnce(&mut Slab) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        Ok(change(&mut self.slab)?)
    }

    /// See [`Slab::set_species`].
    ///
    /// # Errors
    /// The same on all ranks.
    pub fn set_species(&mut self, species: &Species) -> Result<(), Failure> {
        self.change(|slab| slab.set_species(species))
    }

    /// How this rank computes: it changes nothing in the result.
    ///
    /// # Errors
    /// If the threads cannot be started, or if the processor lacks the level.
    pub fn set_up(
        &mut self,
        threads: usize,
        method: Option<Method>,
        partition: Partition,
        level: Option<Level>,
    ) -> Result<(), Failure> {
        self.slab.set_threads(threads)?;
        if let Some(level) = level {
            self.slab.set_level(level)?;
        }
        if let Some(method) = method {
            self.slab.set_method(method);
        }
        self.slab.set_partition(partition);
        Ok(())
    }
}

/// One of the stages in which own targets are found.
type Stage = for<'a> fn(&'a mut Slab, &[Received<'_>]) -> Vec<Message<'a>>;

/// What these ranks sent.
fn received<'a>(from: &[usize], inbox: &'a [Vec<u8>]) -> Vec<Received<'a>> {
    from.iter().map(|&from| Received { from, bytes: &inbox[from] }).collect()
}

/// Sends messages and receives one from each rank in `from`; meanwhile computes stretches.
fn pass_on<T: Transport>(
    transport: &mut T,
    messages: &[Message<'_>],
    from: &[usize],
    pieces: impl Fn(usize) -> usize,
    inbox: &mut [Vec<u8>],
    exchanged: &mut Duration,
    meanwhile: &mut dyn FnMut() -> bool,
) -> Result<(), Lost> {
    let start = Instant::now();
    let mut computed = Duration::ZERO;
    let outgoing: Vec<Outgoing<'_>> = messages
        .iter()
        .map(|message| Outgoing { to: message.to, pieces: &message.pieces })
        .collect();
    let expected = inbox.iter_mut().enumerate().filter(|(rank, _)| from.contains(rank));
    let mut incoming: Vec<Incoming<'_>> =
        expected.map(|(from, bytes)| Incoming { from, pieces: pieces(from), bytes }).collect();
    let done = transport.exchange(&outgoing, &mut incoming, &mut || {
        let start = Instant::now();
        let more = meanwhile();
        computed += start.elapsed();
        more
    });
    *exchanged += start.elapsed().saturating_sub(computed);
    done
}
