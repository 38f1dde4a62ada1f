//! The engine's state hash, computed again from a rung's own state: what the book's agents and
//! the engine's columns have in common is this number.

use super::rules::Motion;

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

/// Hash of agents by id, none of which was ever removed, after `tick` steps.
pub(crate) fn state(tick: u64, agents: impl ExactSizeIterator<Item = (u32, Motion)>) -> u64 {
    let count = agents.len() as u64;
    let mut sum = 0_u64;
    for (id, Motion { position, velocity, heading }) in agents {
        let values = [position.x, position.y, velocity.x, velocity.y, heading.x, heading.y];
        // Adding zero turns -0.0 into 0.0: the two behave the same.
        let bits = values.map(|value| u64::from((value + 0.0).to_bits()));
        let hash = bits.into_iter().fold(mix(SPREAD, u64::from(id)), mix);
        sum = sum.wrapping_add(mix(hash, SPREAD));
    }
    mix(mix(sum, tick), count)
}
