//! What a step reads: an immutable snapshot of the crowd.

use std::ops::Range;

use crate::columns::{Motion, Traits, warm};
use crate::grid::Grid;
use crate::scenery::Scenery;
use crate::scenery::index::{Index, Near};
use crate::species::Kind;
use crate::tail::{Rows, Tail};
use crate::target::{Anchor, Pose, Target};
use crate::vec2::Vec2;
use crate::velocity;
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

/// By how many agents reading ahead is ahead.
const LEAD: usize = 256;

/// The crowd as it was when the step began, sorted into cells.
#[derive(Clone, Copy)]
pub(crate) struct Crowd<'a> {
    pub(crate) space: &'a Space,
    pub(crate) grid: &'a Grid,
    pub(crate) motion: &'a Motion,
    pub(crate) traits: &'a Traits,
    /// The end of these columns.
    pub(crate) tail: &'a Tail,
    pub(crate) kinds: &'a [Kind],
    pub(crate) scenery: &'a Scenery,
    /// The targets that whole species share.
    pub(crate) anchors: &'a [Anchor],
    /// Slot of each roster index; only if some behavior steers by own targets.
    pub(crate) slots: &'a [u32],
    pub(crate) partition: Partition,
    /// The largest bounding radius of all species.
    pub(crate) largest_radius: f32,
    /// Whether agents wrap around the torus only after overlapping ones were pushed apart:
    /// until then they stay where the grid's cells expect them.
    pub(crate) wraps_later: bool,
    /// Seconds per step.
    pub(crate) dt: f32,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
}

impl<'a> Crowd<'a> {
    /// Where the agents of a batch of `width` lanes are.
    #[inline(always)]
    pub(crate) fn rows(&self, first: usize, width: usize) -> Rows<'a> {
        if first + width <= self.len() {
            Rows { motion: self.motion, traits: self.traits, row: first }
        } else {
            self.tail.rows(first)
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.motion.x.len()
    }

    /// Whether some behavior remembers something from step to step.
    pub(crate) fn remembers(&self) -> bool {
        let Motion { wander_x, waypoint, alert, .. } = self.motion;
        !(wander_x.is_empty() && waypoint.is_empty() && alert.is_empty())
    }

    /// Reads what steering will need of the agents a row after those in `slots`.
    pub(crate) fn read_ahead(&self, slots: &Range<usize>) {
        let soon = self.grid.a_row_after(slots, LEAD);
        let motion = self.motion;
        for column in [&motion.x, &motion.y, &motion.hx, &motion.hy, &motion.vx, &motion.vy] {
            warm(column.get(soon.clone()).unwrap_or_default());
        }
    }

    /// Where a shared target is; none once it is removed.
    pub(crate) fn pose(&self, target: &Target) -> Option<Pose<f32>> {
        match target {
            Target::Point(point) => Some(Pose::at(*point)),
            _ => self.anchors.iter().find(|anchor| anchor.target == *target)?.pose,
        }
    }

    /// Where the own target of the agent in `slot` is.
    pub(crate) fn own_pose(&self, slot: usize) -> Option<Pose<f32>> {
        let index = *self.traits.target.get(slot)?;
        let slot = *self.slots.get(index as usize)?;
        Some(self.pose_of(slot as usize))
    }

    /// The velocity of the agent in `slot`.
    pub(crate) fn velocity(&self, slot: usize) -> Vec2<f32> {
        velocity::of(self.motion, self.traits, self.kinds, slot)
    }

    /// Where the agent in `slot` is and how it moves.
    pub(crate) fn pose_of(&self, slot: usize) -> Pose<f32> {
        velocity::pose(self.motion, self.traits, self.kinds, slot)
    }

    /// Fills `near` with what is near any of the places, of whose box these are the corners; with
    /// all pairs, with everything.
    pub(crate) fn find_near(
        &self,
        index: &Index,
        places: (&[f32], &[f32]),
        corners: (Vec2<f32>, Vec2<f32>),
        near: &mut Near,
    ) {
        match self.partition {
            Partition::Cells => index.near(places, corners, near),
            Partition::AllPairs => near.set_all(),
        }
    }

    /// Which of its species' agents the agent in `slot` is; those added later count again
    /// from 0.
    pub(crate) fn number_of(&self, slot: usize, kind: &Kind) -> u32 {
        let agents = (kind.species.agents as u32).max(1);
        self.traits.index[slot].wrapping_sub(kind.first_index) % agents
    }

    /// The species of the agent in `slot`.
    pub(crate) fn kind_of(&self, slot: usize) -> usize {
        self.traits.kind(slot)
    }
}
