//! A custom behavior for one agent: its kernel with one lane.

use crate::batch::{Batch, Scratch};
use crate::behaviors::custom::Custom;
use crate::custom::compiled::{self, Compiled};
use crate::math::force::Force;
use crate::math::scalar::Scalar;
use crate::reference::agent::Agent;

/// The unweighted force of behavior `number` of its species.
#[inline(always)]
pub(crate) fn force<S: Scalar + Compiled>(
    custom: &Custom,
    number: usize,
    agent: &mut Agent<'_, S>,
) -> Force<S> {
    let mut scratch = Scratch::new();
    scratch.notes = agent.notes.take();
    let (crowd, slot) = (agent.crowd, agent.slot);
    let slots = slot..slot + 1;
    let mut batch = Batch::new(crowd, crowd.kind_of(slot), slots, agent.candidates, &mut scratch);
    batch.scratch.own.clone_from(&agent.own);
    let force = compiled::force(custom, number, &mut batch);
    agent.own = scratch.own;
    agent.notes = scratch.notes;
    force
}
