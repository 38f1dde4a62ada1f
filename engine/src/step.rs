//! One step, top to bottom:
//!
//! ```text
//! sort into cells → steer (behaviors → combined force) → move (integrate, edge)
//!                 → part (non-penetration) → smooth headings
//! ```
//!
//! Steering and moving happen batch by batch while the batch's columns are in registers;
//! every batch reads the sorted snapshot and writes its own slots of the next state. Only
//! when all of it is sound does the next state become the state.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use wide::{f32x4, f32x8, f32x16};

use crate::columns::MotionSlices;
use crate::crowd::{Crowd, Partition};
use crate::error::Error;
use crate::grid::Runs;
use crate::kernels::{self, Batch, Candidates, Findings, TOGETHER};
use crate::lanes::{Lanes, MAX_WIDTH};
use crate::method::{LaneWidth, Method};
use crate::reference::{self, Agent};
use crate::simulation::Simulation;
use crate::species::Kind;
use crate::world::COORDINATE_LIMIT;

mod part;

/// How long the stages of the last step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Sorting the crowd into cells.
    pub sort: Duration,
    /// Steering and moving every agent.
    pub steer: Duration,
    /// Pushing overlapping agents apart.
    pub part: Duration,
    /// Smoothing headings.
    pub smooth: Duration,
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
        self.aim();
        self.sort();
        let sorted = Instant::now();
        self.steer_and_move()?;
        let moved = Instant::now();
        self.part();
        let parted = Instant::now();
        self.smooth();
        self.stage_times = StageTimes {
            sort: sorted - start,
            steer: moved - sorted,
            part: parted - moved,
            smooth: parted.elapsed(),
        };
        self.tick += 1;
        Ok(())
    }

    /// Sorts the present crowd into the other copy of the columns, unless it is there already.
    /// The state itself stays as it is, so that looking at a crowd, which sorts it too, does
    /// not change what follows.
    pub(crate) fn sort(&mut self) {
        if self.sorted {
            return;
        }
        let view = self.kinds.iter().map(|kind| kind.reach).fold(0.0, f32::max);
        let view = view.max(self.parting_view());
        self.grid.lay_out(&self.space, self.len(), view, self.scene.cell_size);
        let workers = self.workers.for_crowd(self.len());
        self.sorter.sort(
            &workers,
            &mut self.grid,
            (&self.motion, &mut self.motion_next),
            (&self.traits, &mut self.traits_next),
        );
        self.tail.fill(&self.motion_next, &self.traits_next);
        self.locate();
        self.sorted = true;
    }

    /// Reads the sorted copy and writes the next state over the unsorted one; on failure the
    /// sorted copy, which is the same crowd, becomes the state.
    fn steer_and_move(&mut self) -> Result<(), Error> {
        self.track();
        std::mem::swap(&mut self.motion, &mut self.motion_next);
        std::mem::swap(&mut self.traits, &mut self.traits_next);
        self.roster.moved();
        self.sorted = false;

        let unsound = AtomicBool::new(false);
        let mut next = std::mem::take(&mut self.motion_next);
        let crowd = self.crowd(&self.motion, &self.traits);
        let advance = match self.method {
            Method::Kernels(LaneWidth::Four) => advance_batches::<f32x4>,
            Method::Kernels(LaneWidth::Eight) => advance_batches::<f32x8>,
            Method::Kernels(LaneWidth::Sixteen) => advance_batches::<f32x16>,
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
            self.history.permute(self.sorter.order());
            return Err(self.runaway());
        }
        std::mem::swap(&mut self.motion, &mut self.motion_next);
        Ok(())
    }

    fn smooth(&mut self) {
        let workers = self.workers.for_crowd(self.motion.x.len());
        let order = self.sorter.order();
        let sorted = (order, &self.grid);
        self.history.advance(&workers, sorted, &self.motion, self.tick, self.method);
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
            let view = furthest(crowd, slots.clone(), |kind| kind.reach);
            let (x, y) = (&crowd.motion.x[slots.clone()], &crowd.motion.y[slots]);
            crowd.grid.candidates(x, y, view, runs);
        }
    }
}

/// The largest reach of all species among the agents in `slots`.
#[inline(always)]
fn furthest(crowd: &Crowd<'_>, slots: Range<usize>, reach: impl Fn(&Kind) -> f32) -> f32 {
    match crowd.traits.species.get(slots) {
        None => reach(&crowd.kinds[0]),
        Some(kinds) if all_alike(kinds) => reach(&crowd.kinds[usize::from(kinds[0])]),
        Some(kinds) => {
            let reaches = kinds.iter().map(|&kind| reach(&crowd.kinds[usize::from(kind)]));
            reaches.fold(0.0, f32::max)
        }
    }
}

