//! One step, top to bottom:
//!
//! ```text
//! sort into cells → steer (behaviors → combined force) → move (integrate, edge)
//! ```
//!
//! Steering and moving happen batch by batch while the batch's columns are in registers;
//! every batch reads the sorted snapshot and writes its own slots of the next state. Only
//! when all of it is sound does the next state become the state.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use wide::{f32x4, f32x8, f32x16};

use crate::columns::MotionSlices;
use crate::crowd::{Crowd, Partition};
use crate::error::Error;
use crate::grid::Runs;
use crate::kernels::locomotion::Moved;
use crate::kernels::{self, Batch};
use crate::lanes::{Lanes, MAX_WIDTH, Mask};
use crate::reference::{self, Agent};
use crate::simulation::{Method, Simulation};
use crate::species::Kind;
use crate::world::COORDINATE_LIMIT;

/// How long the stages of the last step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Sorting the crowd into cells.
    pub sort: Duration,
    /// Steering and moving every agent.
    pub steer: Duration,
}

impl Simulation {
    /// Takes one step of 1 / `steps_per_second` simulated seconds.
    ///
    /// # Errors
    /// [`Error::Runaway`] if an agent would leave ±[`COORDINATE_LIMIT`]; the state is then
    /// what it was before the step.
    pub fn step(&mut self) -> Result<(), Error> {
        self.run(1)
    }

    /// Takes `steps` steps.
    ///
    /// # Errors
    /// As [`Self::step`]; the steps before the refused one are taken.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        let workers = self.workers.for_crowd(self.len());
        let shared = workers.threads() > 1;
        workers.run(shared, |_| (0..steps).try_for_each(|_| self.step_on_workers()))
    }

    fn step_on_workers(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.sort();
        let sorted = Instant::now();
        self.steer_and_move()?;
        self.stage_times = StageTimes { sort: sorted - start, steer: sorted.elapsed() };
        self.tick += 1;
        Ok(())
    }

    /// Puts the crowd into cell order, unless it is already.
    pub(crate) fn sort(&mut self) {
        if self.sorted {
            return;
        }
        let workers = self.workers.for_crowd(self.len());
        self.sorter.sort(
            &workers,
            &mut self.grid,
            (&self.motion, &mut self.motion_next),
            (&self.traits, &mut self.traits_next),
        );
        std::mem::swap(&mut self.motion, &mut self.motion_next);
        std::mem::swap(&mut self.traits, &mut self.traits_next);
        self.roster.moved();
        self.sorted = true;
    }

    fn steer_and_move(&mut self) -> Result<(), Error> {
        let unsound = AtomicBool::new(false);
        let mut next = std::mem::take(&mut self.motion_next);
        next.resize_like(&self.motion);
        let crowd = self.crowd();
        let advance = match self.method {
            Method::Kernels(width) => match width.lanes() {
                4 => advance_batches::<f32x4>,
                8 => advance_batches::<f32x8>,
                _ => advance_batches::<f32x16>,
            },
            Method::Reference => advance_agents,
        };
        self.workers.for_crowd(crowd.len()).split(
            crowd.len(),
            next.slices_mut(),
            &|range: Range<usize>, out: MotionSlices<'_>| {
                if !advance(&crowd, range, out) {
                    unsound.store(true, Relaxed);
                }
            },
        );
        self.motion_next = next;
        if unsound.into_inner() {
            return Err(self.runaway());
        }
        std::mem::swap(&mut self.motion, &mut self.motion_next);
        self.sorted = false;
        Ok(())
    }

    /// The first agent, by id, that a refused step would have sent out of range.
    fn runaway(&self) -> Error {
        let next = &self.motion_next;
        let lost = |slot: &usize| {
            let inside = |value: f32| value.abs() <= COORDINATE_LIMIT;
            !(inside(next.x[*slot]) && inside(next.y[*slot]))
        };
        let slot = (0..self.len()).filter(lost).min_by_key(|&slot| self.traits.index[slot]);
        let slot = slot.expect("a step is refused because of some agent");
        Error::Runaway {
            tick: self.tick,
            id: self.roster.id(self.traits.index[slot]).to_string(),
            x: next.x[slot],
            y: next.y[slot],
            limit: COORDINATE_LIMIT,
        }
    }
}

