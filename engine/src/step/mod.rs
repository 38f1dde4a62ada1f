//! One step, top to bottom:
//!
//! ```text
//! sort → steer and move → check → solid scenery
//!      → (non-penetration → solid scenery) × passes → smooth headings
//! ```
//!
//! Each batch is steered and moved while its columns are in registers. Batches read the sorted copy
//! and write their own slots of the next state, which is accepted only if all of it is valid.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::behaviors::outside::{Compiled, panic_message};
use crate::crowd::Crowd;
use crate::crowd::columns::MotionSlices;
use crate::crowd::sorted_copy::SortedCopy;
use crate::error::{Error, ErrorKind};
use crate::math::lanes::dispatch::with_lanes;
use crate::math::vec2::Vec2;
use crate::scene::species::Species;
use crate::simulation::Simulation;
use crate::simulation::stage_times::{StageTimes, Stopwatch};
use crate::simulation::targets::follow;

pub(crate) mod combine;
pub(crate) mod locomotion;
mod non_penetration;
mod solid;

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
        let stopwatch = Stopwatch::start(timed);
        let mut sorted = self.take_sorted_copy();
        let result = self.step_from(&mut sorted, stopwatch, timed);
        self.workspace.sorted.put_outdated(sorted);
        result
    }

    fn step_from(
        &mut self,
        sorted: &mut SortedCopy,
        mut stopwatch: Stopwatch,
        timed: bool,
    ) -> Result<(), Error> {
        let sort = stopwatch.lap();
        self.steer_and_move(sorted)?;
        let steer = stopwatch.lap();
        let (mut non_penetration, mut smooth) = (Duration::ZERO, Duration::ZERO);
        if self.setting.scene.non_penetration > 0 {
            for iteration in 0..self.setting.scene.non_penetration {
                self.push_apart(sorted, iteration, 0..self.len());
            }
            non_penetration = stopwatch.lap();
        }
        if self.setting.scene.heading_samples.is_some() {
            self.smooth(sorted, 0..self.len());
            smooth = stopwatch.lap();
        }
        if timed {
            self.workspace.stage_times = StageTimes { sort, steer, non_penetration, smooth };
        }
        self.state.tick += 1;
        Ok(())
    }

    /// Reads the sorted copy and overwrites the unsorted copy with the next state.
    /// On failure, the sorted copy becomes the state: the same crowd in another order.
    fn steer_and_move(&mut self, sorted: &mut SortedCopy) -> Result<(), Error> {
        follow(&mut sorted.shared_targets, &sorted.grid, &sorted.attributes.index);
        let slots = 0..self.len();
        let mut next = std::mem::take(&mut self.state.motion);
        let crowd = self.crowd(sorted, (&sorted.motion, &sorted.attributes));
        let steered = self.steer(&crowd, slots.clone(), next.slices_mut());
        if let (Ok(true), Some(solids)) = (&steered, &self.setting.scenery.solids) {
            self.stop_moved_agents(solids, &crowd, slots.clone(), next.slices_mut());
        }
        self.state.motion = next;
        if let Ok(true) = steered {
            self.take_sorted_attributes(sorted);
            return Ok(());
        }
        self.take_sorted(sorted);
        self.state.history.permute(sorted.sorter.sources());
        steered?;
        Err(Error::new(self.refusal(sorted, slots).1))
    }

    pub(crate) fn take_sorted(&mut self, sorted: &mut SortedCopy) {
        std::mem::swap(&mut self.state.motion, &mut sorted.motion);
        self.take_sorted_attributes(sorted);
    }

    fn take_sorted_attributes(&mut self, sorted: &mut SortedCopy) {
        std::mem::swap(&mut self.state.attributes, &mut sorted.attributes);
        self.state.ids.moved();
        self.workspace.moved();
    }

    pub(crate) fn steer(
        &self,
        crowd: &Crowd<'_>,
        slots: Range<usize>,
        next: MotionSlices<'_>,
    ) -> Result<bool, Error> {
        let species = &self.setting.scene.species[..];
        let steer_and_move = with_lanes!((self.execution.instructions, self.execution.method), L => steer_and_move::<L>);
        let unsound = AtomicBool::new(false);
        let work = |range: Range<usize>, out: MotionSlices<'_>| {
            let range = slots.start + range.start..slots.start + range.end;
            if !steer_and_move(crowd, species, range, out) {
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
    pub(crate) fn smooth(&mut self, sorted: &SortedCopy, slots: Range<usize>) {
        let workers = self.execution.workers.for_crowd(slots.len());
        let sorted = (sorted.sorter.sources(), &sorted.grid);
        let headings = self.state.motion.heading.rows(slots);
        let tick = self.state.tick;
        with_lanes!((self.execution.instructions, self.execution.method), L => {
            self.state.history.smooth::<L>(&workers, sorted, headings, tick);
        });
    }
}

/// Returns false if a position is out of range or a value is not finite.
fn steer_and_move<L: Compiled>(
    crowd: &Crowd<'_>,
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
            let moved = locomotion::moved(batch, force);
            sound &= moved.is_sound(batch.members, crowd.limit) && batch.is_finite();
            moved.store(batch, &mut out, batch.first - start);
        },
    );
    debug_assert!(
        out.position.0[0].iter().all(|x| x.to_bits() != UNWRITTEN.to_bits()),
        "every slot is written"
    );
    sound
}

