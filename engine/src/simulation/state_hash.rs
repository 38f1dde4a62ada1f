//! The 64-bit hash of a crowd's state.
//!
//! Every agent is hashed separately, with its index and generation, and the hashes are added: the
//! result must not depend on slots, which are in cell order. `-0.0` counts as `0.0`, since the
//! two behave the same.

use std::ops::Range;

use crate::crowd::columns::{Limit, Motion};
use crate::crowd::shared::SharedTraits;
use crate::crowd::target::Pose;
use crate::crowd::velocity;
use crate::math::random::{SPREAD, mix};
use crate::simulation::State;

/// The sum of the hashes of the agents in `slots`.
pub(crate) fn of_agents(slots: Range<usize>, state: &State, species: &[SharedTraits]) -> u64 {
    let State { motion, traits, ids, .. } = state;
    let Motion { wander_x, wander_y, waypoint, alert, .. } = motion;
    let mut sum = 0_u64;
    for slot in slots {
        let index = traits.index[slot];
        let generation = ids.id(index).generation;
        let mut hash = mix(SPREAD, u64::from(generation) << 32 | u64::from(index));
        let Pose { position, velocity, heading } = velocity::pose(motion, traits, species, slot);
        let always = [position, velocity, heading].map(|vector| [vector.x, vector.y]);
        let remembered = [wander_x, wander_y, waypoint, alert];
        let remembered = remembered.into_iter().filter_map(|column| column.get(slot).copied());
        for value in always.into_iter().flatten().chain(remembered) {
            // Adding zero turns -0.0 into 0.0 and changes nothing else.
            hash = mix(hash, u64::from((value + 0.0).to_bits()));
        }
        for column in &motion.own.0 {
            hash = mix(hash, u64::from((column[slot] + 0.0).to_bits()));
        }
        if let Some(&target) = traits.target.get(slot) {
            hash = mix(hash, u64::from(target));
        }
        for limit in Limit::ALL.into_iter().filter(|&limit| traits.is_written(limit, slot)) {
            hash = mix(hash, u64::from(traits.limit(limit)[slot].to_bits()) << 8 | limit as u64);
        }
        sum = sum.wrapping_add(mix(hash, SPREAD));
    }
    sum
}

/// The hash of the whole state of a crowd of `agents`, from the sum for all of them.
pub(crate) fn of_all(sum: u64, agents: usize, State { ids, tick, .. }: &State) -> u64 {
    let freed = ids.free().iter().fold(sum, |sum, &index| mix(sum, u64::from(index)));
    mix(mix(freed, *tick), agents as u64)
}
