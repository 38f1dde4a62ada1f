//! What a step reads: an immutable snapshot of the crowd.

use crate::columns::{Motion, Traits};
use crate::grid::Grid;
use crate::species::Kind;
use crate::world::Space;

/// How candidates for neighbors are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Partition {
    /// Only agents in cells within view distance are tested: O(n) at constant density.
    #[default]
    Cells,
    /// Every agent is tested against every other: O(n²). The result is the same, bit for
    /// bit, because both visit candidates in the same order.
    AllPairs,
}

/// The crowd as it was when the step began, sorted into cells.
#[derive(Clone, Copy)]
pub(crate) struct Crowd<'a> {
    pub(crate) space: &'a Space,
    pub(crate) grid: &'a Grid,
    pub(crate) motion: &'a Motion,
    pub(crate) traits: &'a Traits,
    pub(crate) kinds: &'a [Kind],
    pub(crate) partition: Partition,
    /// Seconds per step.
    pub(crate) dt: f32,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
}

impl Crowd<'_> {
    pub(crate) fn len(&self) -> usize {
        self.motion.x.len()
    }

    /// The species of the agent in `slot`.
    pub(crate) fn kind_of(&self, slot: usize) -> usize {
        self.traits.species.get(slot).map_or(0, |&kind| usize::from(kind))
    }
}
