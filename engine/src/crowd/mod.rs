//! Read-only view of the crowd during a step, for kernels.

use std::ops::Range;

use crate::grid::Grid;
use crate::math::vec3::Vec3;
use crate::scenery::Scenery;
use crate::world::space::Space;
use crate::world::wrap::WrapsAfter;

pub(crate) mod columns;
pub(crate) mod formation;
pub(crate) mod history;
pub(crate) mod id_pool;
pub(crate) mod limits;
pub(crate) mod lookup;
pub(crate) mod params;
pub(crate) mod sort;
pub(crate) mod sorted_copy;
pub(crate) mod sought;
pub(crate) mod store;
pub(crate) mod stored_target;
pub(crate) mod target;
pub(crate) mod velocity;

use columns::{Attributes, Motion, PaddedTail, Rows};
use limits::Limit;
use params::SpeciesParams;
use sought::Sought;
use store::prefetch;
use stored_target::StoredTarget;
use target::{Pose, SharedTarget, Target};

/// Neighbor search method: grid cells or all pairs. The results are identical.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Partition {
    /// `AllPairs` in crowds of up to four batches (vectors of agents), where it is faster;
    /// otherwise `Cells`.
    #[default]
    Auto,
    /// Tests only the agents in nearby cells, up to the view distance: O(n) at constant density.
    Cells,
    /// Tests every agent against every other: O(n²). The result is bit-identical to `Cells`,
    /// because the candidates are visited in the same order.
    AllPairs,
}

impl Partition {
    /// Largest crowd, in batches (vectors of agents), for which `Auto` tests all pairs.
    pub const AUTO_BATCHES: usize = 4;

    #[inline(always)]
    pub(crate) fn tests_all(self, agents: usize, width: usize) -> bool {
        match self {
            Self::Auto => agents <= Self::AUTO_BATCHES * width,
            Self::Cells => false,
            Self::AllPairs => true,
        }
    }
}

const PREFETCH_DISTANCE: usize = 256;

#[derive(Clone, Copy, Debug)]
pub(crate) struct SortedCrowd<'a> {
    pub(crate) space: &'a Space,
    pub(crate) grid: &'a Grid,
    pub(crate) motion: &'a Motion,
    pub(crate) attributes: &'a Attributes,
    pub(crate) tail: &'a PaddedTail,
    pub(crate) sought: &'a [Sought],
    pub(crate) species: &'a [SpeciesParams],
    /// Each species' kind: the index of the first species whose agents are steered together with
    /// this species' agents.
    pub(crate) kinds: &'a [u8],
    pub(crate) scenery: &'a Scenery,
    pub(crate) shared_targets: &'a [SharedTarget],
    /// Agents' slots, indexed by `AgentId::index`; empty unless a behavior uses `Target::Own`.
    pub(crate) slots: &'a [u32],
    /// Pose of each slot's own target. Used only in slabs, where a target may be in another slab.
    pub(crate) own_targets: &'a [Option<Pose<f32>>],
    /// Agents' places in formations, indexed by `AgentId::index`; empty unless a behavior uses
    /// places.
    pub(crate) formation: &'a [u32],
    pub(crate) partition: Partition,
    /// Maximum distance that one pass of non-penetration moves an agent, in world units.
    pub(crate) max_push: f32,
    pub(crate) wraps_after: WrapsAfter,
    pub(crate) remembers: bool,
    /// Number of columns that the scene or its behaviors define.
    pub(crate) column_count: usize,
    /// True if the scene defines columns or has behaviors from other crates.
    pub(crate) has_outside: bool,
    /// Maximum magnitude of a coordinate after steering, in world units.
    pub(crate) coordinate_limit: f32,
    /// Maximum time, in seconds, over which [`Interpose`](crate::behaviors::Interpose) predicts.
    pub(crate) max_prediction: f32,
    /// Seconds per step.
    pub(crate) dt: f32,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// Simulated time at the start of the step, in seconds.
    pub(crate) time: f64,
    /// Indices of the first displacements of `wander`'s targets in this step and in the next step.
    pub(crate) wander_displacements: [u64; 2],
}

impl<'a> SortedCrowd<'a> {
    #[inline(always)]
    pub(crate) fn rows(&self, first: usize, width: usize) -> Rows<'a> {
        if first + width <= self.len() {
            Rows::new(self.motion, self.attributes, first)
        } else {
            self.tail.rows(first)
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.motion.position.len()
    }

    pub(crate) fn prefetch(&self, slots: &Range<usize>) {
        let soon = self.grid.next_row_slots(slots, PREFETCH_DISTANCE, self.len());
        let motion = self.motion;
        for axes in [&motion.position, &motion.heading, &motion.velocity] {
            for column in &axes.0 {
                prefetch(column.get(soon.clone()).unwrap_or_default());
            }
        }
    }

