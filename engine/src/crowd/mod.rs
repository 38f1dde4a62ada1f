//! What a step reads: an immutable snapshot of the crowd.

use std::ops::Range;

use crate::grid::Grid;
use crate::math::aabb::Aabb;
use crate::math::vec2::Vec2;
use crate::scenery::Scenery;
use crate::scenery::index::{Index, Near};
use crate::world::space::Space;

pub(crate) mod aim;
pub(crate) mod columns;
pub(crate) mod history;
pub(crate) mod id_pool;
pub(crate) mod limits;
pub(crate) mod places;
pub(crate) mod shared;
pub(crate) mod sort;
pub(crate) mod store;
pub(crate) mod target;
pub(crate) mod velocity;

use aim::Aim;
use columns::{Motion, Rows, Tail, Traits};
use limits::Limit;
use shared::SharedTraits;
use store::prefetch;
use target::{Pose, SharedTarget, Target};

/// How candidates for neighbors are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Partition {
    /// `AllPairs` for kernels in crowds that fill up to four batches of lanes, where finding the
    /// cells takes longer than testing all agents; otherwise `Cells`.
    #[default]
    Auto,
    /// Only agents in cells within view distance are tested: O(n) at constant density.
    Cells,
    /// Every agent is tested against every other: O(n²). The result is the same, bit for
    /// bit, because both visit candidates in the same order.
    AllPairs,
}

impl Partition {
    /// The most batches of lanes that a crowd may fill for `Auto` to test all pairs.
    pub const AUTO_BATCHES: usize = 4;

    /// Whether batches of `width` agents test all of a crowd of this many agents.
    #[inline(always)]
    pub(crate) fn tests_all(self, agents: usize, width: usize) -> bool {
        match self {
            Self::Auto => agents <= Self::AUTO_BATCHES * width,
            Self::Cells => false,
            Self::AllPairs => true,
        }
    }
}

/// How many agents beyond the next row steering prefetches.
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
    pub(crate) species: &'a [SharedTraits],
    pub(crate) scenery: &'a Scenery,
    pub(crate) shared_targets: &'a [SharedTarget],
    /// Slot of each id index; only if some behavior steers by own targets.
    pub(crate) slots: &'a [u32],
    /// Where the own target of the agent in each slot is, in a slab, which has few of the targets.
    pub(crate) own_targets: &'a [Option<Pose<f32>>],
    pub(crate) partition: Partition,
    /// The largest bounding radius of all species.
    pub(crate) largest_radius: f32,
    /// Whether agents wrap around the torus only after solid scenery and non-penetration: until then
    /// they stay where the grid's cells expect them.
    pub(crate) wraps_later: bool,
    /// Whether any behavior remembers something from step to step.
    pub(crate) remembers: bool,
    /// Whether the scene defines columns.
    pub(crate) has_columns: bool,
    /// Whether it defines columns or has behaviors of other crates.
    pub(crate) has_outside: bool,
    /// The largest coordinate that an agent may reach.
    pub(crate) limit: f32,
    /// Seconds per step.
    pub(crate) dt: f32,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// Simulated seconds before this step.
    pub(crate) time: f64,
}

impl<'a> Crowd<'a> {
    /// The rows of a batch of `width` lanes from slot `first` on.
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

    /// Prefetches what steering reads of the agents a row of cells after `slots`.
    pub(crate) fn prefetch(&self, slots: &Range<usize>) {
        let soon = self.grid.a_row_after(slots, LEAD, self.len());
        let motion = self.motion;
        for column in [&motion.x, &motion.y, &motion.hx, &motion.hy, &motion.vx, &motion.vy] {
            prefetch(column.get(soon.clone()).unwrap_or_default());
        }
    }

    /// Where a shared target is; none once it is removed.
    pub(crate) fn pose(&self, target: &Target) -> Option<Pose<f32>> {
        match target {
            Target::Point(point) => Some(Pose::at(self.space, *point)),
            shared => self.shared_targets.iter().find(|other| other.target == *shared)?.pose,
        }
    }

