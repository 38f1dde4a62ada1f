//! The 64-bit state hash, and the checksum of files.
//!
//! For the state, every agent is hashed on its own, its index and generation included, and the hashes are
//! added: slots are in cell order, so the sum must not care about order. `-0.0` counts as
//! `0.0`, since the two behave the same.

use crate::columns::{Motion, Traits};
use crate::roster::Roster;
use crate::species::Kind;
use crate::target::Pose;
use crate::velocity;

/// An odd constant with well-spread bits (2⁶⁴ divided by the golden ratio).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

/// Checksum of bytes. Every round is one to one, so no change within one word goes unnoticed.
pub(crate) fn bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = words.iter().fold(SPREAD, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    mix(mix(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}

/// Hash of the whole state.
pub(crate) fn state(
    tick: u64,
    motion: &Motion,
    traits: &Traits,
    kinds: &[Kind],
    roster: &Roster,
) -> u64 {
    let Motion { wander_x, wander_y, waypoint, alert, .. } = motion;
    let mut sum = 0_u64;
    for (slot, &index) in traits.index.iter().enumerate() {
        let generation = roster.id(index).generation;
        let mut hash = mix(SPREAD, u64::from(generation) << 32 | u64::from(index));
        let Pose { position, velocity, heading } = velocity::pose(motion, traits, kinds, slot);
        let always = [position, velocity, heading].map(|vector| [vector.x, vector.y]);
        let remembered = [wander_x, wander_y, waypoint, alert];
        let remembered = remembered.into_iter().filter_map(|column| column.get(slot).copied());
        for value in always.into_iter().flatten().chain(remembered) {
            // Adding zero turns -0.0 into 0.0 and changes nothing else.
            hash = mix(hash, u64::from((value + 0.0).to_bits()));
        }
        if let Some(&target) = traits.target.get(slot) {
            hash = mix(hash, u64::from(target));
        }
        sum = sum.wrapping_add(mix(hash, SPREAD));
    }
    for &index in roster.free() {
        sum = mix(sum, u64::from(index));
    }
    mix(mix(sum, tick), traits.index.len() as u64)
}
