//! The 64-bit hash of a crowd's state.
//!
//! Every agent is hashed separately, with its index and generation, and the hashes are added: the
//! result must not depend on slots, which are in cell order. `-0.0` counts as `0.0`, since the
//! two behave the same.

use crate::crowd::columns::{Motion, Traits};
use crate::crowd::id_pool::IdPool;
use crate::crowd::kind::Kind;
use crate::crowd::pose::Pose;
use crate::crowd::velocity;
use crate::math::hash::{SPREAD, mix};

/// Hash of the whole state.
pub(crate) fn state_hash(
    tick: u64,
    motion: &Motion,
    traits: &Traits,
    kinds: &[Kind],
    ids: &IdPool,
) -> u64 {
    let Motion { wander_x, wander_y, waypoint, alert, .. } = motion;
    let mut sum = 0_u64;
    for (slot, &index) in traits.index.iter().enumerate() {
        let generation = ids.id(index).generation;
        let mut hash = mix(SPREAD, u64::from(generation) << 32 | u64::from(index));
        let Pose { position, velocity, heading } = velocity::pose(motion, traits, kinds, slot);
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
        sum = sum.wrapping_add(mix(hash, SPREAD));
    }
    for &index in ids.free() {
        sum = mix(sum, u64::from(index));
    }
    mix(mix(sum, tick), traits.index.len() as u64)
}
