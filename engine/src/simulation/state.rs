//! The state of a crowd and its 64-bit hash.
//!
//! Each agent is hashed separately, with its index and generation, and the hashes are summed. The
//! result therefore does not depend on the order of slots, which follows the grid. `-0.0` hashes
//! as `0.0`, because both behave the same.

use std::ops::Range;

use crate::crowd::columns::{Attributes, Motion};
use crate::crowd::history::History;
use crate::crowd::id_pool::IdPool;
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::params::SpeciesParams;
use crate::crowd::stored_target::StoredTarget;
use crate::crowd::target::Pose;
use crate::crowd::velocity;
use crate::math::random::{SPREAD, mix};
use crate::scene::Scene;

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) motion: Motion,
    pub(crate) attributes: Attributes,
    pub(crate) ids: IdPool,
    pub(crate) history: History,
    pub(crate) overrides: Overrides,
    pub(crate) tick: u64,
    /// Simulated seconds minus `tick · dt`; 0 until the step rate changes.
    pub(crate) time_base: f64,
}

impl State {
    /// Number of agents of each species in `slots`.
    pub(crate) fn populations(&self, slots: Range<usize>, scene: &Scene) -> Vec<usize> {
        let mut populations = vec![0; scene.species.len()];
        slots.for_each(|slot| populations[self.attributes.species_of(slot)] += 1);
        populations
    }

    pub(crate) fn without_agents(&self) -> Self {
        let &Self { ref ids, overrides, tick, time_base, .. } = self;
        Self { ids: ids.clone(), overrides, tick, time_base, ..Self::default() }
    }

    pub(crate) fn part(&self, slots: Range<usize>, first: usize) -> Self {
        let mut part = self.without_agents();
        part.append(self, slots, first);
        part
    }

    /// Appends the agents in `slots` of another state. `first` is the first slot in that state
    /// whose agent has a history: ghosts have none.
    pub(crate) fn append(&mut self, other: &Self, slots: Range<usize>, first: usize) {
        self.motion.append(&other.motion, slots.clone());
        self.attributes.append(&other.attributes, slots.clone());
        self.history.append(&other.history, slots.start - first..slots.end - first);
    }

    pub(crate) fn write(&self, slots: &[u32], first: usize, message: &mut Vec<u8>) {
        self.motion.write(slots, message);
        self.attributes.write(slots, message);
        self.history.write(slots.iter().map(|&slot| slot as usize - first), message);
    }

    pub(crate) fn read(&mut self, agents: usize, message: &mut &[u8]) {
        self.motion.read(agents, message);
        self.attributes.read(agents, message);
        self.history.read(agents, message);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.motion.bytes() + self.attributes.bytes() + self.ids.bytes() + self.history.bytes()
    }

    pub(crate) fn time(&self, dt: f32) -> f64 {
        self.time_base + self.tick as f64 * f64::from(dt)
    }

    pub(crate) fn sum_of_hashes(&self, slots: Range<usize>, species: &[SpeciesParams]) -> u64 {
        let hashes =
            slots.map(|slot| self.hash_of((&self.motion, &self.attributes), slot, species));
        hashes.fold(0, u64::wrapping_add)
    }

    pub(crate) fn hash_of(
        &self,
        (motion, attributes): (&Motion, &Attributes),
        slot: usize,
        species: &[SpeciesParams],
    ) -> u64 {
        let index = attributes.index[slot];
        let generation = self.ids.id(index).generation;
        let mut hash = mix(SPREAD, u64::from(generation) << 32 | u64::from(index));
        let Pose { position, velocity, heading } =
            velocity::pose(motion, attributes, species, slot);
        let always = [position, velocity, heading].map(<[f32; 2]>::from);
        let above = [position, velocity, heading].map(|vector| vector.z);
        let above = above.into_iter().filter(|_| !motion.position.0[2].is_empty());
        let memory = motion.memory.iter().filter_map(|column| column.get(slot).copied());
        let custom = motion.custom.iter().filter_map(|column| column.get(slot).copied());
        for value in always.into_iter().flatten().chain(memory).chain(custom).chain(above) {
            // Adding zero turns -0.0 into 0.0 and changes nothing else.
            hash = mix(hash, u64::from((value + 0.0).to_bits()));
        }
        if let Some(&target) = attributes.target.get(slot) {
            hash = mix(hash, u64::from(target));
        }
        if let StoredTarget::Point(point) = attributes.stored_target(slot) {
            let point = <[f32; 3]>::from(point);
            let [x, y, z] = point.map(|value| u64::from((value + 0.0).to_bits()));
            hash = mix(hash, x << 32 | y);
            if !motion.position.0[2].is_empty() {
                hash = mix(hash, z);
            }
        }
        if let Some(&joined) = attributes.joined.get(slot).filter(|&&joined| joined != index.into())
        {
            hash = mix(hash, joined);
        }
        for limit in Limit::ALL.into_iter().filter(|&limit| attributes.is_overridden(limit, slot)) {
            hash =
                mix(hash, u64::from(attributes.limit(limit)[slot].to_bits()) << 8 | limit as u64);
        }
        if self.overrides.species {
            hash = mix(hash, attributes.species_of(slot) as u64);
        }
        mix(hash, SPREAD)
    }

    pub(crate) fn hash(&self, sum: u64, agents: usize) -> u64 {
        let freed = self.ids.free().iter().fold(sum, |sum, &index| mix(sum, u64::from(index)));
        let hash = mix(mix(freed, self.tick), agents as u64);
        if self.time_base == 0.0 { hash } else { mix(hash, self.time_base.to_bits()) }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        self.part(0..self.motion.position.len(), 0)
    }
}
