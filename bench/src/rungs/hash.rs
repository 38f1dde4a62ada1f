//! The engine's state hash, computed from a rung's own state, so that the book's agents and the
//! engine's columns can be compared.

use super::rules::Motion;

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

/// The hash of agents and their ids after `tick` steps, if none was ever removed.
pub(crate) fn state(tick: u64, agents: &[(u32, Motion)]) -> u64 {
    let count = agents.len() as u64;
    let mut sum = 0_u64;
    for &(id, Motion { position, velocity, heading }) in agents {
        let values = [position.x, position.y, velocity.x, velocity.y, heading.x, heading.y];
        // Adding zero turns -0.0 into 0.0: the two behave the same.
        let bits = values.map(|value| u64::from((value + 0.0).to_bits()));
        let hash = bits.into_iter().fold(mix(SPREAD, u64::from(id)), mix);
        sum = sum.wrapping_add(mix(hash, SPREAD));
    }
    mix(mix(sum, tick), count)
}
