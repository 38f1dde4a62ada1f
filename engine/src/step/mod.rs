//! One step, top to bottom:
//!
//! ```text
//! sort into cells → steer (behaviors → combined force) → move (integrate, edge)
//!                 → non-penetration → smooth headings
//! ```
//!
//! Each batch is steered and moved while its columns are in registers. Every batch reads the sorted
//! copy and writes its own slots of the next state, which becomes the state only if all of it is
//! sound.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::batch::Candidates;
use crate::custom::compiled::message;
use crate::error::Error;
use crate::kernels;
use crate::math::width::{with_lanes, with_one_lane};
use crate::reference::{self, agent::Agent};
use crate::simulation::Simulation;
use crate::simulation::method::Method;
use crate::simulation::stage_times::StageTimes;

mod non_penetration;
mod steer;

impl Simulation {
    /// Takes one step of 1 / `steps_per_second` simulated seconds.
    ///
    /// # Errors
    /// [`Error::Runaway`] if an agent would leave ±[`COORDINATE_LIMIT`](crate::COORDINATE_LIMIT),
    /// [`Error::NotFinite`] if a custom behavior returns a force that is not finite, or a column
    /// would hold such a number; [`Error::Panicked`] if a custom behavior panics. Then the state
    /// does not change.
    pub fn step(&mut self) -> Result<(), Error> {
        self.run(1)
    }

    /// Takes `steps` steps.
    ///
    /// # Errors
    /// As [`Self::step`]; steps before the refused one stay taken.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        let workers = self.workers.for_crowd(self.len());
        let shared = workers.threads() > 1;
        workers.run(shared, |_| (0..steps).try_for_each(|_| self.step_on_workers()))
    }

    fn step_on_workers(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.update_shared_targets();
        self.sort();
        let sorted = Instant::now();
        self.steer_and_move()?;
        let moved = Instant::now();
        self.push_apart();
        let pushed = Instant::now();
        self.smooth();
        self.stage_times = StageTimes {
            sort: sorted - start,
            steer: moved - sorted,
            non_penetration: pushed - moved,
            smooth: pushed.elapsed(),
        };
        self.tick += 1;
        Ok(())
    }

    /// Reads the sorted copy and writes the next state over the unsorted one. On failure the sorted
    /// copy, which is the same crowd, becomes the state.
    fn steer_and_move(&mut self) -> Result<(), Error> {
        self.follow_shared_targets();
        std::mem::swap(&mut self.motion, &mut self.motion_next);
        std::mem::swap(&mut self.traits, &mut self.traits_next);
        self.ids.moved();
        self.sorted = false;

        let mut next = std::mem::take(&mut self.motion_next);
        let crowd = self.crowd(&self.motion, &self.traits);
        let limit = crowd.limit;
        let how = (self.method, self.instructions);
        // Only behaviors of other crates panic.
        let steered = catch_unwind(AssertUnwindSafe(|| {
            steer::advance(&crowd, &self.workers, how, &mut next)
        }));
        self.motion_next = next;
        if !matches!(steered, Ok(true)) {
            self.history.permute(self.sorter.order());
            return Err(match steered {
                Ok(_) => self.refusal(limit),
                Err(panic) => {
                    let message = message(&*panic).to_owned();
                    Error::Panicked { tick: self.tick, message }
                }
            });
        }
        std::mem::swap(&mut self.motion, &mut self.motion_next);
        Ok(())
    }

    fn smooth(&mut self) {
        let workers = self.workers.for_crowd(self.motion.x.len());
        let sorted = (self.sorter.order(), &self.grid);
        let (motion, tick) = (&self.motion, self.tick);
        match self.method {
            Method::Kernels(width) => with_lanes!((self.instructions, width), L => {
                let smooth = kernels::smoothing::advance::<L>;
                self.history.advance::<L>(&workers, sorted, motion, tick, smooth);
            }),
            Method::Reference => with_one_lane!(self.instructions, S => {
                let smooth = reference::smoothing::advance::<S>;
                self.history.advance::<S>(&workers, sorted, motion, tick, smooth);
            }),
        }
    }

    /// The first agent, by id, that a refused step would have sent out of range; without one, the
    /// first with a number in a column that is not finite.
    fn refusal(&self, limit: f32) -> Error {
        let (tick, next) = (self.tick, &self.motion_next);
        let first = |is_wrong: &dyn Fn(usize) -> bool| {
            let wrong = (0..self.len()).filter(|&slot| is_wrong(slot));
            wrong.min_by_key(|&slot| self.traits.index[slot])
        };
        let id = |slot: usize| self.ids.id(self.traits.index[slot]);
        let inside = |value: f32| value.abs() <= limit;
        if let Some(slot) = first(&|slot| !(inside(next.x[slot]) && inside(next.y[slot]))) {
            if let Some((name, value)) = self.wrong_force(slot) {
                let what = format!("the force of behavior `{name}`");
                return Error::NotFinite { tick, what, id: id(slot), value };
            }
            let (x, y) = (next.x[slot], next.y[slot]);
            return Error::Runaway { tick, id: id(slot), x, y, limit };
        }
        let wrong = |column: &[f32]| first(&|slot| !column[slot].is_finite());
        let mut columns = self.columns.iter().zip(&next.own.0);
        let found = columns.find_map(|(name, column)| Some((name, wrong(column)?, column)));
        let (name, slot, column) = found.expect("a refused step has a wrong number");
        let what = format!("column `{name}`");
        Error::NotFinite { tick, what, id: id(slot), value: column[slot] }
    }

    /// The first behavior of the agent in `slot` whose force is not finite, and what it is. The
    /// columns are those that the refused step read.
    fn wrong_force(&self, slot: usize) -> Option<(&'static str, f32)> {
        let crowd = self.crowd(&self.motion, &self.traits);
        let mut candidates = Candidates::default();
        let mut agent = Agent::<f32>::with_notes(&crowd, slot, &mut candidates);
        reference::combine::force(&mut agent);
        agent.into_notes().contributions.iter().find_map(|one| {
            let wrong = one.force.into_iter().find(|component| !component.is_finite());
            wrong.map(|value| (one.behavior, value))
        })
    }
}
