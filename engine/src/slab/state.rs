use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use crate::crowd::sorted_copy::SortedCopy;
use crate::crowd::target::Pose;
use crate::error::Error;
use crate::math::fixed;
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::simulation::agents::Agents;
use crate::simulation::build::agents_of_part;
use crate::slab::borders::Borders;
use crate::slab::exchange::Exchange;
use crate::slab::halo::{Halo, deepest};
use crate::slab::post::{Mail, Post};
use crate::snapshot::Snapshot;
use crate::snapshot::part::SnapshotPart;

const MAX_SLABS: usize = 1 << 20;

/// A part of a crowd: the agents in consecutive rows of the grid. A new slab steps on the caller's
/// thread; [`Self::set_execution`] gives it more threads.
#[derive(Debug)]
pub struct Slab {
    pub(super) local: Simulation,
    /// Sorted copy with ghosts, for steps. Queries rebuild the copy in `local` without ghosts.
    pub(super) sorted: SortedCopy,
    pub(super) own: Range<usize>,
    pub(super) number: usize,
    pub(super) agents: usize,
    pub(super) borders: Borders,
    pub(super) halo: Halo,
    /// True if this slab's agents may be in any slab's rows, not only in nearby slabs' rows.
    pub(super) scattered: bool,
    /// True if the halo must be recomputed, because the crowd has been edited.
    pub(super) changed: bool,
    /// Slabs with which this slab can exchange agents in one step.
    pub(super) near: Vec<usize>,
    pub(super) leavers: Vec<Vec<u32>>,
    /// Messages to all slabs, indexed by receiver.
    pub(super) messages: Vec<Vec<u8>>,
    pub(super) mail: Mail,
    pub(super) directory: Directory,
    /// True if `Workspace::formation` numbers the agents of all slabs. After the population
    /// changes, a query numbers only this slab's agents.
    pub(super) numbered: bool,
    /// Computing time per agent per step, in picoseconds, averaged over recent steps.
    pub(super) cost: u64,
    /// Scratch memory: rows or cells of agents, or counts of ghosts.
    pub(super) words: Vec<u32>,
    pub(super) row_costs: Vec<u64>,
    pub(super) asks_to_stop: bool,
    pub(super) asked_to_stop: bool,
}

#[derive(Debug, Default)]
pub(super) struct Directory {
    pub(super) indices_per_slab: usize,
    pub(super) owners: Vec<u32>,
    pub(super) slots: HashMap<u32, u32>,
    pub(super) wanted: Vec<u32>,
    pub(super) poses: HashMap<u32, Pose<f32>>,
}

impl Slab {
    /// Divides a scene's initial crowd into `slabs` slabs and builds slab `number`, counted from 0.
    ///
    /// # Errors
    /// The same errors as [`Scene::build`]. Also an error if `slabs` is outside 1 to 1,048,576
    /// or `number` is not below `slabs`.
    pub fn new(scene: &Scene, number: usize, slabs: usize) -> Result<Self, Error> {
        Self::check(number, slabs)?;
        let local = Simulation::part(scene, number, slabs)?;
        Ok(Self::from_simulation(local, scene.agents_at_start(), number, slabs))
    }

    /// The initial agents of slab `number` of `slabs`, as a range of the whole crowd's slots.
    ///
    /// # Errors
    /// If no slab has this number.
    pub fn share(agents: usize, number: usize, slabs: usize) -> Result<Range<usize>, Error> {
        Self::check(number, slabs)?;
        Ok(agents_of_part(agents, number, slabs))
    }

    /// Resumes a slab from saved parts, each with the range of agents to take from it.
    /// Concatenated, these agents must be the slab's [`Self::share`] of the crowd.
    ///
    /// # Errors
    /// [`Snapshot`](crate::ErrorKind::Snapshot) if the parts belong to different states;
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if there are more or fewer agents than the
    /// slab's share (which agents they are is not checked), or if no slab has this number; [`Memory`](crate::ErrorKind::Memory) if there is not
    /// enough memory.
    pub fn resume<'a>(
        parts: impl IntoIterator<Item = (&'a SnapshotPart, Range<usize>)>,
        number: usize,
        slabs: usize,
    ) -> Result<Self, Error> {
        let mut crowd_len = 0;
        let parts = parts.into_iter().inspect(|(part, _)| crowd_len = part.crowd_len());
        let gathered = SnapshotPart::gathered(parts)?;
        let share = Self::share(crowd_len, number, slabs)?;
        match gathered.filter(|agents| agents.len() == share.len()) {
            Some(agents) => {
                let local = agents.build_on_one_thread()?;
                Ok(Self::from_simulation(local, crowd_len, number, slabs))
            }
            None => {
                let allowed = format!("exactly agents {share:?} of {crowd_len}");
                Err(Error::refused("parts", format!("the parts of slab {number}"), allowed))
            }
        }
    }

    /// Builds slab `number` of `slabs` from the snapshot of a whole crowd.
    ///
    /// # Errors
    /// [`Memory`](crate::ErrorKind::Memory) if there is not enough memory;
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if no slab has this number.
    pub fn from_snapshot(snapshot: &Snapshot, number: usize, slabs: usize) -> Result<Self, Error> {
        let agents = snapshot.len();
        let own_state = snapshot.state.part(Self::share(agents, number, slabs)?, 0);
        let local = snapshot.with(own_state).build_on_one_thread()?;
        Ok(Self::from_simulation(local, agents, number, slabs))
    }