/// Whether there is but one kind, as nearly always. By whole words: a loop over an unknown number
/// of bytes would take them one by one.
#[inline(always)]
fn all_alike(kinds: &[u8]) -> bool {
    let (words, rest) = kinds.as_chunks();
    let first = u128::from_ne_bytes([kinds[0]; 16]);
    let others = words.iter().fold(0, |others, &word| others | first ^ u128::from_ne_bytes(word));
    others == 0 && rest.iter().all(|&kind| kind == kinds[0])
}

/// Steers and moves the agents in `range`, a few batches at a time; false if one ran away.
fn advance_batches<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    mut out: MotionSlices<'_>,
) -> bool {
    crowd.read_ahead(&range);
    let mut candidates: [Candidates; TOGETHER] = Default::default();
    let mut findings: [_; TOGETHER] = std::array::from_fn(|_| Findings::new());
    let mut sound = true;
    for first in range.clone().step_by(TOGETHER * L::WIDTH) {
        candidates.iter_mut().for_each(Candidates::forget);
        let slots = first..range.end.min(first + TOGETHER * L::WIDTH);
        for_each_kind(crowd, slots.clone(), |kind| {
            let slots = |k: usize| first + k * L::WIDTH..slots.end;
            let [a, b, c, d] = findings.each_mut();
            // Not mapped from an array, which would copy what it returns.
            let mut batches: [_; TOGETHER] = [
                Batch::<L>::new(crowd, kind, slots(0), &candidates[0], a),
                Batch::<L>::new(crowd, kind, slots(1), &candidates[1], b),
                Batch::<L>::new(crowd, kind, slots(2), &candidates[2], c),
                Batch::<L>::new(crowd, kind, slots(3), &candidates[3], d),
            ];
            let forces = kernels::combine::forces(&mut batches);
            for (batch, &force) in batches.iter().zip(&forces) {
                if batch.members.any() {
                    let moved = kernels::locomotion::advance(batch, force);
                    sound &= crowd.wraps_later || moved.is_sound(batch.members);
                    moved.store(batch, &mut out, batch.first - range.start);
                }
            }
        });
    }
    sound
}

/// Calls `pass` with each species among the agents in `slots`, nearly always one.
#[inline(always)]
pub(crate) fn for_each_kind(crowd: &Crowd<'_>, slots: Range<usize>, mut pass: impl FnMut(usize)) {
    let Some(kinds) = crowd.traits.species.get(slots) else { return pass(0) };
    if all_alike(kinds) {
        return pass(usize::from(kinds[0]));
    }
    for (k, &kind) in kinds.iter().enumerate() {
        if !kinds[..k].contains(&kind) {
            pass(usize::from(kind));
        }
    }
}

/// The scalar reference: steers and moves the agents in `range` one by one.
fn advance_agents(crowd: &Crowd<'_>, range: Range<usize>, mut out: MotionSlices<'_>) -> bool {
    let runs = RefCell::default();
    let mut sound = true;
    for slot in range.clone() {
        let mut agent = Agent::new(crowd, slot, &runs);
        let force = reference::combine::force(&mut agent);
        let moved = reference::locomotion::advance(&agent, force);
        sound &= crowd.wraps_later || moved.is_sound();
        moved.store(&mut out, slot - range.start);
    }
    sound
}

/// For [`Simulation::census`]: calls `note` with each agent's number of neighbors, and
/// returns how many pairs were tested.
pub(crate) fn count_neighbors<L: Lanes>(crowd: &Crowd<'_>, mut note: impl FnMut(u32)) -> u64 {
    let (mut candidates, mut findings) = (Candidates::default(), Findings::new());
    let mut tested = 0;
    for first in (0..crowd.len()).step_by(L::WIDTH) {
        let slots = first..crowd.len().min(first + L::WIDTH);
        candidates.forget();
        for_each_kind(crowd, slots.clone(), |kind| {
            let mut batch = Batch::<L>::new(crowd, kind, slots.clone(), &candidates, &mut findings);
            let mut counts = [0.0; MAX_WIDTH];
            batch
                .members
                .select(batch.neighborhood().count, -L::splat(1.0))
                .store(&mut counts[..L::WIDTH]);
            counts[..slots.len()].iter().filter(|&&n| n >= 0.0).for_each(|&n| note(n as u32));
        });
        tested += (candidates.agents() * L::WIDTH) as u64;
    }
    tested
}

/// The same one agent at a time.
pub(crate) fn count_neighbors_scalar(crowd: &Crowd<'_>, mut note: impl FnMut(u32)) -> u64 {
    let runs = RefCell::default();
    let mut tested = 0;
    for slot in 0..crowd.len() {
        note(Agent::new(crowd, slot, &runs).neighborhood().count as u32);
        tested += runs.borrow().candidates() as u64;
    }
    tested
}
