//! Interface between a slab's step and the other slabs. The whole crowd is a slab without others.

use std::convert::Infallible;
use std::ops::Range;

use crate::crowd::sorted_copy::{SortedCopy, Surroundings};
use crate::error::Error;
use crate::simulation::Simulation;

/// A reason for rejecting a step. If several slabs reject it, the lowest key decides which reason
/// is reported.
pub(crate) struct Refusal {
    pub(crate) key: u64,
    pub(crate) error: Error,
}

pub(crate) trait OtherSlabs {
    type Refused;
    /// The error if another slab is no longer running.
    type Lost;

    /// Writes the next motion of the agents in `own`, and receives the ghosts that they may see.
    /// Returns false if a value is invalid, and an error if a behavior has panicked.
    fn steer(
        &mut self,
        simulation: &mut Simulation,
        sorted: &mut SortedCopy,
        own: &Range<usize>,
    ) -> Result<Result<bool, Error>, Self::Lost>;

    /// Returns an error on all slabs if any slab refuses the step.
    fn settle(&mut self, refusal: Option<Refusal>)
    -> Result<Result<(), Self::Refused>, Self::Lost>;

    /// Updates the positions of ghosts, before each pass of non-penetration. `pushed` is the
    /// largest displacement of this slab's agents in the last pass. Returns the maximum over all
    /// slabs.
    fn move_ghosts(
        &mut self,
        simulation: &mut Simulation,
        surroundings: &mut Surroundings,
        pushed: f32,
    ) -> Result<f32, Self::Lost>;
}

pub(super) struct Alone;

impl OtherSlabs for Alone {
    type Refused = Error;
    type Lost = Infallible;

    fn steer(
        &mut self,
        simulation: &mut Simulation,
        sorted: &mut SortedCopy,
        own: &Range<usize>,
    ) -> Result<Result<bool, Error>, Infallible> {
        let next = sorted.motion.slices_mut();
        Ok(simulation.steer(&sorted.surroundings, own.clone(), next))
    }

    fn settle(&mut self, refusal: Option<Refusal>) -> Result<Result<(), Error>, Infallible> {
        Ok(refusal.map_or(Ok(()), |refusal| Err(refusal.error)))
    }

    fn move_ghosts(
        &mut self,
        _: &mut Simulation,
        _: &mut Surroundings,
        pushed: f32,
    ) -> Result<f32, Infallible> {
        Ok(pushed)
    }
}