/// Fills `runs` with the candidates of the agents in `slots`.
pub(crate) fn find_candidates(crowd: &Crowd<'_>, slots: Range<usize>, runs: &mut Runs) {
    match crowd.partition {
        Partition::AllPairs => runs.set_all(crowd.len(), crowd.space),
        Partition::Cells => {
            let reach = |kind: &Kind| kind.reach;
            let view = match crowd.traits.species.get(slots.clone()) {
                None => reach(&crowd.kinds[0]),
                Some(kinds) => kinds
                    .iter()
                    .map(|&kind| reach(&crowd.kinds[usize::from(kind)]))
                    .fold(0.0, f32::max),
            };
            let (x, y) = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots]);
            crowd.grid.candidates(x, y, view, runs);
        }
    }
}

/// Steers and moves the agents in `range`, a batch at a time; false if one ran away.
fn advance_batches<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut out: MotionSlices<'_>,
) -> bool {
    let mut runs = Runs::default();
    let mut sound = true;
    for first in range.clone().step_by(L::WIDTH) {
        let count = L::WIDTH.min(range.end - first);
        find_candidates(crowd, first..first + count, &mut runs);
        let moved = advance_batch::<L>(crowd, first, count, &runs);
        sound &= moved.is_sound();
        moved.store(&mut out, first - range.start);
    }
    sound
}

/// One pass per species in the batch, nearly always one; each lane keeps its own species'.
#[inline(always)]
fn advance_batch<L: Lanes>(crowd: &Crowd<'_>, first: usize, count: usize, runs: &Runs) -> Moved<L> {
    let pass = |kind: usize, members: Mask<L>| {
        let mut batch = Batch::new(crowd, &crowd.kinds[kind], first, members, runs);
        let force = kernels::combine::force(&mut batch);
        kernels::locomotion::advance(&batch, force)
    };
    let all = Mask::first(count);
    let kinds = first..first + count;
    let Some(kinds) = crowd.traits.species.get(kinds) else { return pass(0, all) };
    let mut moved: Option<Moved<L>> = None;
    for (lane, &kind) in kinds.iter().enumerate() {
        if kinds[..lane].contains(&kind) {
            continue;
        }
        let members = Mask::from_fn(|lane| kinds.get(lane) == Some(&kind));
        let part = pass(usize::from(kind), members);
        moved = Some(moved.map_or(part, |whole| whole.replaced(members, part)));
    }
    moved.expect("a batch has at least one agent")
}

/// The scalar reference: steers and moves the agents in `range` one by one.
fn advance_agents(crowd: &Crowd<'_>, range: Range<usize>, mut out: MotionSlices<'_>) -> bool {
    let mut runs = Runs::default();
    let mut sound = true;
    for slot in range.clone() {
        find_candidates(crowd, slot..slot + 1, &mut runs);
        let mut agent = Agent::new(crowd, slot, &runs);
        let force = reference::combine::force(&mut agent);
        let moved = reference::locomotion::advance(&agent, force);
        sound &= moved.is_sound();
        moved.store(&mut out, slot - range.start);
    }
    sound
}

/// What neighbors the agents in `range` have, for [`Simulation::census`]: calls `note` with
/// each agent's number of neighbors, and returns the number of pairs that were tested.
pub(crate) fn count_neighbors<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut note: impl FnMut(u32),
) -> u64 {
    let mut runs = Runs::default();
    let mut tested = 0;
    for first in range.clone().step_by(L::WIDTH) {
        let count = L::WIDTH.min(range.end - first);
        find_candidates(crowd, first..first + count, &mut runs);
        tested += (runs.candidates() * L::WIDTH) as u64;
        for lane in 0..count {
            let slot = first + lane;
            let kind = &crowd.kinds[crowd.kind_of(slot)];
            let mut batch = Batch::<L>::new(crowd, kind, first, Mask::first(count), &runs);
            let mut counts = [0.0; MAX_WIDTH];
            batch.neighborhood().count.store(&mut counts[..L::WIDTH]);
            let single_kind = crowd.traits.species.is_empty();
            if single_kind {
                counts[..count].iter().for_each(|&n| note(n as u32));
                break;
            }
            note(counts[lane] as u32);
        }
    }
    tested
}