    /// Where the own target of the agent in `slot` is.
    pub(crate) fn own_pose(&self, slot: usize) -> Option<Pose<f32>> {
        if !self.own_targets.is_empty() {
            return *self.own_targets.get(slot)?;
        }
        match self.traits.aim(slot) {
            Aim::Nothing => None,
            Aim::Agent(index) => Some(self.pose_of(*self.slots.get(index as usize)? as usize)),
            Aim::Point(point) => Some(Pose::at(self.space, point)),
        }
    }

    /// The velocity of the agent in `slot`.
    #[inline(always)]
    pub(crate) fn velocity(&self, slot: usize) -> Vec2<f32> {
        velocity::of(self.motion, self.traits, self.species, slot)
    }

    /// The bounding radius of the agent in `slot`.
    #[inline(always)]
    pub(crate) fn radius(&self, slot: usize) -> f32 {
        self.traits.limit_of(Limit::Radius, slot, &self.species[self.species_of(slot)])
    }

    /// Where the agent in `slot` is and how it moves.
    #[inline(always)]
    pub(crate) fn pose_of(&self, slot: usize) -> Pose<f32> {
        velocity::pose(self.motion, self.traits, self.species, slot)
    }

    /// Fills `near` with the items of an index near any of the positions, which are within
    /// `around`. With all pairs, these are all items.
    #[inline(always)]
    pub(crate) fn find_near(
        &self,
        index: &Index,
        positions: (&[f32], &[f32]),
        around: Aabb,
        near: &mut Near,
    ) {
        match self.partition {
            Partition::Auto | Partition::Cells => index.near(positions, around, near),
            Partition::AllPairs => index.all_near(near),
        }
    }

    /// The number of the agent in `slot` within its species, from 0. Agents added later start
    /// again at 0.
    pub(crate) fn number_of(&self, slot: usize, species: &SharedTraits) -> u32 {
        let agents = species.agents.max(1);
        self.traits.index[slot].wrapping_sub(species.first_index) % agents
    }

    /// The species of the agent in `slot`.
    pub(crate) fn species_of(&self, slot: usize) -> usize {
        self.traits.species_of(slot)
    }

    /// The largest value of a property of the species among the agents in `slots`.
    #[inline(always)]
    pub(crate) fn largest(
        &self,
        slots: Range<usize>,
        property: impl Fn(&SharedTraits) -> f32,
    ) -> f32 {
        match self.traits.species.get(slots) {
            None => property(&self.species[0]),
            Some(species) if all_alike(species) => property(&self.species[usize::from(species[0])]),
            Some(species) => {
                let values = species.iter().map(|&one| property(&self.species[usize::from(one)]));
                values.fold(0.0, f32::max)
            }
        }
    }

    /// Calls `pass` with each species among the agents in `slots`: nearly always one.
    #[inline(always)]
    pub(crate) fn for_each_species(&self, slots: Range<usize>, mut pass: impl FnMut(usize)) {
        let Some(species) = self.traits.species.get(slots) else { return pass(0) };
        if all_alike(species) {
            return pass(usize::from(species[0]));
        }
        for (k, &one) in species.iter().enumerate() {
            if !species[..k].contains(&one) {
                pass(usize::from(one));
            }
        }
    }
}

/// Whether all agents are of one species, which is nearly always so. Compares whole words: a loop
/// over an unknown number of bytes would take one at a time.
#[inline(always)]
fn all_alike(species: &[u8]) -> bool {
    let (words, rest) = species.as_chunks();
    let first = u128::from_ne_bytes([species[0]; 16]);
    let others = words.iter().fold(0, |others, &word| others | first ^ u128::from_ne_bytes(word));
    others == 0 && rest.iter().all(|&one| one == species[0])
}