impl Simulation {
    /// The reason for refusing a step, and its sort key. The lowest key across all slabs wins.
    /// Positions out of range come first, then non-finite forces, then non-finite column values.
    /// Within each kind or column, agents come in ascending order of index.
    pub(crate) fn refusal(&self, sorted: &SortedCopy, slots: Range<usize>) -> (u64, ErrorKind) {
        let (tick, next) = (self.state.tick, &sorted.motion);
        let limit = self.coordinate_limit();
        let first = |is_wrong: &dyn Fn(usize) -> bool| {
            let wrong = slots.clone().filter(|&slot| is_wrong(slot));
            wrong.min_by_key(|&slot| self.state.attributes.index[slot])
        };
        let id = |slot: usize| self.state.ids.id(self.state.attributes.index[slot]);
        let rank =
            |kind: u64, slot: usize| kind << 32 | u64::from(self.state.attributes.index[slot]);
        let inside = |at: Vec2<f32>| at.x.abs() <= limit && at.y.abs() <= limit;
        let wrong_force = |slot: usize| {
            let (name, value) = self.wrong_force(sorted, slot)?;
            let what = format!("the force of behavior `{name}`");
            Some(ErrorKind::NotFinite { tick, what, id: id(slot), value })
        };
        if let Some(slot) = first(&|slot| !inside(next.position.at(slot))) {
            let Vec2 { x, y } = next.position.at(slot);
            let runaway = || ErrorKind::Runaway { tick, id: id(slot), x, y, limit };
            return (rank(0, slot), wrong_force(slot).unwrap_or_else(runaway));
        }
        // Constant-speed and car locomotion can mask a non-finite force, so check the force itself.
        if self.setting.required.outside
            && let Some(slot) = first(&|slot| wrong_force(slot).is_some())
            && let Some(kind) = wrong_force(slot)
        {
            return (rank(1, slot), kind);
        }
        let wrong = |column: &[f32]| first(&|slot| !column[slot].is_finite());
        let mut columns = (2..).zip(self.setting.required.columns.iter().zip(&next.own));
        let found = columns
            .find_map(|(number, (name, column))| Some((number, name, wrong(column)?, column)));
        let (number, name, slot, column) = found.expect("a refused step has a wrong number");
        let what = format!("column `{name}`");
        (rank(number, slot), ErrorKind::NotFinite { tick, what, id: id(slot), value: column[slot] })
    }

    fn wrong_force(&self, sorted: &SortedCopy, slot: usize) -> Option<(&'static str, f32)> {
        let crowd = self.crowd(sorted, (&self.state.motion, &self.state.attributes));
        let (_, contributions) = combine::explained(&crowd, &self.setting.scene.species, slot);
        contributions.iter().find_map(|one| {
            let wrong = one.force.into_iter().find(|component| !component.is_finite());
            wrong.map(|value| (one.behavior, value))
        })
    }
}

pub(crate) fn batches(range: Range<usize>, width: usize) -> impl Iterator<Item = Range<usize>> {
    range.clone().step_by(width).map(move |first| first..range.end.min(first + width))
}
