//! One step, top to bottom:
//!
//! ```text
//! sort → steer and move → check → solid scenery
//!      → (non-penetration → solid scenery) × passes → smooth headings
//! ```
//!
//! Each batch is steered and moved while its columns are in registers. Batches read the sorted
//! crowd and write their own slots of the next state, which is accepted only if all of it is valid.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::behaviors::outside::{Compiled, panic_message};
use crate::crowd::SortedCrowd;
use crate::crowd::columns::MotionSlices;
use crate::crowd::sorted_copy::{SortedCopy, Surroundings};
use crate::error::{Error, ErrorKind};
use crate::math::lanes::dispatch::with_lanes;
use crate::scene::species::Species;
use crate::simulation::Simulation;
use crate::simulation::execution::{StageTimes, Stopwatch};
use crate::simulation::targets::follow;

mod check;
pub(crate) mod combine;
pub(crate) mod locomotion;
mod non_penetration;
pub(crate) mod others;
mod overlaps;
mod solid;

use others::{Alone, OtherSlabs};

/// Debug builds fill the output with this NaN, which no operation produces,
/// to detect slots that no batch has written.
const UNWRITTEN: f32 = f32::from_bits(0x7FC0_DEAD);

impl Simulation {
    /// Takes one step of 1 / `steps_per_second` simulated seconds.
    ///
    /// # Errors
    /// [`ErrorKind::Runaway`] if an agent would leave
    /// ±[`COORDINATE_LIMIT`](crate::COORDINATE_LIMIT), [`ErrorKind::NotFinite`] if a force or a
    /// new column value is not finite, [`ErrorKind::Panicked`] if a behavior panics. After an
    /// error, the state is unchanged.
    pub fn step(&mut self) -> Result<(), Error> {
        self.run(1)
    }

    /// Takes `steps` steps. Only the last step is timed, for [`Self::stage_times`].
    ///
    /// # Errors
    /// The same errors as [`Self::step`]. Steps completed before the error remain in effect.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        let workers = self.execution.workers.for_crowd(self.len());
        let shared = workers.threads() > 1;
        workers
            .run(shared, |_| (1..=steps).try_for_each(|step| self.step_on_workers(step == steps)))
    }

    fn step_on_workers(&mut self, timed: bool) -> Result<(), Error> {
        let mut stopwatch = Stopwatch::start(timed);
        let mut sorted = self.take_sorted_copy();
        self.take_sorted(&mut sorted);
        let sort = stopwatch.lap();
        let Ok(stepped) = self.step_sorted(&mut sorted, 0..self.len(), &mut Alone, stopwatch);
        self.workspace.sorted.put_outdated(sorted);
        let times = stepped?;
        if timed {
            self.workspace.stage_times = StageTimes { sort, ..times };
        }
        Ok(())
    }

    /// Puts the crowd into cell order: swaps the state with its sorted copy.
    pub(crate) fn take_sorted(&mut self, sorted: &mut SortedCopy) {
        std::mem::swap(&mut self.state.motion, &mut sorted.motion);
        std::mem::swap(&mut self.state.attributes, &mut sorted.attributes);
        self.state.ids.outdate_slots();
        self.workspace.agents_moved();
    }

    /// Steps the agents in the slots `own`, after the sort. Their next motion is written to
    /// `sorted.motion`, and accepted only if all of it is valid.
    pub(crate) fn step_sorted<O: OtherSlabs>(
        &mut self,
        sorted: &mut SortedCopy,
        own: Range<usize>,
        others: &mut O,
        mut stopwatch: Stopwatch,
    ) -> Result<Result<StageTimes, O::Refused>, O::Lost> {
        let mut times = StageTimes::default();
        let Surroundings { shared_targets, grid, .. } = &mut sorted.surroundings;
        follow(shared_targets, grid, &self.state.attributes.index);
        let steered = others.steer(self, sorted, &own)?;
        if let Err(refused) = others.settle(self.refusal(steered, sorted, &own))? {
            self.state.history.permute(sorted.sorter.sources());
            return Ok(Err(refused));
        }
        self.stop_moved_agents(sorted, own.clone());
        std::mem::swap(&mut self.state.motion, &mut sorted.motion);
        times.steer = stopwatch.lap();
        if self.setting.scene.passes() > 0 {
            let (mut pushed, mut last) = (0.0, 0.0);
            for iteration in 0..self.setting.scene.passes() {
                pushed += others.move_ghosts(self, &mut sorted.surroundings, last)?;
                last = self.push_apart(sorted, iteration, pushed, own.clone());
            }
            times.non_penetration = stopwatch.lap();
        }
        if self.setting.scene.heading_samples.is_some() {
            self.smooth(sorted, own);
            times.smooth = stopwatch.lap();
        }
        self.state.tick += 1;
        Ok(Ok(times))
    }

    pub(crate) fn steer(
        &self,
        surroundings: &Surroundings,
        slots: Range<usize>,
        next: MotionSlices<'_>,
    ) -> Result<bool, Error> {
        let crowd =
            self.sorted_crowd_in(surroundings, (&self.state.motion, &self.state.attributes));
        let species = &self.setting.scene.species[..];
        let steer =
            with_lanes!(self.lane_choice(self.execution.settings.method), L => steer_and_move::<L>);
        let unsound = AtomicBool::new(false);
        let work = |range: Range<usize>, out: MotionSlices<'_>| {
            let range = slots.start + range.start..slots.start + range.end;
            if !steer(&crowd, species, range, out) {
                unsound.store(true, Relaxed);
            }
        };
        let workers = self.execution.workers.for_crowd(crowd.len());
        // Only behaviors from other crates can panic.
        catch_unwind(AssertUnwindSafe(|| workers.split(slots.len(), next, &work))).map_err(
            |panic| {
                let message = panic_message(&*panic).to_owned();
                Error::new(ErrorKind::Panicked { tick: self.state.tick, message })
            },
        )?;
        Ok(!unsound.into_inner())
    }

    /// The heading history must still be in the slot order that preceded the latest sort.
    fn smooth(&mut self, sorted: &SortedCopy, slots: Range<usize>) {
        let workers = self.execution.workers.for_crowd(slots.len());
        let sorted = (sorted.sorter.sources(), &sorted.surroundings.grid);
        let headings = self.state.motion.heading.rows(slots);
        let tick = self.state.tick;
        with_lanes!(self.lane_choice(self.execution.settings.method), L => {
            self.state.history.smooth::<L>(&workers, sorted, headings, tick);
        });
    }
}

/// Returns false if a position is out of range or a value is not finite.
fn steer_and_move<L: Compiled>(
    crowd: &SortedCrowd<'_>,
    species: &[Species],
    range: Range<usize>,
    mut out: MotionSlices<'_>,
) -> bool {
    crowd.prefetch(&range);
    if cfg!(debug_assertions) {
        out.position.0[0].fill(UNWRITTEN);
    }
    let start = range.start;
    let mut sound = true;
    combine::for_each_force::<L>(
        crowd,
        species,
        range,
        #[inline(always)]
        |batch, force| {
            let next = locomotion::next_motion(batch, force);
            sound &= next.is_sound(batch.members, crowd.coordinate_limit) && batch.is_finite();
            next.store(batch, &mut out, batch.first - start);
        },
    );
    debug_assert!(
        out.position.0[0].iter().all(|x| x.to_bits() != UNWRITTEN.to_bits()),
        "every slot is written"
    );
    sound
}

pub(crate) fn batches(range: Range<usize>, width: usize) -> impl Iterator<Item = Range<usize>> {
    range.clone().step_by(width).map(move |first| first..range.end.min(first + width))
}