    #[inline(always)]
    pub(crate) fn pose(&self, target: &Target) -> Option<Pose<f32>> {
        match target {
            Target::Point(point) => Some(Pose::at(self.space, (*point).into())),
            shared => self.shared_targets.iter().find(|other| other.target == *shared)?.pose,
        }
    }

    pub(crate) fn own_pose(&self, slot: usize) -> Option<Pose<f32>> {
        if !self.own_targets.is_empty() {
            return *self.own_targets.get(slot)?;
        }
        match self.attributes.stored_target(slot) {
            StoredTarget::Nothing => None,
            StoredTarget::Agent(index) => {
                let slot = *self.slots.get(index as usize)? as usize;
                // In a slab, an agent that is now in another slab may still have an entry.
                (self.attributes.index.get(slot) == Some(&index)).then(|| self.pose_of(slot))
            }
            StoredTarget::Point(point) => Some(Pose::at(self.space, point)),
        }
    }

    #[inline(always)]
    pub(crate) fn velocity(&self, slot: usize) -> Vec3<f32> {
        velocity::at(self.motion, self.attributes, self.species, slot)
    }

    #[inline(always)]
    pub(crate) fn radius(&self, slot: usize) -> f32 {
        self.attributes.limit_of(Limit::Radius, slot, &self.species[self.species_of(slot)])
    }

    #[inline(always)]
    pub(crate) fn pose_of(&self, slot: usize) -> Pose<f32> {
        velocity::pose(self.motion, self.attributes, self.species, slot)
    }

    /// The agent's place in the [`formation`] of its species.
    #[inline(always)]
    pub(crate) fn place_of(&self, slot: usize) -> u32 {
        let index = self.attributes.index[slot];
        self.formation.get(index as usize).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn species_of(&self, slot: usize) -> usize {
        self.attributes.species_of(slot)
    }

    #[inline(always)]
    pub(crate) fn group_of(&self, slot: usize) -> usize {
        self.grid.plan().group_at(&self.attributes.group_columns(), slot)
    }

    /// The group of the agents in `slots`, or `None` if their groups differ.
    #[inline(always)]
    pub(crate) fn only_group(&self, slots: Range<usize>) -> Option<usize> {
        let group = self.group_of(slots.start);
        let species = self.attributes.species.get(slots.clone());
        let are_alike = self.grid.plan().outliers.is_none() && species.is_none_or(all_alike);
        let is_one = are_alike || slots.into_iter().all(|slot| self.group_of(slot) == group);
        is_one.then_some(group)
    }

    #[inline(always)]
    pub(crate) fn largest_radius(&self, slots: Range<usize>) -> f32 {
        match self.attributes.limit(Limit::Radius).get(slots.clone()) {
            Some(radii) => largest_size(radii.iter().copied()),
            None => {
                let radius = |species: usize| self.species[species].limits[Limit::Radius as usize];
                match self.attributes.species.get(slots) {
                    None => radius(0),
                    Some(species) if all_alike(species) => radius(species[0].into()),
                    Some(species) => largest_size(species.iter().map(|&one| radius(one.into()))),
                }
            }
        }
    }

    /// Calls `pass` once for each kind among the agents in `slots`. The second argument lists each
    /// agent's kind, written to `kinds`; it is `None` if all agents are of one kind.
    #[inline(always)]
    pub(crate) fn for_each_kind<const N: usize>(
        &self,
        slots: Range<usize>,
        kinds: &mut [u8; N],
        mut pass: impl FnMut(usize, Option<&[u8; N]>),
    ) {
        let Some(species) = self.attributes.species.get(slots) else { return pass(0, None) };
        let kind_of = |species: &u8| self.kinds[usize::from(*species)];
        if all_alike(species) {
            return pass(usize::from(kind_of(&species[0])), None);
        }
        let of = kinds.iter_mut().zip(species);
        of.for_each(|(kind, species)| *kind = kind_of(species));
        for k in 0..species.len() {
            if !kinds[..k].contains(&kinds[k]) {
                pass(usize::from(kinds[k]), Some(kinds));
            }
        }
    }
}

/// Largest absolute value. Absolute values are ordered like their bits, whose maximum the compiler
/// vectorizes.
#[inline(always)]
pub(crate) fn largest_size(numbers: impl Iterator<Item = f32>) -> f32 {
    f32::from_bits(numbers.map(|number| number.abs().to_bits()).fold(0, u32::max))
}

/// True if all agents have the same species, the usual case. Compares 16 bytes at a time,
/// because a byte loop of unknown length would not be vectorized.
#[inline(always)]
fn all_alike(species: &[u8]) -> bool {
    let (words, rest) = species.as_chunks();
    let first = u128::from_ne_bytes([species[0]; 16]);
    let others = words.iter().fold(0, |others, &word| others | first ^ u128::from_ne_bytes(word));
    others == 0 && rest.iter().all(|&one| one == species[0])
}