    fn check(number: usize, slabs: usize) -> Result<(), Error> {
        if !(1..=MAX_SLABS).contains(&slabs) {
            return Err(Error::refused("slabs", slabs, format!("from 1 to {MAX_SLABS}")));
        }
        if number >= slabs {
            let allowed = format!("below {slabs}, the number of slabs");
            return Err(Error::refused("number", number, allowed));
        }
        Ok(())
    }

    fn from_simulation(local: Simulation, agents: usize, number: usize, slabs: usize) -> Self {
        Self {
            own: 0..local.len(),
            sorted: local.new_copy(),
            local,
            number,
            agents,
            borders: Borders(vec![0; slabs + 1]),
            halo: Halo::default(),
            scattered: true,
            changed: true,
            near: Vec::new(),
            leavers: vec![Vec::new(); slabs],
            messages: vec![Vec::new(); slabs],
            mail: Mail::default(),
            directory: Directory::default(),
            numbered: false,
            cost: 1,
            words: Vec::new(),
            row_costs: Vec::new(),
            asks_to_stop: false,
            asked_to_stop: false,
        }
    }

    /// This slab's part of a snapshot of the crowd.
    #[must_use]
    pub fn part(&self) -> SnapshotPart {
        let agents = self.local.snapshot_of(self.own.clone());
        SnapshotPart { agents, index: self.number, parts: self.slabs(), of: self.agents }
    }

    /// The number of this slab, from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// The number of slabs that the crowd is divided into.
    #[must_use]
    pub fn slabs(&self) -> usize {
        self.messages.len()
    }

    /// The number of agents in the whole crowd, not just in this slab.
    #[must_use]
    pub fn crowd_len(&self) -> usize {
        self.agents
    }

    /// The number of agents that this slab owns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// True if this slab owns no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// The number of ghosts in the latest step.
    #[must_use]
    pub fn ghosts(&self) -> usize {
        self.halo.ghosts.iter().map(|ghosts| ghosts.slots.len()).sum()
    }

    /// The grid rows that this slab owns.
    #[must_use]
    pub fn rows(&self) -> Range<u32> {
        self.borders.rows_of(self.number)
    }

    /// The number of rows in the whole grid, or 0 before the first step.
    #[must_use]
    pub fn all_rows(&self) -> u32 {
        self.borders.rows()
    }

    /// Depth of the halo in the latest step: the maximum distance of ghosts from the slab's own
    /// rows, in rows. The halo may be shallower for some species.
    #[must_use]
    pub fn reach(&self) -> u32 {
        let own_depths = self.halo.depths.get(self.number);
        own_depths.map_or(0, |depths| deepest(depths).into_iter().fold(0, u32::max))
    }

    /// The scene, including all parameter changes since the start.
    pub fn scene(&self) -> &Scene {
        self.local.scene()
    }

    /// The number of steps since the scene started. Resuming from a snapshot continues the count.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.local.tick()
    }

    /// State of the agents that this slab owns: a contiguous slice of the whole crowd's state.
    #[must_use]
    pub fn agents(&self) -> Agents<'_> {
        self.local.agents_in(self.own.clone())
    }

    /// Bytes sent per ghost per step, not counting the positions sent before each pushing pass.
    #[must_use]
    pub fn bytes_per_ghost(&self) -> usize {
        let state = &self.local.state;
        let columns = self.halo.columns.columns(&state.motion, &state.attributes);
        columns.iter().map(|column| column.size).sum()
    }

    /// Time that the latest step spent communicating: exchanging messages and waiting for other
    /// slabs, without the computation done meanwhile.
    #[must_use]
    pub fn communicating(&self) -> Duration {
        self.mail.spent
    }

    /// Asks all slabs to stop: after the next step, [`Self::asked_to_stop`] is true on all slabs.
    pub fn ask_to_stop(&mut self) {
        self.asks_to_stop = true;
    }

    /// True if any slab requested a stop before the latest step. All slabs get the same result.
    #[must_use]
    pub fn asked_to_stop(&self) -> bool {
        self.asked_to_stop
    }

    /// The whole crowd's state hash, equal to [`Simulation::state_hash`] of the undivided crowd.
    ///
    /// # Errors
    /// If a slab is no longer running.
    pub fn state_hash<X: Exchange>(&self, exchange: &mut X) -> Result<u64, X::Lost> {
        let mut sum =
            [self.local.state.sum_of_hashes(self.own.clone(), &self.local.setting.species)];
        exchange.sum(&mut sum)?;
        Ok(self.local.state.hash(sum[0], self.agents))
    }

    /// Alignment of the whole crowd: see [`Simulation::alignment_order`].
    ///
    /// # Errors
    /// If a slab is no longer running.
    pub fn alignment_order<X: Exchange>(&self, exchange: &mut X) -> Result<f64, X::Lost> {
        let headings = self.local.state.motion.heading.rows(self.own.clone());
        let mut total = fixed::total(headings).map(i64::cast_unsigned);
        exchange.sum(&mut total)?;
        Ok(fixed::order(total.map(u64::cast_signed), self.agents))
    }

    /// Runs `talk` with message buffers that are reused between calls.
    pub(super) fn through<X: Exchange, R>(
        &mut self,
        exchange: &mut X,
        talk: impl FnOnce(&mut Self, &mut Post<'_, X>) -> R,
    ) -> R {
        let mut post = Post { exchange, mail: std::mem::take(&mut self.mail) };
        post.mail.spent = Duration::ZERO;
        let result = talk(self, &mut post);
        self.mail = post.mail;
        result
    }
}
